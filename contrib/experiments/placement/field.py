# SPDX-License-Identifier: GPL-2.0-or-later
"""field.py - the nodes' CPUs and links, by a trace

On the nodes of contrib/stack.  A node's processes keep to one core, so that
those that compete do so for the same one; its load is `wander` within its CPU
cap, and its link is shaped in both directions.
"""

import os
import signal
import time

from lab import Lab
from conditions import STEP_S, at, quiet
from stack import WANDER

TAIL = 100   # steps for which the end of a trace is kept


def threads(pid):
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except FileNotFoundError:
        return []


class Field:
    def __init__(self, stack, nodes):
        self.stack = stack
        self.nodes = nodes
        self.lab = Lab(os.path.join(stack.directory, "cluster"), stack.build)
        self.steps = quiet(nodes)
        self.begun_s = 0.0
        self.bandwidths = [0.0] * nodes
        for node in range(nodes):
            self.lab.congestion_control(node)
        self.pin()
        self.follow()

    def pin(self):
        """All threads of all daemons: what they start inherits it."""
        for node, pid in self.lab.machine_pids():
            for thread in threads(pid):
                try:
                    os.sched_setaffinity(thread, {self.lab.core(node)})
                except ProcessLookupError:
                    pass

    def end_loads(self):
        for line in self.lab.cluster("pids").splitlines():
            _, pid, *words = line.split()
            if WANDER in words[:2]:
                try:
                    os.kill(int(pid), signal.SIGKILL)
                except ProcessLookupError:
                    pass   # went with its parent

    def load(self, node, loads):
        path = os.path.join(self.stack.directory, f"n{node + 1}.loads")
        with open(path, "w") as file:
            file.writelines(f"{load:.2f}\n" for load in loads)
        self.stack.spawn(f"n{node + 1}", "taskset", "-c",
                         str(self.lab.core(node)), WANDER, "-s",
                         str(STEP_S), "-o", f"{self.begun_s:.3f}", path)

    def begin(self, steps):
        """Follow a trace from now on; of a single step it keeps that."""
        self.end_loads()
        self.steps = steps
        self.begun_s = time.time()
        for node in range(self.nodes):
            loads = [m.loads[node] for m in steps + [steps[-1]] * TAIL]
            if any(loads):
                self.load(node, loads)
        self.follow()

    def follow(self):
        """Shape the links whose bandwidth has changed; call it often."""
        now = at(self.steps, time.time() - self.begun_s)
        for node, bandwidth in enumerate(now.bandwidths):
            if bandwidth != self.bandwidths[node]:
                self.lab.shape(node, bandwidth)
                self.bandwidths[node] = bandwidth

    def end(self):
        self.begin(quiet(self.nodes))

