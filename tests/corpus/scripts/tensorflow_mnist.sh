#!/bin/bash
#SBATCH --gpus=1
export TF_CPP_MIN_LOG_LEVEL=2
singularity exec --nv -B /scratch:/scratch /containers/tensorflow_2.11.0-gpu.sif python mnist_cnn.py --epochs=20 --batch_size=128
