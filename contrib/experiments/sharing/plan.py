# SPDX-License-Identifier: GPL-2.0-or-later
"""plan.py - which programs run how, and in which order"""

from collections import namedtuple

# Arguments, the option for the number of steps, and the number of a first run
# that measures a step.  But for the pipeline's, processes compute for some 60
# ms and more at a stretch, as those of the paper do (its Figure 3), which at 30
# % of a core is 20 ms of CPU time.
Program = namedtuple("Program", "arguments option steps")

PROGRAMS = {
    "nbody": Program(("-n", "10000"), "-s", 10),
    "heat": Program(("-n", "6000"), "-i", 60),
    "cg": Program(("-n", "16000", "-z", "3750"), "-i", 45),
    "isort": Program(("-n", "1000000", "-w", "120"), "-i", 11),
    "pipeline": Program(("-b", "50", "-w", "800000"), "-n", 480),
    "ep": Program((), "-n", 4800),
}
RUN_S = 5   # what a run takes where nobody shares anything, on any machine

# loads: competing processes by node; slow: by node, what is left of the
# bandwidth of its link.
Case = namedtuple("Case", "name kind repeats loads slow text")

# Every prediction rests on the first, which has the most repeats: what its mean
# is off by, all of them are.
CASES = (
    Case("none", "none", 16, {}, {}, "nothing shared"),
    Case("again", "again", 8, {}, {}, "nothing shared, once more"),
    Case("load", "load", 8, {1: 1}, {}, "a competitor on one node"),
    Case("link", "link", 8, {}, {1: .1}, "one link at a tenth"),
    Case("both", "both", 8, {1: 1}, {1: .1}, "both on the same node"),
    Case("loads 1+1", "many", 2, {1: 1, 2: 1}, {}, "one each on two nodes"),
    Case("loads 1+2", "many", 2, {0: 1, 3: 2}, {}, "one and two on two nodes"),
    Case("load 2", "many", 2, {1: 2}, {}, "two competitors on one node"),
    Case("load 3", "many", 2, {1: 3}, {}, "three competitors on one node"),
)


def arguments(program, steps):
    """As the program wants them."""
    return (*PROGRAMS[program].arguments, PROGRAMS[program].option, str(steps))


def fitted(steps, took_s, wanted_s):
    """The number of steps that take `wanted_s`, where `steps` took `took_s`."""
    return max(1, round(steps * wanted_s / took_s))


def plan(only, repeats):
    """(number of the repeat, case, program) in their order: the repeats of each
    case are spread evenly over the campaign, so that what changes slowly on the
    machine changes all of them."""
    rounds = []
    for i, case in enumerate(CASES):
        count = min(case.repeats, repeats)
        rounds += [((k + .5) / count, i, k) for k in range(count)]
    return [(k, CASES[i], program) for _, i, k in sorted(rounds)
            for program in PROGRAMS if program in only]
