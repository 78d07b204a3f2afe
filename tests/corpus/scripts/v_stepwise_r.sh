#!/bin/sh
#SBATCH -t 600
for chain in 1 2 3 4; do
   Rscript stan_fit.R $chain 4000 1000 &
done
wait
