#!/bin/bash
#SBATCH -N 4
#SBATCH --ntasks-per-node=16
export NWCHEM_TOP=/apps/nwchem/7.0.2
cat > water.nw <<'END'
title "water"
geometry
  O 0.0 0.0 0.0
  H 0.0 0.7 0.5
end
scf
  maxiter 50
end
task scf energy
END
mpiexec -n $SLURM_NTASKS $NWCHEM_TOP/bin/nwchem water.nw
