#!/bin/bash
#SBATCH -n 36
NPROC=36
cd $SLURM_SUBMIT_DIR
mkdir -p OUTPUT_FILES
mpirun -np $NPROC ./bin/xmeshfem3D
mpirun -np $NPROC ./bin/xgenerate_databases
mpirun -np $NPROC ./bin/xspecfem3D
