#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_select.sh - the select plugin on a real cluster: jobs get the nodes where
# they run best, whatever they ask for, and Slurm's own when we cannot tell
#
# Conditions come from a file, so that it is known which nodes are best; the
# rest is real. test_placement.sh has real load, and a real predictd.
#
# usage: test_select.sh BUILD
# shellcheck disable=SC2317 # functions are called by trap and check
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cluster=$here/../../contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_select.sh BUILD}")
dir=$build/select
failed=0
server=

# shellcheck source=needs.bash
. "$here/needs.bash"
need_select select "$build"

finish() {
	local status=$?

	[[ -z $server ]] || kill "$server" 2>/dev/null || :
	"$cluster" down "$dir/cluster" >/dev/null || status=1
	[[ -z ${sockets-} ]] || rm -rf "$sockets"
	((status)) || rm -rf "$dir"
	exit "$status"
}

# The calls that a select plugin has.
calls() {
	nm -D --defined-only "$1" | awk '$3 ~ /^select_p_/ { print $3 }' | sort
}

in_cluster() { "$cluster" run "$dir/cluster" "$@"; }

# same NAME EXPECTED GOT: one test
same() {
	if [[ $3 == "$2" ]]; then
		echo "ok select_$1"
	else
		echo "not ok select_$1 - $3 instead of $2"
		failed=1
	fi
}

# conditions_file NODE=AVAILABLE...: of now on; its version in $version
conditions_file() {
	"$here/snapshots.py" --write "$@" >"$dir/new"
	version=$(awk '{ print $4; exit }' "$dir/new")
	mv "$dir/new" "$dir/snapshot"
}

# conditions NODE=AVAILABLE...: the same, and wait until the plugin has them
conditions() {
	conditions_file "$@"
	for _ in {1..100}; do
		! grep -q "predict: new snapshot: version $version" "$log" ||
			return 0
		sleep 0.1
	done
	echo "not ok select_conditions - no new snapshot"
	failed=1
}

# settle: until no node is completing a job
settle() {
	for _ in {1..100}; do
		[[ -n $(in_cluster squeue -h -t CG) ]] || return 0
		sleep 0.05
	done
}

# registered: until all nodes are there again; since 23.11 slurmctld begins anew
# when it is reconfigured
registered() {
	for _ in {1..100}; do
		grep -qE '\*|unk' <<<"$(in_cluster sinfo -h -N -o %t)" ||
			return 0
		sleep 0.05
	done
}

# where OPTION...: the nodes that such a job gets
where() {
	settle
	in_cluster timeout 5 salloc -Q "$@" printenv SLURM_JOB_NODELIST 2>&1 |
		tail -n 1
}

# hold OPTION...: start such a job that stays, its id in $id
hold() {
	settle
	id=$(in_cluster sbatch --parsable -o /dev/null "$@" \
		--wrap 'sleep 600')
	wait_state "$id" RUNNING
}

wait_state() { # ID STATE
	for _ in {1..100}; do
		[[ -z $(in_cluster squeue -h -j "$1" -t "$2" 2>/dev/null) ]] ||
			return 0
		sleep 0.1
	done
	in_cluster scontrol show job "$1" >&2
	return 1
}

nodes_of() { in_cluster squeue -h -j "$1" -o %N; }
cancel() {
	in_cluster scancel "$@"
	for _ in {1..100}; do
		[[ -n $(in_cluster squeue -h -t R,PD,CG,S) ]] || return 0
		sleep 0.1
	done
}

# tell Slurm what every kind of job gets, in a partition: to compare
sequence() {
	local first

	hold -p "$1" -N1 --exclusive
	first=$id
	echo "$(nodes_of "$first") $(where -p "$1" -N1) $(where -p "$1" -n6) \
$(where -p "$1" -N2-3) $(where -p "$1" -C b) $(where -p "$1" -N2 --exclusive)"
	cancel "$first"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
sockets=$(mktemp -d /tmp/select.XXXXXX)
chmod 755 "$sockets"
# A copy, for it will be removed while slurmctld uses it.
cp -r "$build/lib" "$dir/plugins"
"$here/snapshots.py" "$sockets/predictd.sock" "$dir/snapshot" \
	>"$dir/server.out" &
server=$!

cat >"$dir/slurm.conf" <<END
SlurmctldDebug=debug2
SlurmctldParameters=predict_url=unix:$sockets/predictd.sock,predict_place=on,predict_place.stock=off,predict_place.watch=observe
GresTypes=token
NodeName=n[1-4] CPUs=4 RealMemory=4000 Gres=token:2 Feature=any State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=main Nodes=n[1-4] Default=YES State=UP PriorityTier=5
PartitionName=stock Nodes=n[1-4] State=UP PriorityTier=5
PartitionName=watch Nodes=n[1-4] State=UP PriorityTier=5
PartitionName=high Nodes=n[1-4] State=UP PriorityTier=9
PartitionName=twice Nodes=n[1-4] State=UP PriorityTier=5 OverSubscribe=FORCE:2
END
features() {
	in_cluster scontrol update nodename=n1,n3 \
		availablefeatures=any,a activefeatures=any,a
	in_cluster scontrol update nodename=n2,n4 \
		availablefeatures=any,b activefeatures=any,b
}
"$cluster" up "$dir/cluster" --cap 0 --plugin-dir "$dir/plugins" --select on \
	--conf "$dir/slurm.conf"
conf=$dir/cluster/etc/slurm.conf
log=$dir/cluster/log/slurmctld.log
features

# --- No call of Slurm's is missing: slurmctld would end -----------------------

plugins=$(sed -n 's/^PluginDir=.*:\(.*\)$/\1/p' "$conf")
called=$(calls "$plugins/select_cons_tres.so")
same calls_found yes "$([[ $called == *select_p_job_test* ]] && echo yes)"
same calls_missing '' "$(comm -23 <(echo "$called") \
	<(calls "$build/lib/select/select_cons_tres.so"))"

# --- What was built for another micro release lets Slurm choose alone ---------

if select_stands_back select_placed "$log"; then
	conditions_file n1=0.3 n2=1 n3=0.6 n4=0.95
	stock=$(sequence stock)
	same stands_back n1 "${stock%% *}"
	same stands_back_from_all "$stock" "$(sequence main)"
	exit "$failed"
fi

# --- Without conditions all is as ever ----------------------------------------

same no_snapshot n1 "$(where -N1)"
stock=$(sequence stock)
same without_snapshot "$stock" "$(sequence main)"
conditions n1=- n2=- n3=- n4=-
same nothing_known "$stock" "$(sequence main)"

# --- The best nodes, within what is asked for ---------------------------------

conditions n1=0.3 n2=1 n3=0.6 n4=0.95
same one n2 "$(where -N1)"
same off n1 "$(where -p stock -N1)"
same two 'n[2,4]' "$(where -N2)"
same tasks_on_one n2 "$(where -n3)"
same tasks_on_two 'n[2,4]' "$(where -n6)"
same tasks_on_three 'n[2-4]' "$(where -n12)"
same range 'n[2-4]' "$(where -N2-3)"
same all 'n[1-4]' "$(where -N4)"
same required n1 "$(where -w n1)"
same required_and_more 'n[1-2]' "$(where -w n1 -N2)"
same excluded n4 "$(where -x n2)"
same feature n3 "$(where -C a)"
same feature_counts 'n[2-3]' "$(where -N2 -C '[a*1&b*1]')"
same feature_or n2 "$(where -C 'a|b')"
same exclusive 'n[2,4]' "$(where -N2 --exclusive)"
same oversubscribe n2 "$(where -p twice -N1)"
same mem_per_cpu n2 "$(where -n1 --mem-per-cpu=300)"
same test_only n2 "$(in_cluster sbatch --test-only --wrap true 2>&1 |
	sed -n 's/.*on nodes \([^ ]*\) .*/\1/p')"
got=$(where -N2 --contiguous)
same contiguous ok "$([[ $got == 'n[2-3]' || $got == 'n[3-4]' ]] && echo ok)"
same immediate n2 "$(where -I -N1)"

hold -N1 --exclusive
same held n2 "$(nodes_of "$id")"
same next_best n4 "$(where -N1)"
in_cluster scontrol suspend "$id"
same suspended ok "$(wait_state "$id" SUSPENDED && echo ok)"
in_cluster scontrol resume "$id"
same resumed ok "$(wait_state "$id" RUNNING && echo ok)"
cancel "$id"

hold -n3
same shared n2 "$(where -n1)"
same not_enough_left n4 "$(where -n2)"
cancel "$id"

hold -N1 --gres=token:2
same gres n2 "$(nodes_of "$id")"
same gres_taken n4 "$(where -N1 --gres=token:1)"
same gres_of_others n2 "$(where -N1)"
cancel "$id"

# The fastest node has one of its two left: it is not left out.
hold -N1 --gres=token:1
same gres_in_use n2 "$(where -N1 --gres=token:1)"
same gres_in_use_all_taken n4 "$(where -N1 --gres=token:2)"
# n3 and n4 are free for sure; of n2 to n4 Slurm takes the first two.
same gres_in_use_two 'n[2-3]' "$(where -N2 --gres=token:1)"
cancel "$id"
hold -w n1 -N1 --gres=token:1
same gres_in_use_slow n2 "$(where -N1 --gres=token:1)"
cancel "$id"

in_cluster scontrol create reservation reservationname=r users=root \
	nodes=n1,n3 starttime=now duration=10 >/dev/null
same reservation n3 "$(where -N1 --reservation=r)"
same beside_reservation n2 "$(where -N1)"
in_cluster scontrol delete reservationname=r

settle
array=$(in_cluster sbatch --parsable -o /dev/null --array=1-3 -N1 \
	--exclusive --wrap 'sleep 600')
for task in 1 2 3; do wait_state "${array}_$task" RUNNING; done
same array 'n2 n4 n3' "$(for task in 1 2 3; do
	nodes_of "${array}_$task"
done | xargs)"
cancel "$array"

settle
het=$(in_cluster sbatch --parsable -o /dev/null -N1 --exclusive : -N1 \
	--exclusive --wrap 'sleep 600')
wait_state "$het" RUNNING
same het 'n2 n4' "$(in_cluster squeue -h -u root -o %N | sort | xargs)"
cancel "$het"

# --- No job waits, or is preempted, for a better node -------------------------

hold -w n2,n3,n4 -N3 --exclusive
same all_but_worst n1 "$(where -N1)"
same high_preempts_none n1 "$(where -p high -N1)"
same still_running "$id" "$(in_cluster squeue -h -j "$id" -t R -o %A)"
got=$(where -p high -N2)
same high_preempts ok "$([[ $got == 'n['* ]] && echo ok)"
in_cluster scancel -u root
for _ in {1..50}; do
	[[ -n $(in_cluster squeue -h) ]] || break
	sleep 0.1
done

# Jobs that could be preempted have the fastest nodes; others are free.
hold -w n2,n4 -N2 --exclusive
same high_beside_preemptable n3 "$(where -p high -N1)"
same high_two_beside_preemptable 'n[1,3]' "$(where -p high -N2)"
same preemptable_runs "$id" "$(in_cluster squeue -h -j "$id" -t R -o %A)"
got=$(where -p high -N3)
same high_needs_preemption ok "$([[ $got == 'n['* ]] && echo ok)"
same preempted '' "$(in_cluster squeue -h -j "$id" -t R -o %A)"
in_cluster scancel -u root
for _ in {1..50}; do
	[[ -n $(in_cluster squeue -h) ]] || break
	sleep 0.1
done

# --- Only watching ------------------------------------------------------------

same watched n1 "$(where -p watch -N1)"
same watched_log 1 "$(grep -c 'would have been offered n2 ' "$log")"

# --- Equal nodes are Slurm's choice; unknown ones are neither good nor bad ----

conditions n1=0.9 n2=0.9 n3=0.9 n4=0.2
same equal n1 "$(where -N1)"
same equal_but_one 'n[1-3]' "$(where -N3)"
conditions n1=0.3 n2=- n3=0.5 n4=0.9
same unknown n4 "$(where -N1)"
conditions n1=0.3 n3=0.5 n4=0.9
same not_in_snapshot n4 "$(where -N1)"

# --- Changes of the cluster ---------------------------------------------------

conditions n1=0.3 n2=1 n3=0.6 n4=0.95
hold -N1 --exclusive
"$cluster" restart-ctld "$dir/cluster"
features
same restart_keeps_jobs n2 "$(nodes_of "$id")"
same restart n4 "$(where -N1)"
in_cluster scontrol reconfigure
registered
same reconfigure n4 "$(where -N1)"
cancel "$id"
in_cluster scontrol update nodename=n2 state=drain reason=test
same drained n4 "$(where -N1)"
in_cluster scontrol update nodename=n2 state=resume

sed -i 's/n\[1-4\]/n[2-4]/' "$conf"
"$cluster" restart-ctld "$dir/cluster"
same node_removed n2 "$(where -N1)"
same node_removed_two 'n[2,4]' "$(where -N2)"
sed -i 's/n\[2-4\]/n[1-4]/' "$conf"
"$cluster" restart-ctld "$dir/cluster"
features
same node_added 'n[2,4]' "$(where -N2)"

# --- Leaf switches ------------------------------------------------------------

cat >"$dir/cluster/etc/topology.conf" <<END
SwitchName=left Nodes=n[1-2]
SwitchName=right Nodes=n[3-4]
SwitchName=top Switches=left,right
END
echo TopologyPlugin=topology/tree >>"$conf"
"$cluster" restart-ctld "$dir/cluster"
features
# Since 23.11 only the snapshot has the switches; without them --switches
# is Slurm's.
release=$(slurmctld -V | awk '{ print $2 }')
left='' right=''
if [[ $(printf '%s\n' 23.11 "$release" | sort -V | head -n 1) == 23.11 ]]; then
	same switches_unknown "$(where -p stock -N2 --switches=1)" \
		"$(where -N2 --switches=1)"
	left=@0 right=@1
	conditions n1=0.3$left n2=1$left n3=0.6$right n4=0.95$right
fi
stock_pair=$(where -p stock -N2 --switches=1)
same tree_stock ok "$([[ $stock_pair == 'n[1-2]' ||
	$stock_pair == 'n[3-4]' ]] && echo ok)"
same tree 'n[2,4]' "$(where -N2)"
same switches 'n[3-4]' "$(where -N2 --switches=1)"
same switches_of_one n2 "$(where -N1 --switches=1)"
conditions n1=0.9$left n2=0.8$left n3=0.1$right n4=1$right
same switches_other 'n[1-2]' "$(where -N2 --switches=1)"
same switches_two 'n[1,4]' "$(where -N2 --switches=2)"
hold -w n1 -N1 --exclusive
same switches_left 'n[3-4]' "$(where -N2 --switches=1)"
cancel "$id"
rm "$dir/cluster/etc/topology.conf"
sed -i '/^TopologyPlugin/d' "$conf"
"$cluster" restart-ctld "$dir/cluster"
features
conditions n1=0.3 n2=1 n3=0.6 n4=0.95
same tree_gone 'n[2,4]' "$(where -N2)"

# --- Whatever is wrong, Slurm goes on as without us ---------------------------

stock=$(sequence stock)
echo 'snapshot 3 rubbish' >"$dir/snapshot"
"$cluster" restart-ctld "$dir/cluster"
features
same garbage "$stock" "$(sequence main)"
head -c 300000 /dev/urandom >"$dir/snapshot"
sleep 3
same random_garbage "$stock" "$(sequence main)"

conditions n1=0.3 n2=1 n3=0.6 n4=0.95
same good_again n2 "$(where -N1)"
kill "$server"
server=
dead=$SECONDS
same young_snapshot n2 "$(where -N1)"
while ((SECONDS - dead < 33)); do sleep 1; done
same stale_snapshot "$stock" "$(sequence main)"
same stale_log ok "$(grep -q 'the snapshot is too old' "$log" && echo ok)"

"$cluster" restart-ctld "$dir/cluster"
features
same predictd_dead "$stock" "$(sequence main)"

hold -w n2 -N1
rm "$dir/plugins/select/select_cons_tres.so"
"$cluster" restart-ctld "$dir/cluster"
features
same removed_keeps_jobs n2 "$(nodes_of "$id")"
cancel "$id"
same removed "$stock" "$(sequence main)"

exit "$failed"
