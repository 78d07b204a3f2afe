#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_collect.sh - each way in which a job can end, as it gets into the history
#
# A real cluster with both plugins, a collectord on each node, predictd and
# PostgreSQL. Jobs end in every way there is; afterwards the history must say
# so, each once, with the shares of all nodes.
#
# usage: test_collect.sh BUILD
# shellcheck disable=SC2016 # scripts of jobs are expanded when they run
set -u -o pipefail

conninfo='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_collect.sh BUILD}")
dir=$build/collect
failed=0

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status || failed)) || rm -rf "$dir"
	exit $((status || failed))
}

on_ctl() { "$cluster" run "$dir/cluster" "$@" </dev/null; }
batch() { on_ctl sbatch --parsable -o /dev/null "$@" 2>/dev/null; }
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }

# result NAME STATUS WHAT-IS-WRONG. STATUS is $? of the check before, and has to
# be named: WHAT-IS-WRONG may run commands of its own.
result() {
	if (($2 == 0)); then
		echo "ok collect_$1"
	else
		echo "not ok collect_$1 - $3"
		failed=1
	fi
}

# shellcheck source=until.bash
. "$here/until.bash"

states() { # JOB: states of its runs, in the order of their starts
	sql "SELECT string_agg(state, ',' ORDER BY started_at) FROM runs
		WHERE job_id = $1"
}
shares() { sql "SELECT count(*) FROM run_shares WHERE job_id = $1"; }
has_states() { [[ $(states "$1") == "$2" ]]; }
has_shares() { [[ $(shares "$1") == "$2" ]]; }
holds() { [[ $(sql "SELECT coalesce(bool_and($1), false) FROM runs
	WHERE job_id = $2") == t ]]; }

ends_as() { # NAME JOB STATES [SHARES]
	until_true "${timeout_s:-60}" has_states "$2" "$3"
	result "$1" $? "job $2 is '$(states "$2")', not $3"
	[[ -z ${4-} ]] || {
		until_true 60 has_shares "$2" "$4"
		result "$1_shares" $? "job $2: $(shares "$2") shares, not $4"
	}
}

# --- Options ------------------------------------------------------------------

test_options() {
	local out option id

	for option in --predict=maybe --predict= --predict-param=n \
		--predict-param=n= --predict-param==1; do
		! out=$(on_ctl sbatch "$option" --wrap true 2>&1) &&
			[[ $out == *"$option"* ]]
		result "refused_$option" $? "taken, or not named: $out"
	done
	id=$(batch --predict-param=m=1 --predict-param=q=2.5 \
		--predict-param=m=7 -J options -w n1 --wrap true)
	ends_as options "$id" COMPLETED 1
	out=$(sql "SELECT string_agg(name || '=' || value, ' ' ORDER BY name)
		FROM run_parameters JOIN runs USING (run_id)
		WHERE job_id = $id AND name IN ('m', 'q')")
	[[ $out == "m=7 q=2.5" ]]
	result parameters $? "the run has '$out'"
	out=$(on_ctl srun -Q --predict-param=m=3 --predict=observe -J "by srun" -w n2 \
		sh -c 'echo in' 2>&1)
	[[ $out == in ]]
	result srun_options $? "srun says '$out'"
	until_true 60 by_srun
	result srun_known $? "no run is called 'by srun'"
	ends_as srun "${id:-0}" COMPLETED 1
}

by_srun() {
	id=$(sql "SELECT max(job_id) FROM runs WHERE job_name = 'by srun'")
	[[ -n $id ]]
}

# --- Ends ---------------------------------------------------------------------

test_plain_ends() {
	local ok bad array id submitted

	submitted=$EPOCHREALTIME
	ok=$(batch -w n1 --wrap "date +%s.%N >$dir/begun; sleep 2.5
		date +%s.%N >$dir/done")
	bad=$(batch -w n1 --wrap 'sleep 0.5; exit 3')
	array=$(batch -w n1 --array=5-6 --wrap 'sleep 0.3; exit $((SLURM_ARRAY_TASK_ID - 5))')
	id=$(batch -w n2 --wrap 'sleep 100')
	ends_as running "$id" RUNNING
	on_ctl scancel "$id"
	ends_as cancelled "$id" CANCELLED 1
	ends_as completed "$ok" COMPLETED 1
	# Between what its script has seen and what we have.
	holds "EXTRACT(epoch FROM ended_at - started_at)
			BETWEEN $(cat "$dir/done") - $(cat "$dir/begun") - 0.2
			AND $EPOCHREALTIME - $submitted
		AND prediction_id IS NOT NULL AND nodes = 1
		AND node_list = 'n1' AND exit_code = 0" "$ok"
	result completed_fields $? "$(sql "SELECT * FROM runs WHERE job_id = $ok")"
	ends_as failed "$bad" FAILED 1
	holds "exit_code = 3 AND exit_signal = 0" "$bad"
	result exit_code $? "$(sql "SELECT * FROM runs WHERE job_id = $bad")"
	until_true 60 is_array "$array"
	result array $? "tasks: $(sql "SELECT array_task_id, state FROM runs
		WHERE array_job_id = $array")"
	on_ctl salloc -Q -N2 -w "n[1-2]" -J by-salloc srun -Q -N2 sleep 0.5 2>/dev/null
	until_true 60 is_salloc
	result salloc $? "$(sql "SELECT * FROM runs
		WHERE job_name = 'by-salloc'")"
}
is_array() { [[ $(sql "SELECT string_agg(array_task_id || state, ' '
	ORDER BY array_task_id)
	FROM runs WHERE array_job_id = $1") == "5COMPLETED 6FAILED" ]]; }
is_salloc() { [[ $(sql "SELECT state, nodes FROM runs
	WHERE job_name = 'by-salloc'") == "COMPLETED|2" ]]; }

test_requeue() {
	local id

	id=$(batch -w n3 --requeue --wrap 'sleep 100')
	ends_as requeue_runs "$id" RUNNING
	on_ctl scontrol requeue "$id"
	ends_as requeued "$id" REQUEUED 1
	on_ctl scancel "$id"
}

# Suspended time is in no run time.
test_suspended() {
	local id

	id=$(batch -w n3 --wrap 'sleep 2')
	ends_as suspended_runs "$id" RUNNING
	on_ctl scontrol suspend "$id"
	until_true 60 is_suspended "$id"
	sleep 2.2
	on_ctl scontrol resume "$id"
	ends_as resumed "$id" COMPLETED 1
	holds "suspended_s >= 2
		AND suspended_s <= EXTRACT(epoch FROM ended_at - started_at)" "$id"
	result suspended $? "$(sql "SELECT * FROM runs WHERE job_id = $id")"
}
is_suspended() { [[ $(on_ctl squeue -h -o %T -j "$1") == SUSPENDED ]]; }

test_mpi() {
	local id

	id=$(batch -w 'n[1-2]' -N2 --ntasks-per-node=1 --exclusive \
		--export=ALL,NBODY="$build/bin/nbody" \
		"$contrib/mpi/nbody.sbatch" -n 1500 -s 20)
	timeout_s=60 ends_as mpi "$id" COMPLETED 2
	[[ $(sql "SELECT count(*) FROM run_shares WHERE job_id = $id
		AND cpu_s > 0.05 AND peak_memory_mb > 5 AND tasks > 0") == 2 ]]
	result mpi_cpu_time $? "$(sql "SELECT * FROM run_shares
		WHERE job_id = $id")"
}

# Nobody is at home: the records wait, also for a collector that was killed.
test_predictd_away() {
	local id

	"$stack" kill "$dir" predictd
	id=$(batch -w n2 --wrap 'sleep 0.2')
	until_true 60 waits_on n2
	result kept_on_disk $? "nothing in the spool of n2"
	"$stack" kill "$dir" collectord n2
	"$stack" start "$dir" predictd
	"$stack" wait "$dir"
	"$stack" start "$dir" collectord n2
	ends_as sent_later "$id" COMPLETED 1
}
waits_on() { compgen -G "$dir/spool/$1/queue/*.run" >/dev/null; }

# The collector is not there while a job starts and ends.
test_collectord_away() {
	local id

	"$stack" kill "$dir" collectord n2
	id=$(batch -w n2 --wrap 'sleep 0.5')
	sleep 3
	"$stack" start "$dir" collectord n2
	ends_as seen_later "$id" COMPLETED 1
}

# --- A node that dies, and a limit: both take a while, and go on together -----

start_slow_ones() {
	slow_limit=$(batch -w n3 -t 1 --wrap 'sleep 1000')
	slow_dead=$(batch -w n4 --no-requeue --wrap 'sleep 1000')
	slow_again=$(batch -w n4 --requeue --wrap 'sleep 1000')
	slow_deputy=$(batch -w 'n[3-4]' -N2 --no-requeue \
		--wrap 'srun sleep 1000')
	for id in $slow_limit $slow_dead $slow_again $slow_deputy; do
		ends_as "slow_$id" "$id" RUNNING
	done
	"$cluster" stop-node "$dir/cluster" n4
}

finish_slow_ones() {
	timeout_s=110
	ends_as timeout "$slow_limit" TIMEOUT 1
	until_true 60 is_noticed
	result death_noticed $? "slurmctld believes in $slow_dead"
	"$cluster" start-node "$dir/cluster" n4 >/dev/null 2>&1 || :
	"$stack" start "$dir" collectord n4
	ends_as node_fail "$slow_dead" NODE_FAIL
	ends_as node_fail_requeued "$slow_again" REQUEUED
	ends_as node_fail_of_two "$slow_deputy" NODE_FAIL
	on_ctl scancel "$slow_again"
}
is_noticed() { on_ctl scontrol -o show job "$slow_dead" |
	grep -q JobState=NODE_FAIL; }

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" || exit
# shellcheck disable=SC1091
. "$dir/settings"

start_slow_ones
test_options
test_plain_ends
test_requeue
test_suspended
test_mpi
test_predictd_away
test_collectord_away
finish_slow_ones
[[ $(sql "SELECT count(*) FROM runs WHERE state = 'RUNNING'") == 0 ]]
result none_left $? "$(sql "SELECT * FROM runs WHERE state = 'RUNNING'")"
[[ $(sql "SELECT count(*) FROM runs WHERE state = 'COMPLETED'") == \
	$(sql "SELECT count(DISTINCT job_id) FROM runs
		WHERE state = 'COMPLETED'") ]]
result none_double $? "a run is there twice"
[[ -z $(compgen -G "$dir/spool/*/refused/*") ]]
result none_refused $? "$(ls "$dir"/spool/*/refused/)"
known=$(sql "SELECT count(DISTINCT node_id) FROM measurements
	WHERE cpu_turn_s >= 0 AND cpu_credit_s >= 0")
[[ $known == 4 ]]
result scheduler_known $? "of $known nodes, not of 4"
