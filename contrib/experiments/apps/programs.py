# SPDX-License-Identifier: GPL-2.0-or-later
"""programs.py - the programs, their inputs, and the sizes that users choose

GROMACS and LAMMPS are Debian's, heat and cg are tests/workloads' in Fortran.  A
size is a number from 0 to SIZES - 1; with more nodes users choose more work, so
that a run takes some seconds of CPU time on each node.
"""

import os
import subprocess

SIZES = 4
NODES = (1, 2, 4)  # of a job

MELT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 $n 0 $n 0 $n
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neigh_modify every 20 delay 0 check no
fix 1 all nve
run ${steps}
"""

TOPOLOGY = """#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
water
[ molecules ]
"""

WATER = """integrator = md
dt = 0.001
nsteps = 200
cutoff-scheme = Verlet
coulombtype = reaction-field
rcoulomb = 0.9
rvdw = 0.9
gen-vel = yes
"""

# Placeholders: the folder of inputs, and that of our own programs.
COMMANDS = {
    "lammps": "lmp -log none -in {inputs}/melt.in",
    "gromacs": "gmx_mpi -quiet mdrun -s {inputs}/water.tpr",
    "heat": "{bin}/heat-fortran",
    "cg": "{bin}/cg-fortran",
}

SCRIPT = """#!/bin/bash
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self
export OMPI_MCA_btl_tcp_if_include=eth0 OMPI_MCA_oob_tcp_if_include=eth0
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMP_NUM_THREADS=1
cd "$(mktemp -d)" || exit
trap 'rm -rf "$PWD"' EXIT
mpirun --bind-to none -np "$SLURM_NTASKS" {command} "$@"
"""


def arguments(program, size, nodes):
    """What the user types after the script's name."""
    choices = {
        "lammps": ("-var", "n", 12 + 2 * size, "-var", "steps", 75 * nodes),
        "gromacs": ("-nsteps", (50 + 25 * size) * nodes),
        "heat": ("-n", 1000 + 200 * size, "-i", 150 * nodes),
        "cg": ("-n", (12000 + 3000 * size) * nodes, "-i", 400),
    }
    return [str(word) for word in choices[program]]


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def gmx(inputs, *words):
    done = subprocess.run(["gmx", "-quiet", *words], cwd=inputs, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise RuntimeError(f"gmx {words[0]}: {done.stdout}")


def write_inputs(inputs):
    """Into an existing folder: the melt, and a box of water."""
    write(os.path.join(inputs, "melt.in"), MELT)
    write(os.path.join(inputs, "topol.top"), TOPOLOGY)
    write(os.path.join(inputs, "water.mdp"), WATER)
    gmx(inputs, "solvate", "-cs", "spc216.gro", "-o", "water.gro",
        "-box", "5", "5", "5", "-p", "topol.top")
    # The box has no charge groups and no extra atoms; grompp warns of that.
    gmx(inputs, "grompp", "-f", "water.mdp", "-c", "water.gro", "-p",
        "topol.top", "-o", "water.tpr", "-maxwarn", "5")


def write_scripts(inputs, build):
    """A batch script of each program; gives their paths."""
    scripts = {}
    for program, command in COMMANDS.items():
        scripts[program] = os.path.join(inputs, f"{program}.sh")
        write(scripts[program], SCRIPT.format(command=command.format(
            inputs=inputs, bin=os.path.join(build, "bin"))))
    return scripts
