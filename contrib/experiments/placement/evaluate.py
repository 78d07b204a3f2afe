# SPDX-License-Identifier: GPL-2.0-or-later
"""evaluate.py - what the rounds of a campaign say

Jobs are paired: the same one of the same list under the same trace, once placed
by Slurm and once by us.
"""

import collections
import json
import math
import os
from statistics import mean, stdev

BARS = {"placement_speedup": 1.3, "placement_noload": 1.02,
        "placement_wait_ratio": 1.0, "placement_vs_best": 1.10}

PAUSE_S = 1.0   # sched_interval and bf_interval of contrib/cluster

Pair = collections.namedtuple("Pair",
                              "kind pair number program size stock ours")
# `best_s` is the shortest of all that were tried, `had_s` that on our nodes.
Sample = collections.namedtuple("Sample", "program size had_s best_s tried")


def geometric(values):
    return math.exp(mean(map(math.log, values))) if values else math.nan


class Campaign:
    def __init__(self, directory):
        with open(os.path.join(directory, "about.json")) as file:
            self.about = json.load(file)
        with open(os.path.join(directory, "rounds.jsonl")) as file:
            self.records = [json.loads(line) for line in file]

    def rounds(self, kind):
        return [r for r in self.records if r["kind"] == kind]

    def jobs(self, kind, who):
        return [job for r in self.rounds(kind) if r["who"] == who
                for job in r["jobs"]]

    def pairs(self, kind):
        """Of jobs that ended well in both rounds."""
        found = collections.defaultdict(dict)
        for r in self.rounds(kind):
            for job in r["jobs"]:
                found[r["pair"], job["number"]][r["who"]] = job
        return [Pair(kind, pair, number, both["ours"]["program"],
                     both["ours"]["size"], both["stock"], both["ours"])
                for (pair, number), both in sorted(found.items())
                if len(both) == 2]

    def lost(self):
        return sum(r["asked"] - len(r["jobs"]) for r in self.records
                   if "asked" in r)

    def samples(self):
        result = []
        for r in self.rounds("hindsight"):
            had = [t["runtime_s"] for t in r["tried"] if t["had"]]
            if had and len(r["tried"]) > 1:
                result.append(Sample(r["program"], r["size"], had[0],
                                     min(t["runtime_s"] for t in r["tried"]),
                                     r["tried"]))
        return result


def speedup(pairs):
    """How much shorter run times are with us, in the geometric mean."""
    return geometric([p.stock["runtime_s"] / p.ours["runtime_s"]
                      for p in pairs])


def uncertainty(pairs):
    """The standard error of that, in percent."""
    logs = [math.log(p.stock["runtime_s"] / p.ours["runtime_s"])
            for p in pairs]
    return 100 * stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 \
        else math.nan


def waited_s(job):
    """Slurm tries its queue every PAUSE_S, so that a job that comes
    between two of them waits for the next, whoever places it: that counts as a
    whole turn."""
    return max(PAUSE_S, job["wait_s"])


def wait_ratio(pairs):
    return (sum(waited_s(p.ours) for p in pairs)
            / sum(waited_s(p.stock) for p in pairs))


def regret(samples):
    return geometric([s.had_s / s.best_s for s in samples])


def bars(campaign):
    """Lines of those that there are runs for."""
    load, quiet = campaign.pairs("load"), campaign.pairs("quiet")
    values = {}
    if load:
        values["placement_speedup"] = speedup(load)
        values["placement_wait_ratio"] = wait_ratio(load)
    if quiet:
        values["placement_noload"] = 1 / speedup(quiet)
    if campaign.samples():
        values["placement_vs_best"] = regret(campaign.samples())
    return values
