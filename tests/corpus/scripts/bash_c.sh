#!/bin/bash
#SBATCH -N 2 --ntasks-per-node=4 --gpus-per-node=4
srun bash -c 'export CUDA_VISIBLE_DEVICES=$SLURM_LOCALID; ./jacobi_gpu -nx 16384 -ny 16384 -niter 1000'
