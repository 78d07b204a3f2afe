#!/bin/bash
#SBATCH -c 4
hmmsearch --cpu 4 -E 1e-10 --tblout hits.tbl Pfam-A.hmm proteome.fa > /dev/null
