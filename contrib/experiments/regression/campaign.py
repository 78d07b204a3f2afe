# SPDX-License-Identifier: GPL-2.0-or-later
"""campaign.py - one series of jobs under one kind of load, from start to end

Jobs run side by side on nodes of their own; the next one of the plan is
submitted as soon as enough nodes are free, onto some of these by chance.  So
the query point is what Lee and Schopf have: the nodes are known.  A node is
free again once predictd has stored how its job ended, and not before.
"""

import os
import time

from plan import plan
from stack import CONTRIB, WANDER

POLL_S = 0.2
SETTLE_S = 8      # until all nodes have been measured several times
LOST_S = 300      # a job that takes longer, waiting included, has failed
LIMIT_MIN = "4"   # of each job
OVERTAKERS = 3    # smaller jobs may go before one that waits for its nodes


class Campaign:
    def __init__(self, stack, nodes, jobs, dice, say):
        self.stack = stack
        self.free = {f"n{i + 1}" for i in range(nodes)}
        self.waiting = list(jobs)
        self.running = []
        self.ended = []
        self.overtaken = 0   # how often the first one that waits was
        self.dice = dice
        self.say = say

    def submit(self, job):
        job.nodes = tuple(self.dice.sample(sorted(self.free), job.processes))
        job.job_id = self.stack.sbatch(
            "-N", str(job.processes), "--ntasks-per-node=1",
            "-w", ",".join(job.nodes), "-t", LIMIT_MIN, "-o", "/dev/null",
            "-J", job.application.name,
            os.path.join(CONTRIB, job.application.script), *job.arguments())
        job.submitted_s = time.time()
        self.free -= set(job.nodes)
        self.running.append(job)

    def look_after(self, job):
        """Whether the job has ended."""
        reply = self.stack.get(f"/v1/jobs/{job.job_id}")
        state = reply["job"]["state"] if reply else "PENDING"
        lost = time.time() - job.submitted_s > LOST_S
        if state in ("PENDING", "RUNNING") and not lost:
            return False
        if lost:
            self.stack.scancel(job.job_id)
            state = "LOST"
        job.state = state
        job.known_s = time.time()
        self.ended.append(job)
        self.say(job, reply, len(self.ended),
                 len(self.waiting) + len(self.running) - 1)
        return True

    def next(self):
        """The next job that can start now, or None."""
        for i, job in enumerate(self.waiting):
            if job.processes <= len(self.free):
                self.overtaken = self.overtaken + 1 if i else 0
                return self.waiting.pop(i)
            if self.overtaken == OVERTAKERS:
                return None
        return None

    def run(self):
        """All jobs; those that ended, well or not."""
        while self.waiting or self.running:
            for job in [j for j in self.running if self.look_after(j)]:
                self.running.remove(job)
                self.free |= set(job.nodes)
            job = self.next()
            if job:
                self.submit(job)
            else:
                time.sleep(POLL_S)
        return self.ended


def background(stack, series, step_s, directory):
    """Let each node follow its series, all from the same time on."""
    start = f"{time.time():.3f}"
    for i, loads in enumerate(series):
        path = os.path.join(directory, f"n{i + 1}.loads")
        with open(path, "w") as file:
            file.writelines(f"{load:.2f}\n" for load in loads)
        stack.spawn(f"n{i + 1}", WANDER,
                    "-s", str(step_s), "-o", start, path)
    time.sleep(SETTLE_S)


def campaign(stack, nodes, runs, dice, say):
    return Campaign(stack, nodes, plan(runs, nodes, dice.random()), dice,
                    say).run()
