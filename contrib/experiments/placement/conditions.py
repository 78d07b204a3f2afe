# SPDX-License-Identifier: GPL-2.0-or-later
"""conditions.py - what others take of each node's CPU and link, over time

Series of CPU use in percent, recorded (as series.py of the regression
experiment reads them) or made, as they come: some machines are busy, most are
not.  What others use is taken as use of a whole CPU; a node here has CAP
percent of one, so their percents add up to more.  How busy links are is given
by further series of the same kind.
"""

import dataclasses
import functools
import math
import random
import statistics

from series import numbers, texts

CAP = 20            # percent of a core that a node has: two cores do for all
STEP_S = 30.0       # PlanetLab's samples are of 5 minutes: ten times as fast
LOAD_MAX = 5.0      # 100 percent
LINK_BPS = 100e6    # of a link that nobody shares
# What is left of a link, from each of these percents on.  Few levels: a
# shaper's change disturbs what is on its way.
LEVELS = ((50, 0.1), (25, 0.25), (12, 0.5), (0, 1.0))

# Series made: the logarithm of a machine's level is by chance, and use goes up
# and down around it, as the recorded ones are (mean 12, median 5 percent).
LEVEL = statistics.NormalDist(math.log(6), 1.1)
KEEP, SHOCK = 0.8, 0.4


@dataclasses.dataclass
class Moment:
    loads: list           # processes that want a CPU, by node
    bandwidths: list      # bit/s, by node


def quiet(nodes):
    return [Moment([0.0] * nodes, [LINK_BPS] * nodes)]


@functools.lru_cache(maxsize=1)
def recorded(path):
    """All series there, from the machine least used to the one most."""
    return sorted((numbers(text.decode(errors="replace"))
                   for text in texts(path)),
                  key=lambda series: statistics.fmean(series or [0]))


def made(level, steps, dice):
    off, result = 0.0, []
    for _ in range(steps):
        off = KEEP * off + dice.gauss(0, SHOCK)
        result.append(math.exp(level + off))
    return result


def percentages(path, count, steps, dice):
    """`count` series of `steps` values, one of each of `count` equal parts of
    all machines by how much they are used: as they are in the mean, whatever
    the dice say.  In no order."""
    if path:
        long = [s for s in recorded(path) if len(s) >= steps]
        if len(long) < count:
            raise SystemExit(f"{path}: {len(long)} series of {steps} steps "
                             f"and more; {count} are wanted")
    chosen = []
    for i in range(count):
        part = (i + dice.random()) / count
        if path:
            whole = long[int(part * len(long))]
            first = dice.randrange(len(whole) - steps + 1)
            series = whole[first:first + steps]
        else:
            series = made(LEVEL.inv_cdf(min(max(part, 1e-3), 1 - 1e-3)),
                          steps, dice)
        chosen.append([min(100.0, max(0.0, value)) for value in series])
    dice.shuffle(chosen)
    return chosen


def left_of_link(percent):
    return next(left for least, left in LEVELS if percent >= least)


def wandering(path, nodes, steps, seed, turned=False):
    """A list of conditions, one for each step; the same for the same seed.
    `turned`: the last node has what is the first one's otherwise, and so on."""
    dice = random.Random(seed)
    cpus = percentages(path, nodes, steps, dice)
    links = percentages(path, nodes, steps, dice)
    if turned:
        cpus.reverse()
        links.reverse()
    return [Moment([min(LOAD_MAX, s[i] / CAP) for s in cpus],
                   [LINK_BPS * left_of_link(s[i]) for s in links])
            for i in range(steps)]


def at(trace, seconds):
    """That of a time, in seconds after the first one began."""
    return trace[min(int(max(seconds, 0) / STEP_S), len(trace) - 1)]
