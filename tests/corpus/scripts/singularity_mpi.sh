#!/bin/bash
#SBATCH -N 2 -n 64
module load openmpi/4.1 singularity/3.10
IMG=/apps/images/specfem3d_4.0.sif
mpirun -np 64 singularity exec --bind /scratch --pwd $PWD $IMG /opt/specfem/bin/xspecfem3D
