#!/bin/bash
#SBATCH -c 12 --mem=40G --array=1-24
sample=$(ls fastq | sed -n "${SLURM_ARRAY_TASK_ID}p")
trim_galore --paired --cores 4 fastq/$sample/*.fq.gz
STAR --runThreadN 12 --genomeDir /ref/star --readFilesIn $sample.1.fq $sample.2.fq --outSAMtype BAM SortedByCoordinate --limitBAMsortRAM 30000000000
samtools index Aligned.sortedByCoord.out.bam
