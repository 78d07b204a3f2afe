#!/bin/bash
#SBATCH -n 9
srun -n 1 ./coordinator --port 5555 &
sleep 5
srun -n 8 ./worker --tasks 4000 --chunk 16
wait
