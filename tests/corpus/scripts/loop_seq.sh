#!/bin/bash
#SBATCH -n 4
for i in $(seq 1 10); do
	srun ./walker --seed $i --length 1000000
done
