#!/bin/bash
#SBATCH -J si.scf
#SBATCH -N 1
#SBATCH --ntasks-per-node=28
module load quantum-espresso/7.1

srun pw.x -nk 4 -ndiag 16 -in si.scf.in > si.scf.out
