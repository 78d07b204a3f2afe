#!/bin/bash
#SBATCH -c 32
git clone --depth 1 https://example.org/trilinos.git /tmp/t_$SLURM_JOB_ID
cmake -S /tmp/t_$SLURM_JOB_ID -B /tmp/b_$SLURM_JOB_ID -DCMAKE_BUILD_TYPE=Release
cmake --build /tmp/b_$SLURM_JOB_ID --target tpetra -j 32
