#!/bin/bash
#SBATCH --gres=gpu:4
python -m torch.distributed.launch --nproc_per_node=4 --master_port 29501 train.py --lr 0.1 --epochs 90
