#!/bin/bash
#SBATCH -n 32
ElmerGrid 2 2 mesh -partition 4 4 2
mpirun ElmerSolver case.sif
