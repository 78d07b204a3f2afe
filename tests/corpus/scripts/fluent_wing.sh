#!/bin/bash
#SBATCH -N 4
#SBATCH --ntasks-per-node=16
module load ansys/2023R1
FLUENTNODES="$(scontrol show hostnames)"
echo $FLUENTNODES | tr ' ' '\n' > hosts.txt
fluent 3ddp -g -t64 -mpi=intel -cnf=hosts.txt -i wing_aoa12.jou > wing.out
