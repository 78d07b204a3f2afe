#!/bin/bash
#SBATCH -n 64
set -u
usage() { echo "usage: $0 MEMBERS"; exit 2; }
[ $# -ge 1 ] || usage
MEMBERS=$1

function launch {
    mpirun -np 64 ./esm.exe --members $1 --hours 72
}

launch "$MEMBERS"
