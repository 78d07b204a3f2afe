#!/bin/bash
#SBATCH -N 1
#SBATCH --cpus-per-task=40
#SBATCH --gpus=2
module load namd/3.0b6-cuda

/apps/namd/3.0b6/namd3 +p40 +setcpuaffinity +devices 0,1 apoa1.namd > apoa1.log
