#!/bin/bash
#SBATCH -J panel
sas -memsize 8G -work /scratch panel.sas
