#!/bin/tcsh
#SBATCH -n 1
foreach re (100 200 400)
  echo "Re = $re"
  ./cavity -re $re -grid 128
end
