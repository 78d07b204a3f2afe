#!/bin/bash
#SBATCH --job-name=motorBike
#SBATCH --ntasks=96
#SBATCH --exclusive

. /opt/openfoam2212/etc/bashrc
cd "${SLURM_SUBMIT_DIR}" || exit 1

surfaceFeatureExtract > log.surface
blockMesh > log.blockMesh
decomposePar -force > log.decompose
mpirun -np $SLURM_NTASKS snappyHexMesh -parallel -overwrite > log.snappy
mpirun -np $SLURM_NTASKS checkMesh -parallel > log.check
mpirun -np $SLURM_NTASKS simpleFoam -parallel > log.simpleFoam
reconstructPar -latestTime
