#!/bin/bash
#SBATCH -n 16
img=dolfinx_0.7.sif
srun --mpi=pmi2 singularity exec $img python3 poisson3d.py --n=128 --degree=2
