#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_moldable.sh - predict_nodes on a real cluster: a job that leaves its
# number of nodes open gets the best one of those that are free, and waits
# for none
#
# The program sleeps for 1 + 4 / n seconds, as a program with serial and divided
# work would run: the least n T(n)^2 is at four nodes, and three or five are
# within two percent of it.  It is run on 1, 2 and 4 nodes first.
#
# Runs alone: where run times stray, jobs are left to Slurm.
# Runs long: its jobs run one after the other.
#
# usage: test_moldable.sh BUILD
# shellcheck disable=SC2317 # functions are called by trap and check
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_moldable.sh BUILD}")
dir=$build/moldable
log=$dir/cluster/log/slurmctld.log
rounds=5
failed=0

# shellcheck source=needs.bash
. "$here/needs.bash"
need_select moldable "$build"

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status || failed)) || rm -rf "$dir"
	exit $((status || failed))
}

in_cluster() { "$cluster" run "$dir/cluster" "$@" </dev/null; }

# check NAME WHAT-IS-WRONG COMMAND...: one test
check() {
	if "${@:3}"; then
		echo "ok moldable_$1"
	else
		echo "not ok moldable_$1 - $2"
		failed=1
	fi
}

# shellcheck source=until.bash
. "$here/until.bash"

submit() { # OPTION...: the id; the message is in $dir/message
	in_cluster sbatch --parsable -o /dev/null -D /tmp "$@" "$dir/job.sh" \
		2>"$dir/message"
}
occupy() { # SECONDS OPTION...: with another program
	in_cluster sbatch -Q --parsable -o /dev/null -D /tmp --predict=off \
		"${@:2}" --wrap "sleep $1"
}
# Its number of nodes once it runs; 0: it waits.
given() {
	local all

	all=$(in_cluster scontrol -o show job "$1")
	[[ $all == *JobState=PENDING* ]] && echo 0 && return
	[[ $all =~ NumNodes=([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}
runs() { [[ $(given "$1") != 0 ]]; }
starts() { until_true 5 runs "$1"; }
empty() { [[ -z $(in_cluster squeue -h) ]]; }
is_gone() { ! in_cluster squeue -h -j "$1" 2>/dev/null | grep -q .; }
clear_queue() {
	in_cluster scancel -u root
	until_true 20 empty
}
message_has() { grep -q "$1" "$dir/message"; }

# What the last submission said; runs since the first one may have changed it.
best_told() {
	sed -n 's/.*predict: \([0-9]*\) of 1-8 nodes is best.*/\1/p' "$dir/message"
}

# gets NAME EXPECTED OPTION...: starts at once, on that number of nodes; `told`:
# on what its own submission said, as 3, 4 and 5 are nearly as good
gets() {
	local id got expected=$2

	id=$(submit "${@:3}")
	[[ $expected != told ]] || expected=$(best_told)
	starts "$id"
	got=$(given "$id")
	check "$1" "$got nodes instead of $expected" test "$got" = "$expected"
	in_cluster scancel "$id"
	until_true 20 is_gone "$id" # others may occupy nodes
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
cat >"$dir/gres.conf" <<'END'
GresTypes=tape
NodeName=n[1-8] CPUs=4 RealMemory=4000 Feature=any Gres=tape:1 State=UNKNOWN
END
"$stack" up "$dir" "$build" --nodes 8 --cap 0 --select on --mode advise \
	--conf "$dir/gres.conf" \
	--tokens "predict_place=off,predict_nodes=act,predict_nodes.debug=observe" \
	|| exit
! select_stands_back moldable "$log" || exit 0
in_cluster scontrol setdebug debug
cat >"$dir/job.sh" <<'END'
#!/bin/bash
#PREDICT application=scaled
sleep "$(awk -v n="$SLURM_JOB_NUM_NODES" 'BEGIN { print 1 + 4 / n }')"
END
chmod 755 "$dir/job.sh"

# --- What is known of it ------------------------------------------------------

submit -N 1-8 -t 5 >/dev/null
check nothing_known "$(cat "$dir/message")" eval '! message_has "is best"'
clear_queue
for ((i = 0; i < rounds; i++)); do
	for n in 1 2 4; do
		submit -N "$n" -t 5 >/dev/null
	done
	until_true 30 empty
done
sleep 2 # collectors report

id=$(submit -N 1-8 -t 5)
sed 's/^/# /' "$dir/message"
best=$(sed -n 's/.*predict: \([0-9]*\) of 1-8 nodes is best.*/\1/p' "$dir/message")
check line "$(cat "$dir/message")" \
	eval 'message_has "of 1-8 nodes is best (.*% efficient); 8 is fastest"'
check best_number "${best:-none} instead of 3 to 5" \
	test "${best:-0}" -ge 3 -a "${best:-0}" -le 5
in_cluster scancel "$id"
until_true 20 empty

# --- The number that it gets --------------------------------------------------

gets free told -N 1-8 -t 5
gets least_above 6 -N 6-8 -t 5
gets most_below 2 -N 1-2 -t 5
gets not_open 7 -N 7 -t 5
gets exclusive told -N 1-8 -t 5 --exclusive
gets use_min 2 -N 2-8 -t 5 --use-min-nodes
gets user_off 8 -N 1-8 -t 5 --predict-nodes=off
gets user_advise 8 -N 1-8 -t 5 --predict-nodes=advise
check user_advise_line "$(cat "$dir/message")" message_has 'of 1-8 nodes is best'
PREDICT_NODES_MODE=off gets user_environment 8 -N 1-8 -t 5
gets user_cannot_raise 8 -N 1-8 -t 5 -p debug --predict-nodes=act
check observe_silent "$(cat "$dir/message")" \
	eval '! message_has "of 1-8 nodes"'
check observe_logged "no line in slurmctld's log" \
	grep -q '[345] nodes would be best, it gets 8' "$log"
in_cluster scontrol update nodename=n[2-3] \
	availablefeatures=any,fast activefeatures=any,fast
gets feature 2 -N 1-8 -t 5 -C fast
gets other_program 8 -N 1-8 -t 5 --export=ALL,PREDICT_APPLICATION=other

id=$(submit -N 1-8 -t 5 --array=1-2)
best=$(best_told)
starts "${id}_1" && starts "${id}_2"
got=$(in_cluster squeue -h -j "$id" -o %D | tr '\n' ' ')
check array "$got instead of $best each" test "$got" = "$best $best "
clear_queue

# Eight tasks on however many nodes: other runs count, of at least two nodes of
# four CPUs.  Models go by the number of tasks, and have to get used to it: as
# another program, or their quantiles' record would be that of the first one,
# too.  With --export slurmd would load the user's environment before the
# script, for a second or not.
export PREDICT_APPLICATION=eight
eight=(-n 8 -t 5)
for ((i = 0; i < 4; i++)); do
	for n in 2 4 8; do
		submit -N "$n" "${eight[@]}" >/dev/null
	done
	until_true 30 empty
done
sleep 2
id=$(submit -N 1-8 "${eight[@]}")
sed 's/^/# /' "$dir/message"
best_of_8=$(sed -n 's/.*predict: \([0-9]*\) of 1-8 nodes is best.*/\1/p' \
	"$dir/message")
check tasks_line "${best_of_8:-none} instead of 3 to 5" \
	test "${best_of_8:-0}" -ge 3 -a "${best_of_8:-0}" -le 5
in_cluster scancel "$id"
until_true 20 empty
gets tasks told -N 1-8 "${eight[@]}"
unset PREDICT_APPLICATION

# --- It waits for none --------------------------------------------------------

occupy 60 -N 6 --exclusive -t 2 >/dev/null
gets_what_is_free() {
	local id

	id=$(submit -N 1-8 -t 5 --exclusive)
	starts "$id"
	got=$(given "$id")
	[[ $got == 2 ]]
}
check fewer_free "${got-} nodes instead of 2" gets_what_is_free
clear_queue

# A node with free CPUs but no free tape is no free node.
id=$(submit -N 1-8 -t 5 --gres=tape:1)
starts "$id"
check gres "$(given "$id") nodes instead of $(best_told)" \
	test "$(given "$id")" = "$(best_told)"
clear_queue
first=$(occupy 60 -N 6 --gres=tape:1 -t 2)
starts "$first"
gets gres_fewer_free 2 -N 1-8 -t 5 --gres=tape:1
gets gres_free_only 2 -N 2-8 -t 5 --gres=tape:1 -C any
first=$(occupy 60 -N 2 --gres=tape:1 -t 2)
starts "$first"
id=$(submit -N 1-8 -t 5 --gres=tape:1)
sleep 2
check gres_none_free "it runs on $(given "$id") nodes" \
	test "$(given "$id")" = 0
clear_queue

# Behind a job that waits for all nodes, by backfill.
first=$(occupy 60 -N 1 --exclusive -t 3)
starts "$first"
second=$(occupy 1 -N 8 --exclusive -t 1)
id=$(submit -N 1-8 -t 1)
best=$(best_told)
until_true 15 runs "$id"
check backfill "$(given "$id") nodes instead of $best" \
	test "$(given "$id")" = "$best"
check backfill_waits "the other job does not wait" test "$(given "$second")" = 0
clear_queue

# --- Restarts -----------------------------------------------------------------

id=$(submit -N 1-8 -t 5 -H)
best=$(best_told)
"$cluster" restart-ctld "$dir/cluster"
sleep 4 # a snapshot
in_cluster scontrol release "$id"
starts "$id"
check slurmctld_restarted "$(given "$id") nodes instead of $best" \
	test "$(given "$id")" = "$best"
clear_queue
"$stack" kill "$dir" predictd
gets predictd_dead 8 -N 1-8 -t 5
exit "$failed"
