#!/bin/bash
#SBATCH -n 16
#SBATCH -t 30

T=1.44
cat > in.lj.$SLURM_JOB_ID <<EOF
# 3d Lennard-Jones melt
units		lj
atom_style	atomic
timestep	0.005
velocity	all create $T 87287
thermo		50
run		25000
EOF

mpirun -np 16 --map-by core lmp_mpi < in.lj.$SLURM_JOB_ID
rm -f in.lj.$SLURM_JOB_ID
