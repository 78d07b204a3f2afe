#!/bin/bash
#SBATCH --ntasks=2
main() {
  local steps=$1; shift
  echo "steps: $steps"
  srun ./fvm --steps "$steps" --scheme weno5 "$@"
}
main 4000 --cfl 0.4
