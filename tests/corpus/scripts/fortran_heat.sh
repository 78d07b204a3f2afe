#!/bin/bash
#SBATCH --ntasks=8
NX=4096
NY=2048
STEPS=10000
module load gcc/12 openmpi

mpif90 -O3 -o heat3d.x heat3d.f90
srun ./heat3d.x $NX $NY $STEPS
