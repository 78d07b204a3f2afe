"""conditions.py - what others take of each node's CPU and link, over time

Loads of nodes are recorded or made series (series.py of the regression
experiment).  How busy links are is told by further series of the same kind: of
a link as busy as a machine is at its peaks a tenth is left.
"""

import dataclasses

from series import LOAD_PEAK, series

STEP_S = 30.0       # PlanetLab's samples are of 5 minutes: ten times as fast
LINK_BPS = 100e6    # of a link that nobody shares
# How busy a link is at least, and what is left of it then.  Few levels, for
# each change resets the shaper.
LEVELS = ((0.9, 0.1), (0.75, 0.25), (0.5, 0.5), (0.0, 1.0))


@dataclasses.dataclass
class Moment:
    loads: list           # processes that want a CPU, by node
    bandwidths: list      # bit/s, by node


QUIET_LOAD = 0.0


def left_of_link(load):
    busy = load / LOAD_PEAK
    return next(left for least, left in LEVELS if busy >= least)


def quiet(nodes):
    return [Moment([QUIET_LOAD] * nodes, [LINK_BPS] * nodes)]


def wandering(data, nodes, steps, seed):
    """A list of moments, one for each step."""
    both = series(data, 2 * nodes, steps, seed)
    loads, links = both[:nodes], both[nodes:]
    return [Moment([s[i] for s in loads],
                   [LINK_BPS * left_of_link(s[i]) for s in links])
            for i in range(steps)]


def at(moments, seconds):
    """That of so many seconds after the first one began."""
    return moments[min(int(max(seconds, 0) / STEP_S), len(moments) - 1)]
