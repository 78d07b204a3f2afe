#!/bin/bash
#SBATCH -n 4
N=500
cat > cfg.nml <<EOF
&run
 tmax = 12.5
/
EOF
srun ./pfa_solver -n $N \
  --tol 1e-6
