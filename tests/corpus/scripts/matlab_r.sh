#!/bin/bash
#SBATCH --array=1-20
#SBATCH -t 1-0

matlab -singleCompThread -nodesktop -r "try, id=$SLURM_ARRAY_TASK_ID; sweep(id, 500); catch e, disp(e.message), exit(1), end, exit"
