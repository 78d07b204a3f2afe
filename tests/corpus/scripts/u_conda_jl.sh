#!/bin/bash
eval "$(conda shell.bash hook)"
conda activate qc
julia -t auto --project run_dmrg.jl --sites 200 --maxdim 800 --sweeps 12
