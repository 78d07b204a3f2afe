# SPDX-License-Identifier: GPL-2.0-or-later
"""stack.py - slurm-predict on a little cluster of its own, for the experiment

With contrib/stack: a private PostgreSQL, predictd, slurmctld, and on each
virtual node slurmd and collectord.
"""

import http.client
import json
import os
import re
import shlex
import socket
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
CONTRIB = os.path.realpath(os.path.join(HERE, "../.."))
STACK = os.path.join(CONTRIB, "stack/stack")
CLUSTER = os.path.join(CONTRIB, "cluster/cluster")
WANDER = os.path.join(HERE, "wander")


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=5)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def called(*words):
    """Run it to its end; what it printed.  An exception if it failed."""
    return subprocess.run(words, check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True).stdout


class Stack:
    def __init__(self, directory, build, options):
        self.directory = directory
        self.build = build
        self.options = options

    def __enter__(self):
        os.environ["PATH"] = f"{self.build}/bin:{os.environ['PATH']}"
        try:
            # Daemons keep what they inherit: no pipe for these.
            subprocess.run([STACK, "up", self.directory, self.build,
                            *self.options], check=True)
        except BaseException:
            self.__exit__()
            raise
        with open(os.path.join(self.directory, "settings")) as file:
            self.settings = dict(line.strip().split("=", 1) for line in file)
        return self

    def __exit__(self, *_):
        subprocess.run([STACK, "down", self.directory], check=False)

    def setting(self, name):
        return "".join(shlex.split(self.settings[name]))

    def spawn(self, node, *words):
        """Start a process on a node, that lasts as long as the node."""
        subprocess.run([CLUSTER, "node", f"{self.directory}/cluster", node,
                        "setsid", "-f", *words], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def sbatch(self, *words):
        """Submit, as a user on the login node; the job's id."""
        output = called(CLUSTER, "run", f"{self.directory}/cluster", "sbatch",
                      *words)
        found = re.search(r"^Submitted batch job (\d+)$", output, re.M)
        if not found:
            raise RuntimeError(f"sbatch: {output}")
        return int(found.group(1))

    def scancel(self, job_id):
        called(CLUSTER, "run", f"{self.directory}/cluster", "scancel",
               str(job_id))

    def get(self, path):
        """predictd's reply; None: there is none."""
        connection = UnixConnection(f"{self.setting('run')}/predictd.sock")
        try:
            connection.request("GET", path)
            reply = connection.getresponse()
            body = reply.read()
            return json.loads(body) if reply.status == 200 else None
        except OSError:
            return None
        finally:
            connection.close()

    def query(self, sql):
        """The rows of a query that gives one JSON value in each."""
        text = called("psql", "-XAtq", "-v", "ON_ERROR_STOP=1",
                      self.setting("conninfo"), "-c", sql)
        return [json.loads(line) for line in text.splitlines()]
