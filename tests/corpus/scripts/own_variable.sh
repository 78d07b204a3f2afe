#!/bin/bash
#SBATCH -n 8
LENGTH=250
DT=0.002
sed -e "s/__L__/$LENGTH/" -e "s/__DT__/${DT}/" template.par > run.par
mpirun ./cactus_bbh run.par
