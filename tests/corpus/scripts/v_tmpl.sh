#!/bin/bash
#SBATCH -n 8
RE=1500
GRID=256
export RE GRID
envsubst < channel.tmpl > channel.inp
srun ./nek5000 channel
