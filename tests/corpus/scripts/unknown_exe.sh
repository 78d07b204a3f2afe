#!/bin/bash
#SBATCH --job-name=siesta_Fe
module load siesta
date
srun $SIESTA_EXE Fe_run12.fdf
