#!/bin/bash
#SBATCH -c 8
ls inputs/*.pdb | xargs -P 8 -n 1 ./dock --exhaustiveness 16
