#!/bin/sh
#SBATCH --ntasks=32 --time=2:00:00

ECUT=45.0
cat > al.in << EOF
&CONTROL
  calculation = 'scf'
  pseudo_dir = '/home/kim/pseudo'
  outdir = './tmp'
/
&SYSTEM
  ibrav = 2, nat = 1, ntyp = 1,
  ecutwfc = $ECUT
  degauss = 0.02d0
/
&ELECTRONS
  conv_thr = 1.0d-8
/
ATOMIC_SPECIES
 Al 26.98 Al.pz-vbc.UPF
EOF
mpirun pw.x -npool 2 < al.in > al.out
