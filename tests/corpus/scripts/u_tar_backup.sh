#!/bin/bash
#SBATCH -p transfer
date
mkdir -p /archive/$USER
tar -czf /archive/$USER/run_$(date +%F).tar.gz /scratch/$USER/run
