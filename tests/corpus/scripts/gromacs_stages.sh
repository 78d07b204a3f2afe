#!/bin/bash
#SBATCH -J protein-A17
#SBATCH -N 1 -c 32 --gres=gpu:1
set -e
source /opt/gromacs/2022/bin/GMXRC

echo "Protein" | gmx pdb2gmx -f 1aki.pdb -o processed.gro -water spce
gmx editconf -f processed.gro -o box.gro -c -d 1.0 -bt cubic
gmx solvate -cp box.gro -cs spc216.gro -o solv.gro -p topol.top
gmx grompp -f ions.mdp -c solv.gro -p topol.top -o ions.tpr
echo SOL | gmx genion -s ions.tpr -o ions.gro -p topol.top -neutral
gmx grompp -f minim.mdp -c ions.gro -p topol.top -o em.tpr
gmx mdrun -v -deffnm em -nt 32
gmx energy -f em.edr -o potential.xvg <<< "10 0"
