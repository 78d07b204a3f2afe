#!/bin/bash
#SBATCH -n 2
srun /tmp/build.kJ8s2Q/solver_a3f9c2e1b7 -n 100
