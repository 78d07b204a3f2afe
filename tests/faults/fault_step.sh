#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fault_step.sh - the clocks of predictd and collectord step while jobs run
#
# Forwards and back, by minutes to days, as when somebody sets a host's clock;
# first those of the nodes, then that of the controller, then all (step_clock.c;
# Slurm's own daemons keep the right time).  Each run is stored once, with the
# time that it took, and predicted from afterwards; once the clocks are right
# again, nodes are measured and links probed as before.
#
# usage: fault_step.sh BUILD
# shellcheck disable=SC2317 # functions are called by trap and check
set -u -o pipefail

conninfo='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: fault_step.sh BUILD}")
dir=$build/step
test=step
each=8 # jobs for each step
# shellcheck source=../system/checks.bash
. "$here/../system/checks.bash"

# What the daemon has mapped must not be cut.
step() { # FILE SECONDS
	/usr/bin/python3 -c 'import struct, sys
with open(sys.argv[1], "r+b") as file:
    file.write(struct.pack("@l", int(sys.argv[2])))' "$dir/$1" "$2"
}

# stepped FILE PROGRAM CONF ENTER...: start it with that clock
stepped() {
	"${@:4}" env LD_PRELOAD="$dir/step_clock.so" STEP_CLOCK="$dir/$1" \
		setsid -f "$build/sbin/$2" -D -f "$dir/etc/$3.conf" </dev/null \
		>/dev/null 2>>"$dir/log/$3.err"
}
begin() {
	local node

	gcc -O1 -fPIC -shared -D_GNU_SOURCE -o "$dir/step_clock.so" \
		"$here/step_clock.c" -ldl
	head -c 4096 /dev/zero | tee "$dir/controller" >"$dir/nodes"
	"$stack" kill "$dir" predictd
	stepped controller predictd predict "$cluster" run "$dir/cluster"
	for node in n1 n2; do
		"$stack" kill "$dir" collectord $node
		stepped nodes collectord collectord-$node "$cluster" node \
			"$dir/cluster" $node
	done
	"$stack" wait "$dir"
}

submit() {
	local i

	for ((i = 0; i < each; i++)); do
		"$cluster" run "$dir/cluster" sbatch --parsable -o /dev/null \
			-t 5 --wrap 'sleep .3; : app -n 1' 2>/dev/null |
			tail -n 1 >>"$dir/ids"
	done
}
submitted() { wc -l <"$dir/ids"; }
over() {
	[[ -z $("$cluster" run "$dir/cluster" squeue -h -o %i) ]]
}
sql() { psql -XAtq "$conninfo" -c "$1"; }
stored() {
	[[ $(sql "SELECT count(DISTINCT job_id) FROM predict.runs
		WHERE state = 'COMPLETED'") == "$(submitted)" ]]
}
nodes_fresh() {
	"$stack" get "$dir" /v1/nodes |
		jq -e '.nodes | length == 2 and all(.fresh)' >/dev/null
}
links_fresh() {
	"$stack" get "$dir" /v1/links |
		jq -e '.links | length == 2 and all(.fresh)' >/dev/null
}
predicted() {
	"$cluster" run "$dir/cluster" "$build/bin/spredict" --json predict -t 5 \
		--wrap 'sleep .3; : app -n 1' |
		jq -e '.prediction.median_s < 120 and
			.prediction.similar_runs >= 10' >/dev/null
}

# dates PART [NODE]: does its log have those of several days, once it writes?
dates() {
	kill -HUP "$("$stack" pid "$dir" "$@")"
	(($(cut -c2-11 "$dir/log/$(IFS=- && echo "$*").log" | sort -u |
		wc -l) > 1))
}
runs() { "$stack" pid "$dir" "$@" >/dev/null; }

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --nodes 2 --cap 0 --probe 1
# shellcheck disable=SC1091
. "$dir/settings"
export PREDICTD_URL=unix:$run/predictd.sock
begin
: >"$dir/ids"
submit
for change in "nodes 3600" "nodes -600" "controller 86400" "controller -7200" \
	"nodes 172800" "controller 0" "nodes 0"; do
	submit
	# shellcheck disable=SC2086 # two words
	step $change
	until_true 120 over
	case $change in
	"controller 86400")
		check controller "its clock is right" until_true 60 dates predictd
		;;
	"nodes 172800")
		check node "its clock is right" until_true 60 dates collectord n1
		;;
	esac
done
check ends "jobs do not end" over
until_true 120 stored
lost=$(($(submitted) - $(sql "SELECT count(DISTINCT job_id) FROM predict.runs
	WHERE state = 'COMPLETED'")))
double=$(sql "SELECT count(*) - count(DISTINCT job_id) FROM predict.runs")
wrong=$(sql "SELECT count(*) FROM predict.runs WHERE ended_at < started_at OR
	ended_at - started_at > interval '10 min'")
check lost "$lost of $(submitted) jobs are not stored" [ "$lost" = 0 ]
check double "$double runs are stored twice" [ "$double" = 0 ]
check times "$wrong runs have wrong times" [ "$wrong" = 0 ]
check predicted "not predicted from these runs" until_true 60 predicted
check nodes "nodes are not measured any more" until_true 60 nodes_fresh
check links "links are not probed any more" until_true 60 links_fresh
check predictd "it has ended" runs predictd
for node in n1 n2; do
	check collectord_$node "it has ended" runs collectord $node
done
echo "bar step_lost $lost"
echo "bar step_double $double"
