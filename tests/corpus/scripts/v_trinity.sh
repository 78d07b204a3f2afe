#!/bin/bash
#SBATCH --mem=200G --cpus-per-task=24
module load Trinity/2.15
Trinity --seqType fq --left r1.fq.gz --right r2.fq.gz --CPU 24 --max_memory 180G --output trinity_out_$SLURM_JOB_ID
