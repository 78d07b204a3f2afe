#!/bin/bash
#SBATCH -n 8
mpiexec -n 8 pvbatch --force-offscreen-rendering isosurface.py 0.25 600
