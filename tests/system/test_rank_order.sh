#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_rank_order.sh - ranks of a job go where the trace of an earlier one says
#
# A real cluster in mode act, with competitors on n2, where the heaviest rank of
# a traced job was.  Steps of later jobs have it elsewhere; those whose user, or
# whose shape, has other plans are left alone.  The trace is made here, for a
# job that slept: what a real one says depends on the load of the machine.
#
# usage: test_rank_order.sh BUILD
# shellcheck disable=SC2016 # scripts of jobs are expanded when they run
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
blocks_py=$here/trace_blocks.py
build=$(realpath -- "${1:?usage: test_rank_order.sh BUILD}")
dir=$build/rank_order
test=rank_order
# shellcheck source=checks.bash
. "$here/checks.bash"

on() { "$contrib/cluster/cluster" run "$dir/cluster" "$@" </dev/null; }
# Outside of the cluster it would wait for slurmctld.
spredict() { on spredict "$@"; }

# job OPTION... -- SCRIPT: a job of four ranks that counts as heat; its output
job() {
	local options=()

	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	rm -f "$dir/out"
	on env PREDICT_APPLICATION=heat "$here/sbatch_wait" -N4 \
		--ntasks-per-node=1 -t 2 -o "$dir/out" -e "$dir/err" \
		"${options[@]}" --wrap "$2" \
		>/dev/null 2>&1 || echo "failed: $(cat "$dir/err")"
	cat "$dir/out" 2>/dev/null
}
# Rank after rank, where a step of all of them was.
where='sh -c "echo \$SLURM_PROCID \$SLURMD_NODENAME" | sort -n | cut -d " " -f 2 |
	paste -sd " "'
blocks='n1 n2 n3 n4'

# The second job: half a second on each node, one on n2.
traced() {
	local rank work=(.5 1 .5 .5)

	job -- "sleep 10" >/dev/null
	for rank in 0 1 2 3; do
		"$blocks_py" file "$rank" 4 "${work[rank]}" |
			"$blocks_py" block 2 0 00ff "$rank" 4 n$((rank + 1)) 0 \
				last >"$dir/block"
		curl -sSf --max-time 20 --unix-socket "$run/predictd.sock" \
			http://localhost/v1/traces -d @"$dir/block" \
			>>"$dir/traced" 2>&1 || return
	done
}
by_mpirun() {
	on "$here/sbatch_wait" -N4 --ntasks-per-node=1 -t 4 -o "$dir/mpirun" \
		"$contrib/mpi/heat.sbatch" -n 200 -i 20 >/dev/null 2>&1
}
known() {
	spredict --json whatif --application=heat --ranks=4 --best \
		>"$dir/known.json" 2>&1
}
files_gone() { [[ -z $(find "$dir"/spool/*/hosts -type f) ]]; }
ordered() { [[ $(tr ' ' '\n' <<<"$1" | sort | paste -sd ' ') == "$blocks" &&
	$1 != "$blocks" && $(cut -d ' ' -f 2 <<<"$1") != n2 ]]; }

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
STACK_TIMEOUT_MS=1000 "$stack" up "$dir" "$build" --mode act --cap 20 || exit
eval "$("$stack" env "$dir")"
run=$(sed -n 's/^run=//p' "$dir/settings")
spool=$run/spool
"$contrib/cluster/cluster" load "$dir/cluster" n2 2 || exit
until_true 60 is_slow n2 n1

out=$(job -- "srun $where; echo \$PREDICT_HOSTFILE.")
check untraced "$out" test "$out" = "$blocks"$'\n.'
check traced "@$dir/traced" traced
check arrived "@$dir/known.json" until_true 60 known

# Jobs wait for their order: on a busy machine it comes late even if it
# is known.
wait="for _ in \$(seq 300); do
		[ -e $spool/hosts/\$SLURM_JOB_ID ] && break; sleep 0.1; done; "
out=$(job -- "$wait srun $where")
check found "$out; $(cat "$dir/known.json")" ordered "$out"
out=$(job -- "$wait srun -N1 -n1 -w n1 sh -c 'cat \$PREDICT_HOSTFILE'
	srun $where")
check again "$out" ordered "$(tail -1 <<<"$out")"
check file "$out" test "$(sed '1d;$d' <<<"$out" | paste -sd ' ')" = \
	"$(tail -1 <<<"$out")"

# All of these steps have the order of the user, or of none.
out=$(job -- "$wait srun -m block $where; SLURM_DISTRIBUTION=block srun $where
	srun -N4 -n4 -w n[1-4] $where")
check own_distribution "$out" test "$(sort -u <<<"$out")" = "$blocks"
out=$(job -m block -- "$wait srun $where")
check own_distribution_of_job "$out" test "$out" = "$blocks"
out=$(job -- "$wait srun -n2 -N2 $where; srun -n1 true &&
	srun --overlap -n4 $where")
check other_steps "$out" test "$out" = $'n1 n2\nn1 n2 n3 n4'
out=$(job -- "$wait srun -n4 -l true && srun --mpi=none -n 4 $where")
check same_shape "$out" ordered "$out"
out=$(job -- "$wait srun -n4 -N4 $where")
check nodes_given "$out" test "$out" = "$blocks"
# One that has to wait for CPUs.
out=$(job --mem-per-cpu=20 -- "$wait srun sleep 3 & sleep 1; srun $where; wait")
check busy "$out" ordered "$out"
out=$(job -- "$wait srun sh -c 'echo \"\$SLURM_HOSTFILE \$SLURM_DISTRIBUTION.\"'")
check not_inherited "$out" test -z "$(grep -E 'arbitrary|hosts' <<<"$out")"
out=$(job -c 2 -- "$wait srun -c \$SLURM_CPUS_PER_TASK $where; srun $where
	srun -c 1 $where")
check two_cpus "$out" ordered "$(head -1 <<<"$out")"
check two_cpus_of_job "$out" ordered "$(sed -n 2p <<<"$out")"
check other_cpus "$out" test "$(tail -1 <<<"$out")" = "$blocks"
out=$(job --predict=advise -- "$wait srun $where
	SLURM_HOSTFILE=$spool/hosts/\$SLURM_JOB_ID srun -m arbitrary $where")
check advise "$out" test "$(head -1 <<<"$out")" = "$blocks"
check advise_file "$out" ordered "$(tail -1 <<<"$out")"
out=$(job --predict=observe -- "srun $where; echo \$PREDICT_HOSTFILE.")
check observe "$out" test "$out" = "$blocks"$'\n.'
out=$(job --export=ALL,PREDICT_HOSTFILE=/x,PREDICT_APPLICATION=other -- \
	"srun $where; echo \$PREDICT_HOSTFILE.")
check other_application "$out" test "$out" = "$blocks"$'\n.'

# forged OPTION... -- NODES SCRIPT: a job that writes an order of these nodes
# itself, of an application that has none; its output and what srun says of it
forged() {
	local options=()

	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	job --export=ALL,PREDICT_APPLICATION=other "${options[@]}" -- "printf '%s\n' \
		'# slurm-predict mode=act gain=2.00' $2 >$spool/hosts/\$SLURM_JOB_ID
		$3"
	# What srun says of other numbers of tasks, with an order or without.
	grep -v "[Ww]arning: can't \|^srun: .*temporarily disabled\|^srun: Step created" \
		"$dir/err"
}
out=$(forged -- 'n3 n1 n4 n2' "srun $where; srun -n2 $where; srun $where
	srun -n 3 $where; SLURM_NTASKS=2 srun -N2 $where; srun $where")
check forged "$out" test "$(sed -n '1p;3p;6p' <<<"$out" | uniq)" = 'n3 n1 n4 n2'
# Where steps before have just ended, Slurm may take two other nodes.
ascend() {
	local want=$'^n1 n2\nn1 n2 n3\n(n1 n[2-4]|n2 n[34]|n3 n4)$'

	[[ $(sed '1d;3d;6d' <<<"$1") =~ $want ]]
}
check fewer_ranks "$out" ascend "$out"
out=$(forged -- 'n3 n1 n4 n2' "srun -O -n 8 $where; srun -O -m block -n 8 $where")
check more_ranks "$out" test "$(wc -w <<<"$out")/$(uniq <<<"$out" | wc -l)" = 16/1
out=$(forged -- 'n3 n1 n4 n2' "srun --exact -n 2 sleep 2 & srun --exact -n 2 $where
	wait; srun $where")
check parts_of_a_job "$out" test "$out" = $'n3 n4\nn3 n1 n4 n2' -o \
	"$out" = $'n1 n2\nn3 n1 n4 n2'
out=$(forged --ntasks-per-node=2 -- 'n1 n2 n3 n4 n4 n3 n2 n1' "srun $where
	srun -n 4 $where")
check two_on_each "$out" test "$out" = \
	$'n1 n2 n3 n4 n4 n3 n2 n1\nn1 n2 n3 n4'
out=$(forged -- 'n3 n1 n3 n2' "srun $where")
check other_nodes "$out" test "$out" = "$blocks"
# Of two components, and the same without the second.
out=$(forged -N2 -- 'n2 n1' "srun $where")
check two_nodes "$out" test "$out" = 'n2 n1'
out=$(forged -N2 : -N2 --ntasks-per-node=1 -- 'n2 n1' "srun $where
	srun --het-group=0 $where; srun --het-group=0,1 $where")
check components "$out" test "$out" = $'n1 n2\nn1 n2\nn1 n2 n3 n4'
out=$(on salloc -Q -N4 --ntasks-per-node=1 srun sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME' |
	sort -n | cut -d ' ' -f 2 | paste -sd ' ')
check from_outside "$out" test "$out" = "$blocks"
check files_gone "$(ls "$dir"/spool/*/hosts)" until_true 10 files_gone

# mpirun starts its daemons by srun.
check mpirun "@$dir/mpirun" by_mpirun
sed -i 's/$/ order=no/' "$dir/cluster/etc/plugstack.conf"
out=$(job -- "srun $where")
check refused_by_site "$out" test "$out" = "$blocks"
sed -i 's/ order=no$//' "$dir/cluster/etc/plugstack.conf"
"$stack" kill "$dir" predictd
out=$(job -- "srun $where; echo \$PREDICT_HOSTFILE.")
check no_predictd "$out" test "$out" = "$blocks"$'\n.'
exit "$failed"
