#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_slurm_source.sh - make SLURM_SRC=DIR, after a try that failed and another DIR
#
# usage: test_slurm_source.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:?usage: test_slurm_source.sh BUILD}")
dir=$build/slurm-source
failed=0

rm -rf "$dir"
mkdir -p "$dir"

# source_make NAME MICRO: as much of a source tree as is looked at
source_make() {
	mkdir -p "$dir/$1/src/slurmctld" "$dir/$1/slurm"
	: >"$dir/$1/src/slurmctld/slurmctld.h"
	: >"$dir/$1/slurm/slurm.h"
	printf '%s\n' 'Major: 22' 'Minor: 05' "Micro: $2" >"$dir/$1/META"
}

# headers SLURM_SRC: the version whose headers are there then; nothing: none
headers() {
	make -s -C "$here/../.." BUILD="$dir/build" SLURM_SRC="$1" \
		"$dir/build/slurm/ready" >/dev/null
	sed -n 's/.*VERSION_STRING "\(.*\)"/\1/p' \
		"$dir/build/slurm/include/slurm/slurm_version.h" 2>/dev/null || :
}

# same NAME EXPECTED GOT
same() {
	if [[ $3 == "$2" ]]; then
		echo "ok slurm_source_$1"
	else
		echo "not ok slurm_source_$1 - '$3' instead of '$2'"
		failed=1
	fi
}

source_make one 8
source_make two 9
mkdir "$dir/empty"
same missing "" "$(headers "$dir/none")"
same no_source "" "$(headers "$dir/empty")"
same says_why "$dir/empty is no source of Slurm" "$(<"$dir/build/slurm/ready")"
same after_failures 22.05.8 "$(headers "$dir/one")"
same another 22.05.9 "$(headers "$dir/two")"
same failure_again "" "$(headers "$dir/empty")"
rm -rf "$dir"
((failed == 0))
