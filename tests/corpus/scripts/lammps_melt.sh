#!/bin/bash -l
#SBATCH --ntasks=64
#SBATCH --time=04:00:00
module load lammps/2Aug2023

srun lmp -in in.melt -var N 40 -var steps 20000 -log log.$SLURM_JOB_ID -sf omp
