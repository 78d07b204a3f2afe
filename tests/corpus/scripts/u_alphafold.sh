#!/bin/bash
#SBATCH --gres=gpu:a100:1 -c 8 --mem 85G
FASTA=$1
apptainer run --nv -B /db/af:/data /images/alphafold_2.3.2.sif --fasta_paths=$FASTA --max_template_date=2022-01-01 --model_preset=monomer --num_multimer_predictions_per_model=5
