"""plan.py - which jobs are run, in which order

As in the experiment of Lee and Schopf: problem sizes and numbers of processors
at random.  The two applications take turns at random, too.
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
    Application("nbody", "nbody/nbody.sbatch", range(2000, 13001, 100),
                ("-s", "10")),
    Application("heat", "heat/heat.sbatch", range(1000, 4001, 50),
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


def plan(runs, nodes, seed):
    """`runs` jobs, as many of each application, on 1 to `nodes` nodes."""
    dice = random.Random(seed)
    jobs = [Job(application, dice.choice(application.sizes),
                dice.randint(1, nodes))
            for i in range(runs)
            for application in [APPLICATIONS[i % len(APPLICATIONS)]]]
    dice.shuffle(jobs)
    return jobs
