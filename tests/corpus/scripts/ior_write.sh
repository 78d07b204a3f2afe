#!/bin/bash
#SBATCH -N 10 --ntasks-per-node=8
srun --unbuffered /opt/ior/bin/ior -a MPIIO -w -r -b 16m -t 1m -s 16 -i 3 -F -o /lustre/$USER/ior.$SLURM_JOB_ID
