# SPDX-License-Identifier: GPL-2.0-or-later
"""setting.py - which programs run where, traced or not"""

from collections import namedtuple

RANKS = 4
RUN_S = 5   # what a run takes with a rank on each node

# Arguments, the option for the number of steps, and the number of a first run
# that measures a step.
Program = namedtuple("Program", "name arguments option steps")

PROGRAMS = {
    "nbody": Program("nbody", ("-n", "10000"), "-s", 4),
    "heat": Program("heat", ("-n", "6000"), "-i", 20),
    "cg": Program("cg", ("-n", "16000", "-z", "3750"), "-i", 20),
    "isort": Program("isort", ("-n", "1000000", "-w", "120"), "-i", 6),
    "pipeline": Program("pipeline", ("-b", "50", "-w", "800000"), "-n", 200),
    "ep": Program("ep", (), "-n", 2400),
    "heat-uneven": Program("heat", ("-n", "6000", "-u"), "-i", 20),
    "sweep": Program("sweep", ("-w", "10000"), "-n", 80),
    "clients": Program("clients", ("-w", "200"), "-n", 5),
    "tiles": Program("tiles", ("-b", "65536", "-w", "30000"), "-n", 30),
}
FARMS = "sweep", "tiles"

# Programs of others, below the folder of build_apps.  They are as large as they
# are.
APPS = {
    "lu": "npb/bin/lu.W.x",
    "cg": "npb/bin/cg.A.x",
    "mg": "npb/bin/mg.A.x",
    "ft": "npb/bin/ft.A.x",
    "sp": "npb/bin/sp.W.x",
    "bt": "npb/bin/bt.W.x",
    "minife": "minife/src/miniFE.x -nx 50",
    "comd": "bin/CoMD-mpi -d pots -x 20 -y 20 -z 20 -i 2 -j 2 -N 60",
}

# Ranks on nodes, as spredict whatif --place has them.  The first is traced.
RECORDED = "n1:1,n2:1,n3:1,n4:1"
PLACEMENTS = ("n1:2,n2:2", "n1:3,n2:1", "n1:1,n2:2,n3:1", "n1:2,n2:1,n3:1",
              "n1:4")

# Of those of others a trace of each of these is replayed in all others.
APP_TRACES = PLACEMENTS[0], RECORDED

# Whose ranks spin while they wait, and where.
SPINNING = "heat", "cg"
SPINNING_PLACEMENTS = PLACEMENTS[:2]

# A server's procedures, each moved to its clients: by the trace, and
# really (-m).
PROCEDURES = {"serve_first": 1, "serve_second": 2}
# Work between two messages is long against a period of the quotas, of which
# who waits and polls spends a part; runs are so long that it is not only a
# few requests.
CLIENTS = "clients"
CLIENTS_RUN_S = 12

# Nodes of unequal speed: shares of a core, and the placements that are measured
# beside the best one that is found.
UNEQUAL = .40, .40, .20, .20
UNEQUAL_PROGRAMS = "heat-uneven",
ORDERS = ("0123", "1023", "2013", "3012", "1203", "0213", "2301", "1320",
          "0321", "3210", "2130", "1032")


def nodes_of(placement):
    """By rank, the node."""
    nodes = []
    for part in placement.split(","):
        name, count = part.split(":")
        nodes += [name] * int(count)
    return nodes


def order_nodes(order):
    """Rank i on the node at place i of the order."""
    return [f"n{int(digit) + 1}" for digit in order]
