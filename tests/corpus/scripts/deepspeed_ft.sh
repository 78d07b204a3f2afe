#!/bin/bash
#SBATCH --gres=gpu:8 --exclusive
export HF_HOME=/scratch/hf TOKENIZERS_PARALLELISM=false
deepspeed --num_gpus 8 --master_port=29600 finetune.py --deepspeed ds_z3.json --learning_rate 2e-5 --num_train_epochs 3
