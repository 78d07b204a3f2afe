# SPDX-License-Identifier: GPL-2.0-or-later
"""plan.py - which jobs are run, in which order

As in the experiment of Lee and Schopf: problem sizes and numbers of processors
by chance.  The two applications take turns by chance, too.
"""

import dataclasses
import random


@dataclasses.dataclass
class Application:
    name: str
    script: str     # below contrib/
    sizes: range    # of -n
    fixed: tuple    # further arguments


APPLICATIONS = (
    Application("nbody", "mpi/nbody.sbatch", range(2000, 13001, 100),
                ("-s", "10")),
    Application("heat", "mpi/heat.sbatch", range(1000, 4001, 50),
                ("-i", "160")),
)


@dataclasses.dataclass
class Job:
    application: Application
    size: int
    processes: int
    job_id: int = 0
    nodes: tuple = ()
    submitted_s: float = 0
    known_s: float = 0   # when predictd had stored its end
    state: str = ""

    def arguments(self):
        return ("-n", str(self.size), *self.application.fixed)


def processors(runs, most, dice):
    """`runs` numbers from 1 to `most` by chance, each about as often."""
    deck = []
    while len(deck) < runs:
        deck += dice.sample(range(1, most + 1), most)
    return deck[:runs]


def plan(runs, nodes, seed):
    """`runs` jobs, as many of each application, on 1 to `nodes` nodes."""
    dice = random.Random(seed)
    each = runs // len(APPLICATIONS)
    queues = [[Job(application, dice.choice(application.sizes), processes)
               for processes in processors(each, nodes, dice)]
              for application in APPLICATIONS]
    jobs = []
    while any(queues):
        queue = dice.choice([queue for queue in queues if queue])
        jobs.append(queue.pop(0))
    return jobs
