#!/bin/tcsh -f
#SBATCH -n 96
setenv CONV_RSH ssh
@ last = 10
set conf = prod.conf
if ( ! -e $conf ) then
   echo "no $conf"
   exit 1
endif
mpiexec namd2 $conf >& prod.log
