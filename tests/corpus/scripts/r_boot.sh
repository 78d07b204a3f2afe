#!/bin/bash
#SBATCH -J boot
#SBATCH --cpus-per-task=1

module load R/4.2.1
Rscript --vanilla bootstrap.R --reps=10000 --seed 42 data/survey_2021-06.csv
