#!/bin/bash
#SBATCH -c 8
python prepare_inputs.py --n 100
python simulate.py --n 100 --t 50.0
python plot_results.py --dpi 300
