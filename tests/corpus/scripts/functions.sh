#!/bin/bash
#SBATCH -n 16
log() { echo "[$(date +%T)] $*"; }
die() { log "$1"; exit 1; }

run_case() {
	local level=$1
	local dir=case_$level
	mkdir -p "$dir" || die "no $dir"
	log "level $level"
	srun ./amr_advect --level "$level" --tmax $2
}

run_case 6 2.5
