#!/bin/bash
#SBATCH --job-name=resnet50_bs256
#SBATCH --gres=gpu:a100:1
#SBATCH --output=logs/%x-%j.out

source ~/miniconda3/etc/profile.d/conda.sh
conda activate torch
export WANDB_MODE=offline
export PYTHONUNBUFFERED=1

nvidia-smi
python -u train.py --model resnet50 --epochs 90 --batch-size=256 --lr 0.1 \
    --weight-decay 1e-4 --data /scratch/imagenet
