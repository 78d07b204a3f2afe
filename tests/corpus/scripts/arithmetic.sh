#!/bin/bash
#SBATCH -N 4
PER_NODE=250000
NODES=4
TOTAL=$((PER_NODE * NODES))
srun ./pic_code --particles $TOTAL --steps $(( 10 * 100 ))
