#!/bin/bash
conda run --no-capture-output -n bio python -m phylo.infer --bootstrap 1000 aln.fasta
