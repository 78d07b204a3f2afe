#!/bin/bash
#SBATCH -J atrium_fire
#SBATCH -n 12
source ~/FDS/FDS6/bin/FDS6VARS.sh
export OMP_NUM_THREADS=1
mpiexec -np 12 fds atrium.fds
