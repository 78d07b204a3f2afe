"""conditions.py - what others take of each node's CPU and link, over time

Series of CPU use in percent, recorded (as series.py of the regression
experiment reads them) or made, as they come: some machines are busy, most are
not.  What others use is taken as use of a whole CPU; a node here has CAP
percent of one, so they count for so much more.  How busy links are is told by
further series of the same kind.
"""

import dataclasses
import functools
import math
import random

from series import numbers, texts

CAP = 20            # percent of a core that a node has: two cores do for all
STEP_S = 30.0       # PlanetLab's samples are of 5 minutes: ten times as fast
LOAD_MAX = 5.0      # 100 percent
LINK_BPS = 100e6    # of a link that nobody shares
# From so many percent on, what is left of a link.  Few levels: a shaper's
# change disturbs what is on its way.
LEVELS = ((50, 0.1), (25, 0.25), (12, 0.5), (0, 1.0))

# Series made: the logarithm of a machine's level is by chance, and use goes up
# and down around it, as the recorded ones are (mean 12, median 5 percent).
LEVEL, SPREAD = math.log(6), 1.1
KEEP, SHOCK = 0.8, 0.4


@dataclasses.dataclass
class Moment:
    loads: list           # processes that want a CPU, by node
    bandwidths: list      # bit/s, by node


def quiet(nodes):
    return [Moment([0.0] * nodes, [LINK_BPS] * nodes)]


@functools.lru_cache(maxsize=1)
def recorded(path):
    return [numbers(text.decode(errors="replace")) for text in texts(path)]


def made(steps, dice):
    level, off, result = dice.gauss(LEVEL, SPREAD), 0.0, []
    for _ in range(steps):
        off = KEEP * off + dice.gauss(0, SHOCK)
        result.append(min(100.0, math.exp(level + off)))
    return result


def percentages(path, count, steps, dice):
    """`count` series of `steps` values."""
    if not path:
        return [made(steps, dice) for _ in range(count)]
    long = [s for s in recorded(path) if len(s) >= steps]
    if len(long) < count:
        raise SystemExit(f"{path}: {len(long)} series of {steps} steps and "
                         f"more; {count} are wanted")
    chosen = []
    for whole in dice.sample(long, count):
        first = dice.randrange(len(whole) - steps + 1)
        chosen.append([min(100.0, max(0.0, value))
                       for value in whole[first:first + steps]])
    return chosen


def left_of_link(percent):
    return next(left for least, left in LEVELS if percent >= least)


def wandering(path, nodes, steps, seed):
    """A list of moments, one for each step; the same for the same seed."""
    both = percentages(path, 2 * nodes, steps, random.Random(seed))
    return [Moment([min(LOAD_MAX, s[i] / CAP) for s in both[:nodes]],
                   [LINK_BPS * left_of_link(s[i]) for s in both[nodes:]])
            for i in range(steps)]


def at(moments, seconds):
    """That of so many seconds after the first one began."""
    return moments[min(int(max(seconds, 0) / STEP_S), len(moments) - 1)]
