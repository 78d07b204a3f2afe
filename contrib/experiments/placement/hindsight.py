# SPDX-License-Identifier: GPL-2.0-or-later
"""hindsight.py - was there a better set of nodes?

For some jobs that our plugin placed under load: conditions are set to those of
the start of the job, and stay.  Then the same job runs on the
nodes that it had, and on other sets of nodes that were free, one after another
or side by side, as Slurm finds room.
"""

import itertools
import random
import re
import time

from conditions import LINK_BPS, at
from mix import Job
from rounds import SETTLE_S, await_all, facts, submit

# How much a slow link counts in the choice of sets that are tried: nothing for
# a program that only computes, much for one that sends all the time.
LINK_WEIGHTS = (0.0, 0.02, 0.1, 0.4)


def offered(job, nodes):
    """Of how many nodes the plugin chose, as it said; else all."""
    said = re.search(r"(?:of|among) (\d+) nodes", job["decision"])
    return int(said.group(1)) if said else nodes


def free_nodes(job, jobs, nodes):
    """Those that it had, and those that nobody had when it started: the longest
    free, as many as the plugin was offered.  With a node whose job has just
    ended Slurm is not done yet."""
    def busy_until_s(node):
        return max((other["ended_s"] for other in jobs
                    if other is not job and node in other["nodes"]
                    and other["started_s"] <= job["started_s"]), default=0)

    others = [node for node in range(nodes) if node not in job["nodes"]
              and busy_until_s(node) <= job["started_s"]]
    others.sort(key=busy_until_s)
    most = max(offered(job, nodes) - len(job["nodes"]), 0)
    return sorted([*job["nodes"], *others[:most]])


def rounds_jobs(rounds, nodes):
    """(round, job, free nodes) where there was a choice."""
    for r in rounds:
        for job in r["jobs"]:
            free = free_nodes(job, r["jobs"], nodes)
            if len(free) >= job["size"] + 2:
                yield r, job, free


def samples(rounds, nodes, count, seed):
    """Some of them by chance, of different programs as far as possible."""
    some = list(rounds_jobs(rounds, nodes))
    dice = random.Random(seed)
    dice.shuffle(some)
    chosen, seen = [], {}
    while some and len(chosen) < count:
        some.sort(key=lambda s: seen.get(s[1]["program"], 0))
        chosen.append(some.pop(0))
        program = chosen[-1][1]["program"]
        seen[program] = seen.get(program, 0) + 1
    return chosen


def cost(nodes, conditions, weight):
    """How slow a job may be there, by the slowest of it."""
    return (max(1 + conditions.loads[node] for node in nodes)
            + weight * max(LINK_BPS / conditions.bandwidths[node]
                           for node in nodes))


def sets(job, free, conditions, count):
    """The one it had, and `count` others that may be as good."""
    had = tuple(sorted(job["nodes"]))
    others = [s for s in itertools.combinations(sorted(free), job["size"])
              if s != had]
    chosen = []
    for turn in range(count):
        weight = LINK_WEIGHTS[turn % len(LINK_WEIGHTS)]
        left = [s for s in others if s not in chosen]
        if left:
            chosen.append(min(left, key=lambda s: cost(s, conditions, weight)))
    return [had, *chosen]


def try_sets(field, r, job, free, trace, count, steps):
    """The run time on each set, the one it had first, with that number
    of steps."""
    conditions = at(trace, job["started_s"] - r["begun_s"])
    field.begin([conditions])
    time.sleep(SETTLE_S["hindsight"])
    jobs, chosen = [], sets(job, free, conditions, count)
    for number, nodes in enumerate(chosen):
        one = Job(number, job["program"], job["size"], steps)
        submit(field.stack, one, "-p", "debug", "-w",
               ",".join(f"n{node + 1}" for node in nodes))
        jobs.append(one)
    await_all(field, jobs)
    return [{"nodes": fact["nodes"], "runtime_s": fact["runtime_s"],
             "had": fact["number"] == 0} for fact in facts(field.stack, jobs)]
