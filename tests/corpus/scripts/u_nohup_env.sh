#!/bin/bash
#SBATCH -J ramses
export OMP_STACKSIZE=64M
time mpirun -genv I_MPI_PIN=1 -np 256 ./bin/ramses3d namelist/sedov_1024.nml
