# SPDX-License-Identifier: GPL-2.0-or-later
"""series.py - the load of each node over time, recorded or made

A series is a list of loads, one for each step: how many processes other than
our jobs' want a CPU.  Recorded series are CPU use in percent, a number a line,
as files of a directory or of a tar archive (PlanetLab's of CoMon come so, one
number for 5 minutes); made ones are an autoregressive process around a level
that changes now and then, as when somebody starts or ends something.
"""

import os
import random
import statistics
import tarfile

LOAD_MAX = 3.0     # of a node
LOAD_PEAK = 2.0    # that of a recorded series at its peaks
PEAK = 0.95        # the quantile that counts as peak
FILES_MAX = 3000   # recorded series read at most
MEAN_MIN = 15      # percent: most machines hardly do anything
CHANGE_MIN = 8     # percent, standard deviation: and do not change

# A made series: its levels, how long one lasts, and how loads keep to it.
LEVELS = (0.0, 0.3, 0.8, 1.5, 2.3)
STAY = 0.85        # probability to keep the level for a further step
KEEP = 0.6         # of the distance from the level, from step to step
SHOCK = 0.25       # standard deviation of what comes anew in each step


def numbers(text):
    """The numbers of a recorded series, or none if it is something else."""
    try:
        return [float(word) for word in text.split()]
    except ValueError:
        return []


def texts(path):
    """The contents of the files below a directory, or in an archive."""
    if os.path.isdir(path):
        names = sorted(os.path.join(top, name)
                       for top, _, files in os.walk(path) for name in files)
        for name in names[:FILES_MAX]:
            with open(name, "rb") as file:
                yield file.read()
        return
    with tarfile.open(path) as archive:
        seen = 0
        for member in archive:
            if not member.isfile():
                continue
            if seen == FILES_MAX:
                return
            seen += 1
            yield archive.extractfile(member).read()


def lively(series, steps):
    return (len(series) >= steps
            and statistics.mean(series) >= MEAN_MIN
            and statistics.pstdev(series) >= CHANGE_MIN)


def scaled(series):
    """From percent to loads: the peaks become LOAD_PEAK."""
    peak = sorted(series)[int(PEAK * (len(series) - 1))]
    return [min(LOAD_MAX, LOAD_PEAK * value / peak) for value in series]


def recorded(path, count, steps, dice):
    """`count` series of `steps` loads each, out of those at `path`."""
    series = [s for s in (numbers(t.decode(errors="replace"))
                          for t in texts(path)) if lively(s, steps)]
    if len(series) < count:
        raise SystemExit(f"{path}: {len(series)} series of {steps} steps and "
                         f"more that are not idle; {count} are wanted")
    chosen = []
    for whole in dice.sample(series, count):
        first = dice.randrange(len(whole) - steps + 1)
        chosen.append(scaled(whole)[first:first + steps])
    return chosen


def made(count, steps, dice):
    """The same, of our own making."""
    result = []
    for _ in range(count):
        level = dice.choice(LEVELS)
        off = 0.0
        series = []
        for _ in range(steps):
            if dice.random() > STAY:
                level = dice.choice(LEVELS)
            off = KEEP * off + dice.gauss(0, SHOCK)
            series.append(min(LOAD_MAX, max(0.0, level + off)))
        result.append(series)
    return result


def series(path, count, steps, seed):
    """From `path`, or made if there is none; the same for the same seed."""
    dice = random.Random(seed)
    if path:
        return recorded(path, count, steps, dice)
    return made(count, steps, dice)
