#!/bin/bash
#SBATCH --gpus-per-node=1
for lr in 0.1 0.01 0.001; do
  for wd in 1e-4 5e-4; do
    python train_cifar.py --lr $lr --wd $wd --epochs 30
  done
done
