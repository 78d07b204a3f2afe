#!/bin/bash
#SBATCH --array=1-500
PARAMS=$(awk "NR==${SLURM_ARRAY_TASK_ID}" params.txt)
OUT=out/$(printf %04d $SLURM_ARRAY_TASK_ID)
mkdir -p $OUT
./wealth_model $PARAMS --years 50 --out $OUT
