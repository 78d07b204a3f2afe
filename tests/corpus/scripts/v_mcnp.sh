#!/bin/bash
#SBATCH -n 20
export DATAPATH=/data/MCNP_DATA
srun --mpi=pmi2 mcnp6.mpi i=reactor_core17.inp o=reactor_core17.out tasks 4
