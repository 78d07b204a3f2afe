# SPDX-License-Identifier: GPL-2.0-or-later
"""setting.py - nodes, farms and the order of their iterations"""

import random

NODES = 8
CAP = 14                # percent of a core: of two cores 56 % in all
BANDWIDTH = "100mbit"   # of the master's link
BYTE_S = 8e-8           # there
FARMS = "short-little", "short-much", "long-little", "long-much"
TIMES = 3               # so many tasks on shared nodes
COUNTS = 1, 2, 3, 4, 5, 6, 8


def plan(shared_rounds, curve_rounds):
    rounds = []
    for number in range(max(shared_rounds, curve_rounds)):
        lines = []
        if number < shared_rounds:
            lines += [(f"shared{number}", farm, policy, "async", NODES, case,
                       TIMES)
                      for farm in FARMS for policy in ("none", "shared")
                      for case in ("alone", "half", "midway")]
        if number < curve_rounds:
            lines += [(f"curve{number}", farm, "shared", mode, n, "alone", 1)
                      for farm in FARMS for mode in ("async", "sync")
                      for n in COUNTS]
        random.Random(number).shuffle(lines)
        rounds += lines
    return rounds
