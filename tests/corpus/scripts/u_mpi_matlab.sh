#!/bin/bash
#SBATCH --licenses=matlab:1
matlab -nodisplay -nosplash < run_model.m > run_model.log
