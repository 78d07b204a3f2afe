#!/bin/bash
#SBATCH -J c60
#SBATCH -c 8
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
ulimit -s unlimited
cp dftb_in_c60.hsd dftb_in.hsd
dftb+ | tee c60.out
