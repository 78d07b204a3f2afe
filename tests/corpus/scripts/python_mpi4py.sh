#!/bin/bash
#SBATCH --ntasks=48
module load python/3.10 openmpi/4.1
srun --mpi=pmix python3 -m mpi4py diffusion.py 1024 1024 --steps=5000
