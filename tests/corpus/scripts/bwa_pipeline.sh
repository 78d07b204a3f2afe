#!/bin/bash
#SBATCH --array=1-96%10
#SBATCH --cpus-per-task=8
set -euo pipefail
SAMPLE=$(sed -n "${SLURM_ARRAY_TASK_ID}p" samples.txt)
REF=/ref/hg38/hg38.fa

bwa mem -t 8 -R "@RG\tID:${SAMPLE}\tSM:${SAMPLE}" $REF ${SAMPLE}_R1.fq.gz ${SAMPLE}_R2.fq.gz \
  | samtools sort -@ 4 -m 2G -o ${SAMPLE}.bam -
samtools index ${SAMPLE}.bam
