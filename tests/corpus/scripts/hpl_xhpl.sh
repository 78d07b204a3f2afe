#!/bin/bash
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=2
#SBATCH --exclusive
export OMP_NUM_THREADS=18 OMP_PLACES=cores OMP_PROC_BIND=close
export I_MPI_DEBUG=5
mpiexec.hydra -bootstrap slurm -n 32 -ppn 2 numactl --localalloc ./xhpl
