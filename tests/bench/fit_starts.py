#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fit_starts.py - what predicted starts missed, over the logs of a bench

usage: fit_starts.py prior TABLE...: the numbers of start_prior.h
       fit_starts.py judge TABLE...

TABLE is LOG.FROM.table, as rehearse-starts writes it.  A prior is made of the
quantiles of misses by class, each log counting the same.  judge prints the
shares of starts in their interval by log and horizon (of the told median), the
mean width, and the error beside that of squeue --start.
"""
import math
import os
import sys
from collections import defaultdict

CLASSES, LEVELS = 4, 20


def rows_of(path):
    """Of each job the first row."""
    with open(path) as table:
        for line in table:
            f = [float(x) for x in line.split()]
            if not f[2]:
                yield f


def log_of(path):
    return os.path.basename(path).rsplit(".", 2)[0]


def quantile(values, p):
    at = p * (len(values) + 1) - 1
    below = int(max(0, min(len(values) - 1, math.floor(at))))
    above = min(below + 1, len(values) - 1)
    share = min(1, max(0, at - below))
    return values[below] + share * (values[above] - values[below])


def quantiles(values, count):
    values = sorted(values)
    return [quantile(values, (i + 0.5) / count) for i in range(count)]


def prior(paths):
    misses = defaultdict(list)
    for path in paths:
        for f in rows_of(path):
            for end in (0, 1):
                misses[end, int(f[11]), log_of(path)].append(f[12 + end])
    for end in (0, 1):
        for c in range(CLASSES):
            pool = []
            for (e, k, _), values in misses.items():
                if (e, k) == (end, c) and len(values) >= LEVELS:
                    pool += quantiles(values, 2 * LEVELS)
            yield [min(999, max(-999, x)) for x in quantiles(pool, LEVELS)]


def text_of(number):
    """Return it with two digits, without a zero before the point."""
    size = abs(number)
    text = "%.*f" % (0 if size >= 10 else 1 if size >= 1 else 2, number)
    return text.replace("0.", ".", 1) if size < 1 else text


def within(f):
    return f[8] - 1 <= f[3] <= f[10] + 1


def judge(paths):
    jobs = [(log_of(path), f) for path in paths for f in rows_of(path)]
    groups = defaultdict(list)
    for log, f in jobs:
        hours = f[9] / 3600
        horizon = "under_1h" if hours < 1 else \
            "1h_to_6h" if hours < 6 else "over_6h"
        for group in ("", "_" + log, "_" + horizon):
            groups[group].append(within(f))
    for group, held in sorted(groups.items()):
        print("start_within_pct%s %.1f (%d starts)" %
              (group, 100 * sum(held) / len(held), len(held)))
    print("start_width_h %.3f" %
          (sum(f[10] - f[8] for _, f in jobs) / max(1, len(jobs)) / 3600))
    ratios = []
    errors = defaultdict(lambda: [0, 0])
    for log, f in jobs:
        if not math.isnan(f[4]):
            errors[log][0] += abs(f[9] - f[3])
            errors[log][1] += abs(max(0, f[4]) - f[3])
    for log, (ours, slurms) in sorted(errors.items()):
        ratios.append(ours / slurms if slurms else math.nan)
        print("start_vs_squeue_%s %.3f" % (log, ratios[-1]))
    print("start_vs_squeue %.3f" % (sum(ratios) / max(1, len(ratios))))


if sys.argv[1] == "judge":
    judge(sys.argv[2:])
else:
    for numbers in prior(sys.argv[2:]):
        texts = [text_of(x) for x in numbers]
        print("\t\t{ " + ", ".join(texts[:10]) + ",")
        print("\t\t  " + ", ".join(texts[10:]) + " },")
