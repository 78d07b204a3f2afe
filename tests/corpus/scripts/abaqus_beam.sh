#!/bin/bash
#SBATCH --job-name=beam04
#SBATCH --licenses=abaqus@lmgr:12
#SBATCH --cpus-per-task=8
unset SLURM_GTIDS
module load abaqus/2022

abaqus job=beam04 input=beam04.inp user=umat.f cpus=8 scratch=$TMPDIR memory="90 %" interactive ask_delete=OFF
