#!/bin/bash
#SBATCH -N 2
#SBATCH --ntasks-per-node=64
module load qe
SRUN="srun --mpi=pmix --cpu-bind=cores"
$SRUN neb.x -ni 4 -inp neb.in > neb.out
