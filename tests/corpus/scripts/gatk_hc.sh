#!/bin/bash
#SBATCH --mem=20g --time=2-00:00:00
module load gatk/4.3.0.0 java/17
gatk --java-options "-Xmx16g -XX:ParallelGCThreads=2" HaplotypeCaller \
   -R /ref/hg38.fa -I NA12878.bam -O NA12878.g.vcf.gz -ERC GVCF --native-pair-hmm-threads 4
