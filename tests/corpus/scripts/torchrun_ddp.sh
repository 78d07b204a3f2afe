#!/bin/bash
#SBATCH --nodes=4 --gpus-per-node=8 --ntasks-per-node=1
export MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
export MASTER_PORT=29500
export NCCL_DEBUG=INFO
srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 --rdzv_id=$SLURM_JOB_ID \
     --rdzv_backend=c10d --rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT \
     pretrain_gpt.py --num-layers 24 --hidden-size 1024 --train-iters 500000
