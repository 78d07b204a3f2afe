"""mix.py - which jobs arrive when: the six programs on two to four nodes

Every round has each kind of job, a program on a number of nodes, in an order
and at moments by chance that are the same for both schedulers.
"""

import dataclasses
import random

SIZES = (2, 3, 4)   # nodes of a job
LIMIT_MIN = "4"
GAPS = (0.4, 1.6)   # between two jobs, as multiples of the mean

# Arguments on so many nodes of 20 % of a core: about four seconds where nobody
# shares anything.  Sizes of messages are those of experiment-sharing; the work
# of a job grows with its nodes.
PROGRAMS = {
    "nbody": {n: ("-n", "6000", "-s", str(5 * n)) for n in SIZES},
    "heat": {n: ("-n", "3000", "-i", str(55 * n)) for n in SIZES},
    "cg": {n: ("-n", "8000", "-z", "1000", "-i", str(42 * n)) for n in SIZES},
    "isort": {n: ("-n", "600000", "-w", "100", "-i", str(3 * n))
              for n in SIZES},
    "pipeline": {n: ("-n", str(58 * n), "-b", "50", "-w", "600000")
                 for n in SIZES},
    "ep": {n: ("-n", str(510 * n),) for n in SIZES},
}


@dataclasses.dataclass
class Job:
    number: int
    program: str
    nodes: int
    due_s: float          # after the begin of the round
    job_id: int = 0
    submitted_s: float = 0

    def words(self):
        """As sbatch wants it, without the script's path and arguments."""
        return ("-N", str(self.nodes), "--ntasks-per-node=1", "-t", LIMIT_MIN,
                "-J", self.program, "-o", "/dev/null")

    def arguments(self):
        return PROGRAMS[self.program][self.nodes]


def kinds():
    return [(program, nodes) for nodes in SIZES for program in PROGRAMS]


def arrivals(count, gap_s, seed):
    """`count` jobs, `gap_s` apart in the mean."""
    dice = random.Random(seed)
    deck = []
    while len(deck) < count:
        some = kinds()
        dice.shuffle(some)
        deck += some
    jobs, due_s = [], 0.0
    for number, (program, nodes) in enumerate(deck[:count]):
        jobs.append(Job(number, program, nodes, due_s))
        due_s += gap_s * dice.uniform(*GAPS)
    return jobs
