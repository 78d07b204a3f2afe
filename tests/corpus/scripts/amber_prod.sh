#!/bin/bash
#SBATCH -p gpu --gres gpu:1
source /opt/amber22/amber.sh
export CUDA_VISIBLE_DEVICES=0

for i in {1..5}; do
  pmemd.cuda -O -i prod.in -p sys.prmtop -c prod_$((i-1)).rst -o prod_$i.out -r prod_$i.rst -x prod_$i.nc
done
