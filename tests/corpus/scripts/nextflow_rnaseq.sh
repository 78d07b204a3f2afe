#!/bin/bash
#SBATCH --job-name=nf-head
#SBATCH --mem=4G
module load nextflow/22.10 singularity
export NXF_OPTS='-Xms1g -Xmx4g'
nextflow run nf-core/rnaseq -r 3.12.0 -profile singularity,slurm --input samples.csv --genome GRCh38 --max_cpus 32 -resume
