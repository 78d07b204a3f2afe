#!/bin/bash
#SBATCH --mem=8G
module load python
EPOCHS=40
python train.py --epochs $EPOCHS --hidden 256
