#!/bin/bash
#SBATCH --mem 8G
cd ~/projects/mcmc
R --vanilla --slave < mcmc.R > mcmc_$SLURM_JOB_ID.out 2>&1
