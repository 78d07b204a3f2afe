"""plan.py - which programs run how, and in which order"""

from collections import namedtuple

# About five seconds each where nobody shares anything.  Processes compute for
# some 10 ms and more at a stretch, as the programs of the paper do.
PROGRAMS = {
    "nbody": ("-n", "10000", "-s", "10"),
    "heat": ("-n", "5000", "-i", "144"),
    "cg": ("-n", "10000", "-z", "2000", "-i", "136"),
    "isort": ("-n", "1000000", "-w", "120", "-i", "11"),
    "pipeline": ("-n", "480", "-b", "50", "-w", "800000"),
    "ep": ("-n", "4800"),
}

# loads: competing processes by node; slow: by node, what is left of the
# bandwidth of its link.
Case = namedtuple("Case", "name kind repeats loads slow text")

CASES = (
    Case("none", "none", 5, {}, {}, "nothing shared"),
    Case("load", "load", 5, {1: 1}, {}, "a competitor on one node"),
    Case("link", "link", 5, {}, {1: .1}, "one link at a tenth"),
    Case("both", "both", 5, {1: 1}, {1: .1}, "both on the same node"),
    Case("loads 1+1", "many", 2, {1: 1, 2: 1}, {}, "one each on two nodes"),
    Case("loads 1+2", "many", 2, {0: 1, 3: 2}, {}, "one and two on two nodes"),
    Case("load 2", "many", 2, {1: 2}, {}, "two competitors on one node"),
    Case("load 3", "many", 2, {1: 3}, {}, "three competitors on one node"),
)

ROUNDS = max(case.repeats for case in CASES)


def plan(only, repeats):
    """(round, case, program) in their order: the repeats of a case are far
    apart and those of different cases side by side, so that what changes slowly
    on the machine changes all of them."""
    return [(number, case, program)
            for number in range(ROUNDS) for case in CASES
            if number < min(case.repeats, repeats)
            for program in PROGRAMS if program in only]
