#!/bin/bash
#SBATCH -n 32
#PREDICT atoms=250000
#PREDICT application=polymer-melt
cat > job2.sh <<EOF
#PREDICT atoms=1
EOF
srun $LMP_EXE -in in.chain
