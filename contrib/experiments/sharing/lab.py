# SPDX-License-Identifier: GPL-2.0-or-later
"""lab.py - four nodes whose CPUs and links are shared by the experiment's plan

A little cluster (contrib/cluster) without predictd: conditions are set here, so
they are known.  A node has 30 % of a core, so that two on a core leave some
time to spare; its processes keep to one core, so that those that compete do so
for the same one.  Nodes on a core have it in turn, so that none waits for
another, or finds its caches full of the other's.  A link is a node's way to the
bridge, shaped in both directions.
"""

import os
import random
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.realpath(__file__))
CONTRIB = os.path.realpath(os.path.join(HERE, "../.."))
CLUSTER = os.path.join(CONTRIB, "cluster/cluster")

NODES = 4
CORES = sorted(os.sched_getaffinity(0))
CAP = 30                  # percent of a core
BANDWIDTH_BPS = 100e6     # of a link that nobody shares
BURST_S = 4e-4            # at full rate in one go: small against a message
PACKET = 1514             # bytes of one
BURST_MIN = 1600          # has room for one
QUEUE = 4 << 20           # bytes that wait for it: nothing is lost
JOINED_S = 4e-4           # packets that the kernel sends as one, at most
LOST_S = 120
POLL_S = 0.05
SETTLE_S = 0.5            # after a change
TICK_US = 500             # to keep quotas exactly


class Failed(Exception):
    """A run without a result."""


def called(*words):
    """Run it to its end; what it printed."""
    return subprocess.run(words, check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True).stdout


class Lab:
    def __init__(self, directory, build):
        self.directory = directory
        self.build = build
        self.runs = 0
        self.loads = {}
        self.slow = {}
        self.ticks = []

    def cluster(self, command, *words):
        return called(CLUSTER, command, self.directory, *words)

    def __enter__(self):
        os.environ["PATH"] = f"{os.environ['PATH']}:{self.build}/bin"
        # Daemons keep what they inherit: no pipe for these.
        subprocess.run([CLUSTER, "up", self.directory, "--nodes", str(NODES),
                        "--cap", str(CAP), "--cpus", "1", "--weight", "10000"],
                       check=True, stdin=subprocess.DEVNULL)
        try:
            text = self.cluster("env")
            self.base = re.search(r"CLUSTER_BASE=(\S+)", text).group(1)
            with open(self.group("cpu", 0, "cpu.cfs_period_us")) as file:
                self.period_us = int(file.read())
            self.pin()
            for core in CORES:
                self.tick(core)
            for i in range(NODES):
                self.congestion_control(i)
                self.shape(i, BANDWIDTH_BPS)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.ticks:
            process.kill()
            process.wait()
        self.cluster("down")

    def tick(self, core):
        """Have quotas on a core kept exactly: see tests/experiments/tick.c."""
        process = subprocess.Popen([f"{self.build}/bin/tick", str(core),
                                    str(TICK_US)], stdout=subprocess.PIPE)
        self.ticks.append(process)
        if not process.stdout.readline():
            raise Failed(f"no tick on core {core}")

    def machine_pids(self):
        """(node, pid) of every process of the cluster's nodes."""
        for line in self.cluster("pids").splitlines():
            machine, pid = line.split()[:2]
            if machine != "ctl":
                yield int(machine[1:]) - 1, int(pid)

    def core(self, node):
        return CORES[node % len(CORES)]

    def pin(self):
        for node, pid in self.machine_pids():
            try:
                os.sched_setaffinity(pid, {self.core(node)})
            except ProcessLookupError:
                pass

    def congestion_control(self, node):
        """What most machines use, whatever this one's default is."""
        name = f"n{node + 1}"
        route = self.cluster("node", name, "ip", "route", "show", "dev", "eth0")
        self.cluster("node", name, "ip", "route", "replace", *route.split(),
                     "dev", "eth0", "congctl", "cubic")

    def shape(self, node, bandwidth_bps):
        """Both directions of a node's link."""
        burst = max(BURST_MIN, round(bandwidth_bps / 8 * BURST_S))
        rule = ["root", "tbf", "rate", f"{bandwidth_bps:.0f}bit", "burst",
                str(burst), "limit", str(QUEUE)]
        # The kernel joins packets up to 64 KB: on a slow link such a segment
        # would keep those of others waiting as no packet of a real one does.
        joined = 1 + int(bandwidth_bps / 8 * JOINED_S / PACKET)
        self.cluster("node", f"n{node + 1}", "ip", "link", "set", "eth0",
                     "gso_max_segs", str(joined))
        self.cluster("node", f"n{node + 1}", "tc", "qdisc", "replace", "dev",
                     "eth0", *rule)
        self.cluster("run", "tc", "qdisc", "replace", "dev", f"vn{node + 1}",
                     *rule)

    def load(self, node, processes):
        """Exactly this number of competing processes on a node."""
        self.cluster("load", f"n{node + 1}", str(processes))

    def set(self, loads, slow):
        """loads: competitors by node; slow: share of its bandwidth by link."""
        if loads == self.loads and slow == self.slow:
            return
        for node in range(NODES):
            if loads.get(node, 0) != self.loads.get(node, 0):
                self.load(node, loads.get(node, 0))
            if slow.get(node, 1) != self.slow.get(node, 1):
                self.shape(node, BANDWIDTH_BPS * slow.get(node, 1))
        self.loads, self.slow = dict(loads), dict(slow)
        self.pin()
        time.sleep(SETTLE_S)

    def group(self, controller, node, name):
        """A file of a node's control group."""
        return (f"/sys/fs/cgroup/{controller}/{os.path.basename(self.base)}/"
                f"n{node + 1}/{name}")

    def begin_periods(self, node, begin_us):
        """When those of a node's quota begin: see phase."""
        try:
            self.cluster("node", f"n{node + 1}", "taskset", "-c",
                         str(self.core(node)), os.path.join(HERE, "phase"),
                         self.group("cpu", node, "cpu.cfs_period_us"),
                         str(self.period_us), str(round(begin_us)))
        except subprocess.CalledProcessError as error:
            raise Failed(f"{error}: {error.output.strip()}") from error

    def draw_phases(self):
        """When the periods of quotas begin stays as it was when the groups were
        made, and matters: draw it anew.  But those of nodes on one core begin
        as far apart as can be, so that these have it in turn."""
        drawn_us = [random.uniform(0, self.period_us) for _ in CORES]
        turns = -(-NODES // len(CORES))
        with ThreadPoolExecutor(len(CORES)) as pool:
            for turn in range(turns):
                nodes = range(NODES)[turn * len(CORES):][:len(CORES)]
                begin_us = [(drawn + self.period_us * turn / turns)
                            % self.period_us
                            for drawn in drawn_us]
                list(pool.map(self.begin_periods, nodes, begin_us))

    def cpu_s(self):
        """CPU time that each node has used so far."""
        seconds = []
        for i in range(NODES):
            with open(self.group("cpuacct", i, "cpuacct.usage")) as file:
                seconds.append(int(file.read()) / 1e9)
        return seconds

    def cycle(self, node, busy_ms, idle_ms, cycles):
        """What a process of known phases gets on a node: see cycle."""
        words = self.cluster("node", f"n{node + 1}", "taskset", "-c",
                             str(self.core(node)),
                             os.path.join(HERE, "cycle"),
                             str(busy_ms), str(idle_ms), str(cycles)).split()
        return dict(zip(words[::2], map(float, words[1::2])))

    def scheduler(self, node):
        """What collectord's probe measures on a node: turn_s and credit_s."""
        words = self.cluster("node", f"n{node + 1}", "taskset", "-c",
                             str(self.core(node)),
                             os.path.join(self.build, "bin/sharing-scheduler"),
                             str(CAP / 100)).split()
        return dict(zip(words[::2], map(float, words[1::2])))

    def run(self, program, arguments, environment):
        """Run it on all nodes by sbatch, with these variables for each of its
        processes; the run time that it printed, in seconds."""
        self.runs += 1
        out = os.path.join(self.directory, f"run{self.runs}.out")
        if os.path.exists(out):
            os.remove(out)   # an earlier campaign's
        script = os.path.join(CONTRIB, "mpi", f"{program}.sbatch")
        self.cluster("run", "sbatch", "-N", str(NODES), "--ntasks-per-node=1",
                     "-t", "3", "-o", out, "-J", program, "--wrap",
                     f"export OMPI_MCA_mca_base_env_list='{environment}'; "
                     f"bash {script} {' '.join(arguments)}; "
                     f"echo ended $?")
        until = time.monotonic() + LOST_S
        while time.monotonic() < until:
            time.sleep(POLL_S)
            try:
                with open(out) as file:
                    text = file.read()
            except FileNotFoundError:
                continue
            if "\nended " in text:
                break
        else:
            self.cluster("run", "scancel", "-n", program)
            raise Failed(f"{program}: lost")
        took = re.findall(r"([0-9.]+) s$", text, re.MULTILINE)
        if "\nended 0" not in text or "WRONG" in text or not took:
            raise Failed(f"{program}: {text.strip()}")
        return float(took[-1])
