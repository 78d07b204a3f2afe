# SPDX-License-Identifier: GPL-2.0-or-later
"""setting.py - nodes, farms and the order of their iterations"""

import random

NODES = 8
CAP = 14                # percent of a core: of two cores 56 % in all
BANDWIDTH = "100mbit"   # of the master's link
BYTE_S = 8e-8           # there
POLICIES = "none", "fsc", "dpf", "daf", "shared"
CASES = {"alone": "alone", "two": "beside two competitors",
         "midway": "one that comes midway"}
ROWS = "rows", "shuffled"
TIMES = 3               # so many tasks on shared nodes
FARMS = "short-little", "short-much", "long-little", "long-much"
COUNTS = 1, 2, 3, 4, 5, 6, 8


def plan(policy_rounds, curve_rounds):
    rounds = []
    for number in range(max(policy_rounds, curve_rounds)):
        lines = []
        if number < policy_rounds:
            lines += [(f"policy{number}", farm, policy, "async", NODES, case,
                       TIMES)
                      for farm in ROWS for policy in POLICIES
                      for case in CASES]
        if number < curve_rounds:
            lines += [(f"curve{number}", farm, "shared", mode, n, "alone", 1)
                      for farm in FARMS for mode in ("async", "sync")
                      for n in COUNTS]
        random.Random(number).shuffle(lines)
        rounds += lines
    return rounds
