#!/bin/bash
#SBATCH -n 12
tries=0
until mpirun -np 12 ./flaky_solver --dt 0.01; do
  tries=$((tries + 1))
  [ $tries -ge 3 ] && exit 1
  sleep 30
done
