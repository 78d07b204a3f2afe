#!/bin/bash
#SBATCH -n 64
#SBATCH --time=12:00:00
RUN=${1:-1}
LAST=20

srun ./climate_v5 -restart rst.$RUN -days 30
if [ $? -eq 0 ] && [ $RUN -lt $LAST ]; then
	sbatch --dependency=afterok:$SLURM_JOB_ID job_chain.sh $((RUN + 1))
fi
