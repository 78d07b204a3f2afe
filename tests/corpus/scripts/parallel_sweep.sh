#!/bin/bash
#SBATCH -c 24
module load parallel
parallel -j 24 --joblog par.log './lattice --beta {1} --size 48' ::: 5.5 5.6 5.7 5.8
