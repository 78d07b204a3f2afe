#!/bin/csh -f
#SBATCH --ntasks=48
#SBATCH --job-name=cfl3d
source /usr/share/Modules/init/csh
module load intel/19
setenv OMP_NUM_THREADS 1
set ncyc = 3000
if ( -e restart.bin ) then
  cp restart.bin restart.bak
endif
mpirun -np 48 ./cfl3d_mpi -n $ncyc < cfl3d.inp
