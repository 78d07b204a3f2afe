#!/bin/bash
#SBATCH --job-name encut
#SBATCH -N 1
#SBATCH --ntasks-per-node 24

for ENCUT in 300 350 400 450 500; do
    mkdir -p e_$ENCUT
    cp POSCAR POTCAR KPOINTS e_$ENCUT
    sed "s/@ENCUT@/$ENCUT/" INCAR.in > e_$ENCUT/INCAR
    cd e_$ENCUT
    mpirun -np $SLURM_NTASKS vasp_gam | tee vasp.log
    cd ..
done
