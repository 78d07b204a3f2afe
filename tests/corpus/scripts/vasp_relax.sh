#!/bin/bash
#SBATCH -J GaN_relax
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=32
#SBATCH --mem=0
ulimit -s unlimited
module load vasp/6.3.2-intel

cat >INCAR <<'!'
SYSTEM = GaN wurtzite
ENCUT  = 520      ! eV
EDIFF  = 1E-6
ISMEAR = 0; SIGMA = 0.05
IBRION = 2
NSW    = 60
LWAVE  = .FALSE.
!
srun vasp_std > vasp.out 2>&1
