#!/bin/bash
#SBATCH --job-name=benzene_opt
#SBATCH --cpus-per-task=8
#SBATCH --mem=18GB

export g16root=/opt/gaussian
source $g16root/g16/bsd/g16.profile
export GAUSS_SCRDIR=/scratch/$USER/$SLURM_JOB_ID
mkdir -p $GAUSS_SCRDIR

g16 <<END >benzene.log
%nprocshared=8
%mem=16GB
# B3LYP/6-31G(d) Opt

benzene

0 1
C   0.0000   1.3970   0.0000
C   1.2098   0.6985   0.0000

END
rm -rf $GAUSS_SCRDIR
