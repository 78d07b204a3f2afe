#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fault_standby.sh - a standby predictd takes over in the middle of writes
#
# Two predictds on one database, whose addresses the collectors know in turn.
# While jobs end, the first hangs (SIGSTOP), and the second gets what it did not
# acknowledge; then the first wakes up with reports half written, and is killed
# -9 later.  Each job is stored, and once, and the second has learned from all.
#
# usage: fault_standby.sh BUILD
# shellcheck disable=SC2317 # functions are called by trap and check
set -u -o pipefail

conninfo='' CLUSTER_ADDRESS='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: fault_standby.sh BUILD}")
dir=$build/standby
test=standby
jobs=120
# shellcheck source=../system/checks.bash
. "$here/../system/checks.bash"

start_standby() {
	local node

	sed "s|/predictd.sock|/standby.sock|; s|:7380|:7390|
		s|/predictd.log|/standby.log|" "$dir/etc/predict.conf" \
		>"$dir/etc/standby.conf"
	chmod 600 "$dir/etc/standby.conf"
	"$cluster" run "$dir/cluster" setsid -f "$build/sbin/predictd" -D \
		-f "$dir/etc/standby.conf" </dev/null >/dev/null \
		2>>"$dir/log/standby.err"
	for node in n1 n2; do
		echo "PredictdUrl=http://$CLUSTER_ADDRESS:7390" \
			>>"$dir/etc/collectord-$node.conf"
		"$stack" kill "$dir" collectord $node
		"$stack" start "$dir" collectord $node
	done
}
# ask PATH: what the standby replies
ask() {
	curl -sS --max-time 5 --unix-socket "$run/standby.sock" \
		"http://localhost$1"
}
is_ready() { ask /readyz | jq -e .ready >/dev/null; }

submit() { # COUNT
	# shellcheck disable=SC2016 # expanded on the controller
	"$cluster" run "$dir/cluster" bash -c 'for ((i = 0; i < $1; i++)); do
			sbatch --parsable -o /dev/null -t 5 \
				--wrap "sleep 0.$((i % 7)); : app -n 1"
		done' - "$1" 2>/dev/null >>"$dir/ids"
}
sql() { psql -XAtq "$conninfo" -c "$1"; }
count_stored() {
	sql "SELECT count(DISTINCT job_id) FROM predict.runs
		WHERE state = 'COMPLETED'"
}
stored() { (($(count_stored) >= $1)); }
learned() {
	ask '/v1/applications?cluster=little' |
		jq -e "[.applications[].runs] | add == $jobs" >/dev/null
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --nodes 2 --cap 0
# shellcheck disable=SC1091
. "$dir/settings"
first=$("$stack" pid "$dir" predictd)
start_standby
check ready "the standby is not" until_true 60 is_ready
submit $jobs &
until_true 60 stored $((jobs / 6))
kill -STOP "$first"
check takes_over "the standby stores nothing" until_true 120 \
	stored $((jobs / 3))
kill -CONT "$first"
until_true 120 stored $((jobs / 2))
kill -9 "$first"
wait
until_true 120 stored $jobs
lost=$(($(wc -l <"$dir/ids") - $(count_stored)))
double=$(sql "SELECT count(*) - count(DISTINCT job_id) FROM predict.runs")
check submitted "not all jobs" [ "$(wc -l <"$dir/ids")" = $jobs ]
check lost "$lost jobs are not stored" [ "$lost" = 0 ]
check double "$double runs are stored twice" [ "$double" = 0 ]
check learned "the standby has not learned from all" until_true 60 learned
echo "bar standby_lost $lost"
echo "bar standby_double $double"
