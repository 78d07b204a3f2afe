#!/bin/bash
#SBATCH -t 3-0
source activate snake
snakemake --snakefile workflow/Snakefile --cores 32 --rerun-incomplete --latency-wait 60 --use-conda
