"""pace.py - how fast the CPUs were during a run, as pace.c saw it"""

import os
import subprocess
from statistics import mean


class Pace:
    """Looks at these CPUs as long as it is open."""

    def __init__(self, build, cpus, path):
        self.words = [os.path.join(build, "bin/pace"), *map(str, cpus)]
        self.path = path

    def __enter__(self):
        with open(self.path, "w") as file:
            self.process = subprocess.Popen(self.words, stdout=file,
                                            stdin=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def between(self, begin_s, end_s):
        """By CPU the mean of what was seen between these times of
        time.monotonic(); None if nothing was."""
        with open(self.path) as file:
            lines = [[float(word) for word in line.split()] for line in file
                     if line.endswith("\n")]
        seen = [paces for at, *paces in lines if begin_s <= at <= end_s]
        return [mean(of_cpu) for of_cpu in zip(*seen)] or None
