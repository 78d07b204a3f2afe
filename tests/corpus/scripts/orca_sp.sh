#!/bin/bash
#SBATCH -n 16
#SBATCH --mem-per-cpu=3000
module load orca/5.0.4 openmpi/4.1.1

SCRATCH=$(mktemp -d /scratch/${USER}_XXXXXX)
cp $SLURM_SUBMIT_DIR/*.inp $SCRATCH
cd $SCRATCH
$(which orca) complex12.inp > $SLURM_SUBMIT_DIR/complex12.out
cp *.gbw $SLURM_SUBMIT_DIR
