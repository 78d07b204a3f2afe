#!/bin/bash
#SBATCH --job-name=TiO2
#SBATCH --ntasks=40
module load SIESTA/4.1.5-foss-2022a
srun --hint=nomultithread siesta < TiO2.fdf > TiO2.out
