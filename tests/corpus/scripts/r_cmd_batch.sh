#!/bin/bash
#SBATCH --mem 8G
cd ~/projects/mcmc
R CMD BATCH --no-save --no-restore "--args 5000 3" mcmc.R mcmc_${SLURM_JOB_ID}.Rout
