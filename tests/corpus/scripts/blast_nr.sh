#!/bin/bash
#SBATCH -c 16 --mem=64G
module load blast+/2.13.0
export BLASTDB=/db/blast/2023-04

makeblastdb -in ref.fa -dbtype prot -out ref
blastp -query sample_0042.faa -db ref -num_threads 16 -evalue 1e-5 -outfmt 6 -out sample_0042.tsv
