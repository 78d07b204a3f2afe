#!/bin/bash
#SBATCH -n 4
for s in 1 2 3 4; do
  srun --exclusive -n1 ./annealer -sweeps 1e6 -chain $s > chain_$s.log &
done
wait
python merge_chains.py 4
