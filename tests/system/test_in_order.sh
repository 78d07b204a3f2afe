#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_in_order.sh - which command lines of mpirun get the order of ranks
#
# in-order with commands that say what they were given, of no MPI;
# test_mpi_order.sh has real ones.
#
# usage: test_in_order.sh BUILD
set -u -o pipefail

build=$(realpath -- "${1:?usage: test_in_order.sh BUILD}")
dir=$build/in_order
test=in_order
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=checks.bash
. "$here/checks.bash"

# mpirun VERSION: one that prints its arguments
mpirun() {
	printf '#!/bin/sh\n[ "$1" = --version ] && { echo "%s"; exit; }\necho "$*"\n' \
		"$1" >"$dir/mpirun"
	cp "$dir/mpirun" "$dir/solver"
	chmod +x "$dir/mpirun" "$dir/solver"
}
# run WORD...: in-order with them, in a job of four tasks
run() {
	env -i HOME="$dir" PATH="$dir:$PATH" SLURM_JOB_ID=17 SLURM_NTASKS=4 \
		${variables[@]+"${variables[@]}"} \
		"$build/lib/in-order" "${file:-$dir/17}" "$@" 2>&1
}
variables=()
# takes NAME WORD...: mpirun gets the order; keeps: it gets the words alone
takes() {
	local out

	out=$(run mpirun "${@:2}")
	check "$1" "$out" test "$out" = "$options $dir/17 ${*:2}"
}
keeps() {
	local out

	out=$(run mpirun "${@:2}")
	check "$1" "$out" test "$out" = "${*:2}"
}

rm -rf "$dir"
mkdir -p "$dir"
printf '# slurm-predict mode=act gain=1.25\nn3\nn1\nn2\nn1\n' >"$dir/17"

options='--map-by seq --hostfile'
mpirun 'mpirun (Open MPI) 4.1.4'
takes openmpi_4 ./solver
takes all_ranks -np 4 ./solver -n 3 -np 3 --map-by node
takes harmless --mca pml ob1 --bind-to none -x A=1 -np 4 ./solver
keeps fewer_ranks -np 2 ./solver
keeps more_ranks -n 8 ./solver
keeps own_hostfile --hostfile hosts ./solver
keeps own_hosts --host n1:2 ./solver
keeps own_mapping --map-by node ./solver
keeps own_binding --bind-to core ./solver
keeps own_mapper --mca rmaps_base_mapping_policy node ./solver
keeps own_rankfile -rf ranks ./solver
keeps per_node -npernode 1 ./solver
keeps by_node -N 1 ./solver
keeps two_programs -np 2 ./solver : -np 2 ./solver
keeps no_program -np 4
keeps no_value -np
keeps not_known --never-heard-of ./solver
keeps help --help
keeps nothing

out=$(run solver -n 4)
check other_program "$out" test "$out" = "-n 4"
out=$(run sh -c 'printf "%s|" "$@"' sh 'a  b' '*' '')
check words "$out" test "$out" = 'a  b|*||'
run sh -c 'exit 7'
check status "$?" test "$?" = 7
variables=(OMPI_MCA_rmaps_base_mapping_policy=node)
keeps own_variable ./solver
variables=(SLURM_NTASKS=8)
keeps other_tasks ./solver
variables=(SLURM_JOB_ID=18)
keeps other_job ./solver
variables=(PREDICT_HOSTFILE=/x OMPI_MCA_pml=ob1)
takes other_variables ./solver
mkdir "$dir/.openmpi"
echo 'rmaps_base_pernode = 1' >"$dir/.openmpi/mca-params.conf"
keeps own_settings ./solver
rm -r "$dir/.openmpi"
variables=()
file=/nowhere/17
keeps no_order ./solver
unset file
: >"$dir/17"
keeps empty ./solver
mpirun $'HYDRA build details:\n    Version:                                 4.0.2'
printf 'n1\nn2\nn1\nn2\n' >"$dir/17"
keeps other_mpi ./solver
((failed)) || rm -rf "$dir"
exit "$failed"
