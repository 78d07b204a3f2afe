#!/bin/bash
#SBATCH -N 2 --ntasks-per-node=1
module load osu-micro-benchmarks
srun $OSU_HOME/libexec/osu-micro-benchmarks/mpi/pt2pt/osu_latency -m 4194304 -i 10000
