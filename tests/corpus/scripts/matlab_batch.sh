#!/bin/bash
#SBATCH --mem=16G
#SBATCH -c 4
module load matlab/R2023a

matlab -nodisplay -nosplash -batch "addpath('lib'); N = 2000; run_simulation(N, 0.05)"
