#!/usr/bin/env -S python3 -u
#SBATCH --gres=gpu:1
"""Run a villin simulation. Don't forget the license."""
from openmm.app import *
steps = 250000
print(f"running {steps} steps (it's slow)")
