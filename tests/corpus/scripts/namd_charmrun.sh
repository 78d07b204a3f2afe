#!/bin/bash
#SBATCH -n 128
#SBATCH -p parallel
NAMD=/sw/NAMD_2.14_Linux-x86_64-ibverbs
srun hostname -s | sort | sed 's/^/host /' > nodelist.$SLURM_JOBID
$NAMD/charmrun ++nodelist nodelist.$SLURM_JOBID ++p 128 $NAMD/namd2 stmv_eq2.conf
