#!/bin/bash
#SBATCH -n 128
MACH=0.85
AOA=2.5
cat > wing.cfg <<EOF
% SU2 configuration
SOLVER= RANS
MACH_NUMBER= $MACH
AOA= $AOA
ITER= 5000
CFL_NUMBER= 10.0
EOF
mpirun -n 128 SU2_CFD wing.cfg
