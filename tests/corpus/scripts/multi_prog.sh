#!/bin/bash
#SBATCH -n 6
srun --multi-prog coupled.conf
