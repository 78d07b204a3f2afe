#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_mpi_order.sh - ranks of MPI programs go where the trace of an earlier
# run says
#
# A real cluster in mode act, with competitors on n2, and a program whose rank 1
# works most.  It is traced when srun starts it, where that can; the next job
# has another order, with srun, and with mpirun if its user says so; other
# command lines of mpirun do as before.  With Open MPI; and with MPICH, where
# that is there, by srun.
#
# usage: test_mpi_order.sh BUILD
# shellcheck disable=SC2016 # scripts of jobs are expanded when they run
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_mpi_order.sh BUILD}")
dir=$build/mpi_order
test=mpi_order
# shellcheck source=checks.bash
. "$here/checks.bash"
# shellcheck source=needs.bash
. "$here/needs.bash"

# TCP between the nodes; a process that waits gives its core to others; and it
# is root who runs this.
mpi_variables=(
	OMPI_MCA_pml=ob1 'OMPI_MCA_btl=tcp,vader,self'
	OMPI_MCA_btl_tcp_if_include=eth0 PRTE_MCA_prte_if_include=eth0
	OMPI_MCA_mpi_yield_when_idle=1 OMPI_ALLOW_RUN_AS_ROOT=1
	OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 'UCX_TLS=tcp,self' UCX_NET_DEVICES=eth0
)
! command -v orted >/dev/null || # Open MPI 4; later ones warn of its name
	mpi_variables+=(OMPI_MCA_oob_tcp_if_include=eth0)

on() { "$contrib/cluster/cluster" run "$dir/cluster" "$@" </dev/null; }
# Outside of the cluster it would wait for slurmctld.
spredict() { on spredict "$@"; }

# job OPTION... -- SCRIPT: its output, of four ranks on four nodes
job() {
	local options=()

	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	job_once "$2" "${options[@]}"
	# Open MPI 5.0 crashes in MPI_Init where a message comes before the
	# fence ends, now and then (open-mpi/ompi issue 12495).
	for _ in 1 2; do
		grep -qs recv_frag_callback_match "$dir/err" || break
		job_once "$2" "${options[@]}"
	done
	cat "$dir/failed" "$dir/out" 2>/dev/null
}
job_once() { # SCRIPT OPTION...
	rm -f "$dir/out" "$dir/failed"
	on env "${mpi_variables[@]}" "$here/sbatch_wait" -N4 \
		--ntasks-per-node=1 -t 5 -o "$dir/out" -e "$dir/err" \
		"${@:2}" --wrap "$1" \
		>/dev/null 2>&1 ||
		echo "failed: $(cat "$dir/err")" >"$dir/failed"
}
blocks='n1 n2 n3 n4'

known() {
	spredict --json whatif --application=uneven --ranks=4 --best \
		>"$dir/known.json" 2>&1
}
ordered() { [[ $(tr ' ' '\n' <<<"$1" | sort | paste -sd ' ') == "$blocks" &&
	$1 != "$blocks" && $(cut -d ' ' -f 2 <<<"$1") != n2 ]]; }
faster() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a < b) }'; }
srun_has() { on srun --mpi=list 2>&1 | grep -qw "$1"; }
line() { sed -n "$1p" <<<"$out"; }
seconds() { sed -n "$1s/ s$//p" <<<"$out"; }

rm -rf "$dir"
mkdir -p "$dir"
printf 'rank %d=n%d slot=0\n' 0 2 1 1 2 4 3 3 >"$dir/ranks"
trap finish EXIT
mpicc -O2 -o "$dir/uneven" "$here/mpi/uneven.c" || exit
STACK_TIMEOUT_MS=1000 "$stack" up "$dir" "$build" --mode act --cap 40 || exit
eval "$("$stack" env "$dir")"
run=$(sed -n 's/^run=//p' "$dir/settings")
spool=$run/spool
"$contrib/cluster/cluster" load "$dir/cluster" n2 2 || exit
until_true 60 is_slow n2 n1
# Jobs wait for their order: on a busy machine it comes late even if it
# is known.
wait="for _ in \$(seq 900); do
		[ -e $spool/hosts/\$SLURM_JOB_ID ] && break; sleep 0.1; done; "

# Debian testing's Slurm has no PMIx, and starts no program of Open MPI.
by_srun="srun --mpi=pmix $dir/uneven 12"
traced=$by_srun
srun_has pmix || traced="mpirun $dir/uneven 12"
out=$(job --predict-profile=trace -- "$traced")
check traced "$out" test "$(line 1)" = "$blocks"
check arrived "@$dir/known.json" until_true 60 known

if srun_has pmix; then
	out=$(job -- "$wait $by_srun; ${by_srun/srun/srun -m block}
		sed 1d $spool/hosts/\$SLURM_JOB_ID | paste -sd ' '")
	check in_order "$out" ordered "$(line 1)"
	check as_searched "$out" test "$(line 1)" = "$(line 5)"
	check user_first "$out" test "$(line 3)" = "$blocks"
	check faster "$out" faster "$(seconds 2)" "$(seconds 4)"
	echo "bar mpi_order_s $(seconds 2)"
	echo "bar mpi_order_blocks_s $(seconds 4)"
else
	skip mpi_order_in_order 'srun has no --mpi=pmix'
fi

out=$(job -- "$wait sed 1d $spool/hosts/\$SLURM_JOB_ID | paste -sd ' '
	\$PREDICT_IN_ORDER mpirun $dir/uneven 12
	\$PREDICT_IN_ORDER mpirun -np 4 --bind-to none $dir/uneven 0
	mpirun $dir/uneven 12")
check mpirun_in_order "$out" ordered "$(line 2)"
check mpirun_as_searched "$out" test "$(line 2)/$(line 4)" = "$(line 1)/$(line 1)"
check mpirun_alone "$out" test "$(line 6)" = "$blocks"
check mpirun_faster "$out" faster "$(seconds 3)" "$(seconds 7)"
echo "bar mpi_order_mpirun_s $(seconds 3)"
echo "bar mpi_order_mpirun_blocks_s $(seconds 7)"
# Where the user has other plans, which fail beside an order or have no place in
# it: as without it.  Others are in test_in_order.sh.
mpirun="\$PREDICT_IN_ORDER mpirun"
if command -v orted >/dev/null; then # Open MPI 4
	own="-npernode 1 $dir/uneven 0; $mpirun -rf $dir/ranks -np 4"
	own_ranks="$blocks"$'\nn2 n1 n4 n3'
else
	own='--map-by ppr:1:node' own_ranks=$blocks
fi
out=$(job --export=ALL,PREDICT_APPLICATION=uneven -- "$wait
	$mpirun -np 2 $dir/uneven 0; $mpirun --map-by node $dir/uneven 0
	$mpirun --host n3,n4 $dir/uneven 0; $mpirun $own $dir/uneven 0")
check mpirun_user_first "$out" test "$(grep -v ' s$' <<<"$out")" = \
	$'n1 n2\n'"$blocks"$'\nn3 n4\n'"$own_ranks"

# Nobody has an order, or the plugin is not there.
out=$(job --predict=observe -- "set -eu
	\$PREDICT_IN_ORDER mpirun $dir/uneven 0; echo \$?
	unset PREDICT_IN_ORDER
	\${PREDICT_IN_ORDER-} mpirun $dir/uneven 0; echo \$?")
check no_order "$out" test "$(grep -v ' s$' <<<"$out")" = \
	"$blocks"$'\n0\n'"$blocks"$'\n0'

# MPICH's MPI_Finalize may hang over TCP, but then it has said all.
if command -v mpicc.mpich >/dev/null && srun_has pmi2; then
	mpicc.mpich -O2 -o "$dir/uneven-mpich" "$here/mpi/uneven.c" || exit
	out=$(job --export=ALL,PREDICT_APPLICATION=uneven -- "$wait
		timeout 20 srun --mpi=pmi2 $dir/uneven-mpich 0
		timeout 20 srun -m block --mpi=pmi2 $dir/uneven-mpich 0; true")
	check mpich_in_order "$out" ordered "$(line 1)"
	check mpich_user_first "$out" test "$(line 3)" = "$blocks"
else
	skip mpi_order_mpich 'no MPICH, or none that srun starts'
fi
exit "$failed"
