#!/bin/bash
#SBATCH -n 16 --mem=64G
module load ansys/22.2
ansys222 -b -np 16 -dis -j bracket -i bracket.dat -o bracket.out
