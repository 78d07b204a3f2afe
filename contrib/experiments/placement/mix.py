# SPDX-License-Identifier: GPL-2.0-or-later
"""mix.py - which jobs arrive when: the six programs on two to four nodes

Every round has each kind of job, a program on a number of nodes, in an order
and at random times that are the same for both schedulers.
"""

import dataclasses
import random

from plan import Program

SIZES = (2, 3, 4)   # nodes of a job
LIMIT_MIN = "4"
GAPS = (0.4, 1.6)   # between two jobs, as multiples of the mean

# Arguments, and steps for each node of a job: its work grows with its nodes.
# How many it has is fitted to the machine.  Sizes of messages are those of
# experiment-sharing.
PROGRAMS = {
    "nbody": Program(("-n", "6000"), "-s", 5),
    "heat": Program(("-n", "3000"), "-i", 55),
    "cg": Program(("-n", "8000", "-z", "1000"), "-i", 42),
    "isort": Program(("-n", "600000", "-w", "100"), "-i", 3),
    "pipeline": Program(("-b", "50", "-w", "600000"), "-n", 58),
    "ep": Program((), "-n", 510),
}
# Run time of a program that shares nothing; mpirun's start adds to it.
RUN_S = 3


@dataclasses.dataclass
class Job:
    number: int
    program: str
    nodes: int
    steps: int            # of its program
    due_s: float = 0      # after the begin of the round
    job_id: int = 0
    submitted_s: float = 0

    def words(self):
        """As sbatch wants it, without the script's path and arguments."""
        return ("-N", str(self.nodes), "--ntasks-per-node=1", "-t", LIMIT_MIN,
                "-J", self.program, "-o", "/dev/null")

    def arguments(self):
        arguments, option, _ = PROGRAMS[self.program]
        return (*arguments, option, str(self.steps))


def kinds():
    return [(program, nodes) for nodes in SIZES for program in PROGRAMS]


def usual_steps():
    """By program, for each node of a job."""
    return {name: program.steps for name, program in PROGRAMS.items()}


def arrivals(count, gap_s, seed, steps):
    """`count` jobs, `gap_s` apart in the mean; `steps` by program, for each
    node of a job."""
    dice = random.Random(seed)
    deck = []
    while len(deck) < count:
        some = kinds()
        dice.shuffle(some)
        deck += some
    jobs, due_s = [], 0.0
    for number, (program, nodes) in enumerate(deck[:count]):
        jobs.append(Job(number, program, nodes, steps[program] * nodes, due_s))
        due_s += gap_s * dice.uniform(*GAPS)
    return jobs
