#!/bin/bash
#SBATCH --time=08:00:00
#SBATCH --mem=32G
XDG_RUNTIME_DIR=""
node=$(hostname -s)
port=$(shuf -i 8000-9999 -n 1)
echo "ssh -N -L ${port}:${node}:${port} login"
module load anaconda3
jupyter lab --no-browser --port=${port} --ip=${node}
