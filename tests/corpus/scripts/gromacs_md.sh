#!/bin/bash
#SBATCH --job-name=lyso_md
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=4
#SBATCH --time=24:00:00

module purge
module load gromacs/2023.3

export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
cd $SLURM_SUBMIT_DIR

gmx grompp -f md.mdp -c npt.gro -t npt.cpt -p topol.top -o md.tpr -maxwarn 2
srun --cpu-bind=cores gmx_mpi mdrun -deffnm md -ntomp $OMP_NUM_THREADS \
	-maxh 23.5 -nsteps 500000 -pin on
