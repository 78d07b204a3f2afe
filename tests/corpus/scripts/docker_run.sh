#!/bin/bash
docker run --rm --gpus all -v "$PWD":/work -w /work -e OMP_NUM_THREADS=4 --shm-size 8g ghcr.io/lab/imgproc:1.4.2 python3 segment.py --tile 512 --overlap 64 slide7.tif
