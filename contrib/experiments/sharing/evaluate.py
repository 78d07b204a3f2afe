# SPDX-License-Identifier: GPL-2.0-or-later
"""evaluate.py - profiles, predictions and errors of a campaign"""

import json
import math
import os
import subprocess
from statistics import mean, median, stdev

from plan import CASES, PROGRAMS

# Of what goes over a link at its full rate, the part that is messages: 1448
# bytes of each packet of 1514.
PAYLOAD = 1448 / 1514

# Means over the programs, and the largest error of any program, in the paper.
PAPER = {"load": 2.3, "link": 2.0, "both": 5.7}
PAPER_MAX = 11.8


def middle(rows):
    """Those neither fastest nor slowest: the machine's own host takes the CPU
    away now and then, for seconds."""
    rows = sorted(rows, key=lambda row: row["runtime_s"])
    return rows[1:-1] if len(rows) > 2 else rows


class Campaign:
    def __init__(self, directory):
        with open(os.path.join(directory, "about.json")) as file:
            self.about = json.load(file)
        with open(os.path.join(directory, "runs.jsonl")) as file:
            self.rows = [json.loads(line) for line in file]
        self.programs = [p for p in PROGRAMS if self.of("none", p)]
        self.cases = [c for c in CASES if any(row["case"] == c.name
                                              for row in self.rows)]

    def of(self, case, program=None):
        return [row for row in self.rows if row["case"] == case
                and program in (None, row["program"])]

    def times(self, case, program):
        return [row["runtime_s"] for row in self.of(case, program)]

    def time(self, case, program):
        return mean(row["runtime_s"]
                    for row in middle(self.of(case, program)))

    @staticmethod
    def kind(name):
        return next(case.kind for case in CASES if case.name == name)

    def sensed(self, case):
        """Share of a CPU by node, as a process of known work had it."""
        shares = [row["sensed"] for row in self.of(case)]
        return [mean(of_node) for of_node in zip(*shares)]


def share_set(about, case, node):
    return about["cap"] / 100 / (1 + case.loads.get(node, 0))


def late_s(about, cycle):
    """How much longer a cycle is than i + b / a: this long its process waits
    for a turn after its sleep."""
    share = about["cap"] / 100 / (1 + cycle["competitors"])
    return cycle["cycle"] - cycle["sleep"] - cycle["work"] / share


def turn_s(about, most=math.inf):
    """The same for each competitor, of up to so many: each takes its turn
    first."""
    return max(median(late_s(about, cycle) / cycle["competitors"]
                      for cycle in about["cycles"]
                      if 0 < cycle["competitors"] <= most), 0)


def collectord_scheduler(about):
    """(credit_s, turn_s) as collectord measures them.  Campaigns from before it
    did have the same phases beside one competitor among their cycles, on the
    same nodes: what its probe would have found follows from these."""
    if "scheduler" in about:
        kept = about["scheduler"]
        return kept["credit_s"], kept["turn_s"]
    one = [c for c in about["cycles"] if c["competitors"] == 1]
    alone = about["cap"] / 100
    late = median(late_s(about, cycle) for cycle in one)
    return max(-late, 0) / (1 / alone), max(late, 0)


def known_scheduler(about):
    """(credit_s, turn_s) as far as the experiment knows: from cycles beside up
    to three competitors, and the source of this kernel, which gives nothing
    back."""
    return 0, turn_s(about)


def profile_lines(campaign, program, shares):
    """The mean over the middle runs with nothing shared.  What was outside of
    MPI is busy, by the CPU's clock, or ready; what was in MPI is idle, and CPU
    time of that was spun away."""
    rows = middle(campaign.of("none", program))
    nodes = campaign.about["nodes"]
    lines = [f"profile {mean(row['runtime_s'] for row in rows)} {nodes}"]
    for i in range(nodes):
        seen = [row["seen"][i] for row in rows]
        busy = mean(s["cpu"] - s["mpi_cpu"] for s in seen)
        wall = mean(s["seconds"] - s["mpi_seconds"] for s in seen)
        lines.append(f"node {busy} {max(wall - busy, 0)} "
                     f"{mean(s['mpi_seconds'] for s in seen)} "
                     f"{mean(s['mpi_cpu'] for s in seen)} nan {shares[i]}")
    rate = campaign.about["bandwidth_bps"] * PAYLOAD
    for i in range(nodes):
        for to, sent in rows[-1]["seen"][i]["to"].items():
            numbers = " ".join(map(str, sent))
            lines.append(f"pair {i} {to} {numbers} {rate} nan")
    return lines


def busy_s(rows):
    """CPU time of each node's own work, which is the same in all runs of a
    program: the faster the CPU, the less."""
    return [mean(row["seen"][i]["cpu"] - row["seen"][i]["mpi_cpu"]
                 for row in rows) for i in range(len(rows[0]["seen"]))]


def setting_lines(campaign, case, shares, speeds, scheduler):
    rate = campaign.about["bandwidth_bps"] * PAYLOAD
    credit_s, each_turn_s = scheduler(campaign.about)
    lines = [f"now {credit_s} {each_turn_s}"]
    for i, (share, speed) in enumerate(zip(shares, speeds)):
        lines.append(f"at {i} {share} {speed}")
    lines += [f"link {i} {rate * part} nan" for i, part in case.slow.items()]
    return lines + ["predict"]


def predicted(build, lines):
    out = subprocess.run([os.path.join(build, "bin/sharing-predict")],
                         check=True, input="\n".join(lines) + "\n", text=True,
                         stdout=subprocess.PIPE).stdout
    return [float(line.split()[0]) for line in out.splitlines()]


def speeds(campaign, case, program):
    """Of each node's CPU in these runs, against those of the profile."""
    before = busy_s(middle(campaign.of("none", program)))
    now = busy_s(middle(campaign.of(case.name, program)))
    return [b / n for b, n in zip(before, now)]


# What the model is given for a case: shares of CPUs and links as they were
# set; those of CPUs as a small process got them before the runs; or
# as they were set, but CPUs as fast as in the very runs.
VIEWS = ("set", "measured", "at speed")


def view_of(campaign, view, case, program):
    """By node: its CPU's share, and its speed against that in the profile."""
    nodes = range(campaign.about["nodes"])
    shares = (campaign.sensed(case.name) if view == "measured" else
              [share_set(campaign.about, case, i) for i in nodes])
    if view == "at speed":
        return shares, speeds(campaign, case, program)
    return shares, [math.nan for i in nodes]


def predictions(build, campaign, view, scheduler=known_scheduler):
    """{(case, program): seconds}"""
    result = {}
    for program in campaign.programs:
        cases = [c for c in campaign.cases if campaign.of(c.name, program)]
        shares, _ = view_of(campaign, view, CASES[0], program)
        lines = profile_lines(campaign, program, shares)
        for case in cases:
            lines += setting_lines(campaign, case, *view_of(
                campaign, view, case, program), scheduler)
        for case, s in zip(cases, predicted(build, lines)):
            result[case.name, program] = s
    return result


class Result:
    """Of one program in one case; predicted_s and error in percent by view."""

    def __init__(self, campaign, case, program, predicted_s):
        times = campaign.times(case.name, program)
        self.case, self.program = case, program
        self.measured_s = campaign.time(case.name, program)
        self.deviation = stdev(times) / mean(times) if len(times) > 1 else 0
        self.base_s = campaign.time("none", program)
        self.predicted_s = predicted_s
        self.error = {view: 100 * (s / self.measured_s - 1)
                      for view, s in predicted_s.items()}


def results(build, campaign):
    by_view = {view: predictions(build, campaign, view) for view in VIEWS}
    return [Result(campaign, case, program,
                   {view: by_view[view][case.name, program]
                    for view in VIEWS})
            for case in campaign.cases for program in campaign.programs
            if campaign.times(case.name, program)]


def mean_error(all_results, kind, view="set"):
    errors = [abs(r.error[view]) for r in all_results if r.case.kind == kind]
    return mean(errors) if errors else math.nan


def noise(campaign, kind):
    """How far a single run of such cases is from the mean of its repeats."""
    parts = []
    for case in campaign.cases:
        for program in campaign.programs if case.kind == kind else ():
            times = campaign.times(case.name, program)
            parts += [abs(t / mean(times) - 1) for t in times]
    return 100 * mean(parts) if parts else math.nan


def largest(all_results, view="set"):
    return max((abs(r.error[view]) for r in all_results
                if r.case.kind in PAPER), default=math.nan)


def bars(campaign, all_results):
    values = []
    for view, suffix in (("set", ""), ("at speed", "_at_speed")):
        values += [(f"sharing_{kind}{suffix}_pct",
                    mean_error(all_results, kind, view))
                   for kind in (*PAPER, "many", "again")]
        values.append((f"sharing_max{suffix}_pct", largest(all_results, view)))
    values.append(("sharing_noise_pct", noise(campaign, "none")))
    values += [(f"sharing_noise_{kind}_pct", noise(campaign, kind))
               for kind in PAPER]
    return [f"bar {name} {value:.2f}" for name, value in values]
