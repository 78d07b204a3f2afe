#!/bin/bash
#SBATCH -c 16
cd $HOME/src/petsc
module load gcc
make -j 16 reproduce
