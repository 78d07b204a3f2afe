#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=18
#SBATCH --cpus-per-task=2
module load cp2k/2023.1
export OMP_NUM_THREADS=2
srun cp2k.psmp -i H2O-64.inp -o H2O-64.out
