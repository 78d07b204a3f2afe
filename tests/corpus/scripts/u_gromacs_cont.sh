#!/bin/bash
#SBATCH --array=0-9%1
if [[ -f state.cpt ]]; then
  CONT="-cpi state.cpt"
else
  CONT=""
fi
srun gmx_mpi mdrun -s topol.tpr $CONT -maxh 11.8 -ntomp 6
