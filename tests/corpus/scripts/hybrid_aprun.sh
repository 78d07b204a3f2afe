#!/bin/bash
#SBATCH -N 16
aprun -n 64 -N 4 -d 8 -cc depth ./cosmo_rundriver -ihours 48
