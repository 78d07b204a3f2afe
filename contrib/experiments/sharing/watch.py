# SPDX-License-Identifier: GPL-2.0-or-later
"""watch.py - what libpredict_mpi.so saw of a run, node by node

For each node seconds, cpu, mpi_seconds and mpi_cpu of its process, and what it
sent to each other node: messages, bytes, replies, long messages.
"""

import os

SECONDS = ("seconds", "cpu", "mpi_seconds", "mpi_cpu")


def environment(build, directory):
    """As mpirun hands it to all processes."""
    os.makedirs(directory, exist_ok=True)
    for name in os.listdir(directory):
        os.remove(os.path.join(directory, name))
    return (f"LD_PRELOAD={build}/lib/libpredict_mpi.so;"
            f"PREDICT_MPI_DIR={directory}")


def read_process(path):
    process = {"to": {}}
    with open(path) as file:
        for line in file:
            word, *rest = line.split()
            if word == "node":
                process["node"] = int(rest[0][1:]) - 1
            elif word in SECONDS:
                process[word] = float(rest[0])
            elif word == "to":
                process["to"][int(rest[0][1:]) - 1] = [int(word)
                                                       for word in rest[1:]]
    return process


def read(directory, nodes):
    """A list by node; None if it is not complete."""
    seen = [read_process(os.path.join(directory, name))
            for name in os.listdir(directory) if name[0].isdigit()]
    by_node = {process.get("node"): process for process in seen}
    if sorted(by_node, key=str) != list(range(nodes)):
        return None
    return [by_node[i] for i in range(nodes)]
