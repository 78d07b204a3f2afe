#!/bin/bash
#SBATCH -c 6
export NSAMPLES=20000
export OMP_NUM_THREADS=6 MKL_NUM_THREADS=1
BURNIN=500 ./sampler model.stan
