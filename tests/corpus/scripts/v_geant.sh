#!/bin/bash
#SBATCH --array=1-100
source /cvmfs/geant4/11.1/setup.sh
SEED=$((1000 + SLURM_ARRAY_TASK_ID))
cat > run_$SLURM_ARRAY_TASK_ID.mac <<EOF
/random/setSeeds $SEED 1
/run/initialize
/run/beamOn 50000
EOF
./exampleB4a -m run_$SLURM_ARRAY_TASK_ID.mac -t 4
