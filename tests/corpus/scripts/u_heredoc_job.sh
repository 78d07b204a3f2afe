#!/bin/bash
#SBATCH -n 1
# makes one job for each temperature
for T in 300 310 320; do
cat > run_$T.sh <<EOF
#!/bin/bash
#SBATCH -n 8
srun ./mc --temp $T --steps 1000000
EOF
sbatch run_$T.sh
done
