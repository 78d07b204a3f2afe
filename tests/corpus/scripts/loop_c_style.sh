#!/bin/bash
#SBATCH -c 2
for ((rep = 0; rep < 25; rep++)); do
	./monte_carlo -p 64 -r $rep
done
