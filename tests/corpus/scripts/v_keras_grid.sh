#!/bin/bash
#SBATCH --array=0-8
LRS=(0.1 0.01 0.001)
BATCHES=(32 64 128)
LR=${LRS[$((SLURM_ARRAY_TASK_ID / 3))]}
BATCH=${BATCHES[$((SLURM_ARRAY_TASK_ID % 3))]}
python3 -u fit.py --lr $LR --batch $BATCH --epochs 200
