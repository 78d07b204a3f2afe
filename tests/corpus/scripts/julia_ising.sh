#!/bin/bash
#SBATCH -c 12
export JULIA_NUM_THREADS=$SLURM_CPUS_PER_TASK
julia --project=. -O3 --threads 12 ising2d.jl 512 2.269 100000
