#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_unequal_ranks.sh - a slow node is as good where a rank with little to
# do goes
#
# A real cluster with the select plugin, and competitors on n2.  By the trace of
# an earlier run the second of three ranks has a fifth of the others' work, in
# another program the third: later jobs of the one get n2 as their second node,
# those of the other do not.  These traces are made here, for jobs that slept:
# what a real one says depends on the load of the machine.  So of the trace of a
# real program only the work of its ranks is compared.
#
# Runs alone: it measures the load of nodes.
# Runs long: it waits for loads, traces and weights to become known.
#
# usage: test_unequal_ranks.sh BUILD
# shellcheck disable=SC2016 # scripts of jobs are expanded when they run
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
blocks_py=$here/trace_blocks.py
build=$(realpath -- "${1:?usage: test_unequal_ranks.sh BUILD}")
dir=$build/unequal_ranks
test=unequal_ranks
# shellcheck source=checks.bash
. "$here/checks.bash"
# shellcheck source=needs.bash
. "$here/needs.bash"
need_select unequal_ranks "$build"

on() { "$contrib/cluster/cluster" run "$dir/cluster" "$@" </dev/null; }

# job NAME [OPTION]...: a job of three ranks that counts as NAME; its nodes
job() {
	local name=$1

	shift
	rm -f "$dir/out"
	on env PREDICT_APPLICATION="$name" sbatch -W -N3 --ntasks-per-node=1 -t 2 \
		--parsable -o "$dir/out" "$@" \
		--wrap 'echo "$SLURM_JOB_NODELIST"; sleep ${SECONDS_OF_JOB:-0}' \
		>"$dir/id" 2>"$dir/err" || echo "failed: $(cat "$dir/err")"
	cat "$dir/out" 2>/dev/null
}

# traced NAME WORK WORK WORK: seconds of its ranks
traced() {
	local name=$1 id rank

	shift
	SECONDS_OF_JOB=8 job "$name" -w 'n[1-3]' >/dev/null
	id=$(head -1 "$dir/id")
	for rank in 0 1 2; do
		"$blocks_py" file "$rank" 3 "$1" |
			"$blocks_py" block "$id" 0 00ff "$rank" 3 n$((rank + 1)) \
				0 last >"$dir/block"
		shift
		curl -sSf --max-time 20 --unix-socket "$run/predictd.sock" \
			http://localhost/v1/traces -d @"$dir/block" \
			>>"$dir/traced" 2>&1 || return
	done
}
known() {
	spredict --json whatif --application="$1" --ranks=3 --best \
		>"$dir/known.json" 2>&1
}

# A program whose three strips have 2, 5 and 4 parts of the work.
heat_traced() {
	on sbatch -W -N3 --ntasks-per-node=1 -t 4 -w 'n[1,3-4]' \
		--predict-profile=trace -o "$dir/heat" \
		"$contrib/mpi/heat.sbatch" -n 2000 -i 80 -u >/dev/null 2>&1
}

# available NODE: in percent, as predictd forecasts it for the next minute
available() {
	"$stack" get "$dir" '/v1/snapshot?cluster=little' 2>/dev/null |
		awk -v node="$1" '$1 == "n" && $2 == node && $4 != "-" {
			print int($4 / 100); found = 1 }
			END { if (!found) print 100 }'
}
is_slow() { (($(available n2) * 10 < $(available n1) * 6)); }

# weights FORMAT: letters of jobs in that format of the snapshot
weights() {
	"$stack" get "$dir" "/v1/snapshot?cluster=little&format=$1" |
		awk '$1 == "j" && NF > 18 { print $19 }'
}
# learned NAME LETTERS: a job that waits has such ones.  Work counts by the
# speed of the CPU that did it, and two threads of a core run at .6 each while
# both compute: the letters allow for that.  The first job after a trace has
# none: it is what makes predictd read that.
learned() {
	on env PREDICT_APPLICATION="$1" sbatch -H -N3 --ntasks-per-node=1 -t 2 \
		--wrap true >/dev/null 2>&1
	sleep 1 # a snapshot is made twice a second
	weights 4 | grep -qx "$2"
}
# as_good: the line's set takes as long as Slurm's own, up to two seconds
as_good() {
	sed -nE 's/.*, ([0-9]+) s instead of ([0-9]+) s.*/\1 \2/p' <<<"$line" |
		awk '{ exit !($2 - $1 <= 2) } END { if (!NR) exit 1 }'
}
# light: a job whose middle rank has little to do gets n2, or nodes that are no
# better than those of Slurm's own order, which has n2 in the middle: others are
# measured as slow for a while on a shared machine, and are as good there
light() {
	local nodes

	nodes=$(SECONDS_OF_JOB=8 job middle)
	line=$(grep 'predict: JobId=' "$log" | tail -1)
	[[ $nodes == 'n['* ]] && { [[ $nodes != 'n[1,3-4]' ]] || as_good; }
}
# apart NAME [OPTION]...: such a job does not get n2
apart() {
	out=$(job "$@")
	[[ $out == 'n[1,3-4]' ]]
}
# Clients get a format that they read, those of the release before theirs.
formats() {
	[[ -n $(weights 4) && $(weights 9) == "$(weights 4)" &&
		-z $(weights 3) &&
		$("$stack" get "$dir" /v1/snapshot) == "snapshot 3 "* &&
		$("$stack" get "$dir" '/v1/snapshot?format=2') == *'at least 3'* ]]
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
STACK_TIMEOUT_MS=1000 "$stack" up "$dir" "$build" --nodes 4 --cap 20 --select on \
	--mode act || exit
eval "$("$stack" env "$dir")"
run=$(sed -n 's/^run=//p' "$dir/settings")
log=$dir/cluster/log/slurmctld.log
on scontrol setdebug debug
"$contrib/cluster/cluster" load "$dir/cluster" n2 2 || exit
if select_stands_back unequal_ranks "$log"; then
	exit "$failed"
fi
check slow "$(available n2) $(available n1)" until_true 60 is_slow
sleep 5 # the plugin looks every two seconds

check untraced "@$dir/out" until_true 20 apart middle
check traced "@$dir/traced" traced middle 1 .2 1
check traced_last "@$dir/traced" traced last 1 1 .2
check arrived "@$dir/known.json" until_true 60 known middle
check arrived_last "@$dir/known.json" until_true 60 known last

check learned "$(weights 4)" until_true 60 \
	learned middle '[T-Za-z][6-9A-M][T-Za-z]'
check learned_last "$(weights 4)" until_true 60 \
	learned last '[T-Za-z][T-Za-z][6-9A-M]'
check formats "$(weights 3)" formats
line=''
check light "@$dir/out:$log" until_true 40 light
echo "# $line"
# It ran for 8 s when it was traced, or some more on a busy machine; with as
# much work as the others n2 would take three times as long.
check time "$line" grep -qE ', ([6-9]|1[0-6]) s instead of' <<<"$line"
check heavy "@$dir/out" until_true 20 apart last
# With tasks in an order of the user's own, its blocks say nothing.
check own_order "@$dir/out" until_true 20 apart middle -m cyclic

check heat "@$dir/heat" heat_traced
check heat_arrived "@$dir/known.json" until_true 60 known heat
check heat_learned "$(weights 4)" until_true 60 \
	learned heat '[B-Za-o][T-Za-z][T-Za-z]'
exit "$failed"
