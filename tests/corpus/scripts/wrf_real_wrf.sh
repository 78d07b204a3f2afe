#!/bin/bash
#SBATCH --job-name=wrf_d02_20240115
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=40
ulimit -s unlimited
export WRFIO_NCD_LARGE_FILE_SUPPORT=1
cd /scratch/wx/runs/2024011500

ln -sf ../met/met_em.d0*.nc .
srun ./real.exe
tail -1 rsl.error.0000
srun ./wrf.exe
