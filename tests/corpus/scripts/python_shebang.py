#!/usr/bin/env python3
#SBATCH --job-name=pysim
#SBATCH --mem=4G
import sys
import numpy as np

n = int(sys.argv[1])
x = np.random.rand(n)
for step in range(1000):
    x = x * 0.5 + np.sqrt(x)
print(x.mean())
