#!/bin/bash
#SBATCH --ntasks=112
#SBATCH --licenses=starccm:1
module load starccm/17.06.008
starccm+ -power -np 112 -rsh ssh -machinefile mf.$SLURM_JOB_ID -batch run.java duct_0815.sim
