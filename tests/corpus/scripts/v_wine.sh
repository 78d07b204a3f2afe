#!/usr/bin/env bash
#SBATCH -n 1
xvfb-run -a wine ./aermod.exe aermod_2019.inp
