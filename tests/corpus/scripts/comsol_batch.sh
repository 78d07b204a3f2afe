#!/bin/bash
#SBATCH -c 20
module load comsol/6.1
comsol batch -np 20 -inputfile heatsink_v3.mph -outputfile heatsink_v3_out.mph -batchlog hs.log
