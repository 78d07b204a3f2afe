#!/bin/bash --login
#SBATCH --nodes=1
#SBATCH --tasks-per-node=128
module load castep/22.11
export OMP_NUM_THREADS=1
srun --distribution=block:block castep.mpi NaCl
