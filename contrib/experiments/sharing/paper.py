# SPDX-License-Identifier: GPL-2.0-or-later
"""paper.py - the formulas of Venkataramaiah and Subhlok as they stand

Section 2.1: beside one competitor a process that is busy for b of its run time
and idle for i takes b - i longer, if b > i; beside k of them, which the paper
does not have, (k + 1) b - (b + i).  Section 2.2: n messages of s bytes over a
link of another rate take n (s / newB - s / B) longer.  Section 3.3: first the
link, then the CPU, with the longer idle time.  The node that takes longest
counts.
"""

from statistics import mean

from evaluate import PAYLOAD, middle


def node_phases(rows, i):
    """Seconds busy, by the wall clock, and idle: those in MPI."""
    busy = mean(row["seen"][i]["seconds"] - row["seen"][i]["mpi_seconds"]
                for row in rows)
    return busy, mean(row["seen"][i]["mpi_seconds"] for row in rows)


def messages_s(campaign, case, row, i):
    """How much longer the messages of a node take."""
    rate = campaign.about["bandwidth_bps"] * PAYLOAD
    longer = 0
    for node, seen in enumerate(row["seen"]):
        for to, sent in seen["to"].items():
            if i not in (node, int(to)):
                continue
            part = min(case.slow.get(node, 1), case.slow.get(int(to), 1))
            longer += sent[1] * 8 / rate * (1 / part - 1)
    return longer


def runtime(campaign, case, program):
    rows = middle(campaign.of("none", program))
    base_s = mean(row["runtime_s"] for row in rows)
    longest = base_s
    for i in range(campaign.about["nodes"]):
        busy, idle = node_phases(rows, i)
        longer = messages_s(campaign, case, rows[-1], i)
        idle += longer
        cpus = 1 + case.loads.get(i, 0)
        longest = max(longest, base_s + longer
                      + max(cpus * busy - (busy + idle), 0))
    return longest


def predictions(campaign):
    """{(case, program): seconds}"""
    return {(case.name, program): runtime(campaign, case, program)
            for case in campaign.cases for program in campaign.programs
            if campaign.of(case.name, program)}
