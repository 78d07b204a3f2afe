#!/bin/bash
#SBATCH --tmp=50G
set -x
WORK=/local/$SLURM_JOB_ID
mkdir -p $WORK && cp -r input_2024-02-29 $WORK && cd $WORK
tar xzf input_2024-02-29/mesh.tgz
$HOME/bin/flow_solver_v3 --mesh mesh.msh --cfl 0.8 > flow.log
rsync -a results/ $SLURM_SUBMIT_DIR/results_$SLURM_JOB_ID/
