#!/bin/bash
#SBATCH -n 24
N=128
srun ./ocean <<EOF
&grid
  nx = $N, ny = $N, nz = 40,
/
&time
  nstep = 5000
  dt = 0.25   ! hours
  scheme = 'rk4'
/
EOF
