#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_collect_nodes.sh - what collectord costs a node, however many there are
#
# Clusters of 4, 32 and 300 nodes, each an address of the loopback interface
# with a collectord at its default settings, probes of links included. After
# half a minute CPU time is counted over a minute, the mean over all, in percent
# of a core; and resident memory, the largest. On one machine each collectord
# sees the processes of all others, as many as a busy node has.
#
# usage: bench_collect_nodes.sh BUILD [SIZE...]
set -eu -o pipefail

# Names of nodes are found in a hosts file of our own.
[[ ${BENCH_OWN_MOUNTS-} ]] ||
	BENCH_OWN_MOUNTS=1 exec unshare --mount --propagation private "$0" "$@"

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
postgres=$top/contrib/cluster/postgres
build=$(realpath -- "${1:?usage: bench_collect_nodes.sh BUILD [SIZE...]}")
dir=$build/bench-collect-nodes
settle=30
seconds=60
predictd=
munged=
run=
pids=()
notices=/proc/sys/fs/inotify/max_user_instances
notices_before=$(<"$notices")
shift
(($#)) || set -- 4 32 300

stop_collectors() {
	((${#pids[@]})) || return 0
	kill "${pids[@]}" 2>/dev/null || true
	wait "${pids[@]}" 2>/dev/null || true
	pids=()
}

finish() {
	local status=$?

	stop_collectors
	if [[ -n $predictd ]]; then
		kill "$predictd" 2>/dev/null || true
		wait "$predictd" || true
	fi
	[[ -z $munged ]] || kill "$munged" 2>/dev/null || true
	[[ $(<"$notices") == "$notices_before" ]] ||
		echo "$notices_before" >"$notices"
	"$postgres" down "$dir/postgres" >/dev/null || status=1
	[[ -z $run ]] || rm -rf --one-file-system -- "$run"
	exit "$status"
}

address() { echo "127.77.$(($1 / 200)).$(($1 % 200 + 1))"; }

start_munged() {
	local base=$run/munge

	mkdir -m 755 "$base"
	head -c 128 /dev/urandom >"$base/key"
	chmod 600 "$base/key"
	chown -R munge: "$base"
	setpriv --reuid munge --regid munge --clear-groups munged --foreground \
		--key-file="$base/key" --socket="$base/socket" \
		--pid-file="$base/pid" --seed-file="$base/seed" \
		--log-file="$base/log" 2>"$dir/munged.log" &
	munged=$!
}

start_predictd() {
	local conninfo

	conninfo=$("$postgres" up "$dir/postgres")
	printf '%s\n' "Database=\"$conninfo\"" "SqlDir=$top/sql" \
		SlurmNodesInterval=0 \
		"Listen=unix:$run/socket" "MungeSocket=$run/munge/socket" \
		>"$dir/predict.conf"
	"$build/sbin/predictd" -f "$dir/predict.conf" --migrate \
		2>"$dir/migrate.log"
	"$build/sbin/predictd" -D -f "$dir/predict.conf" \
		2>"$dir/predictd.log" &
	predictd=$!
}

start_collectors() { # SIZE
	local i

	for ((i = 0; i < $1; i++)); do
		mkdir -p "$dir/$1/n$i"
		printf '%s\n' "PredictdUrl=unix:$run/socket" \
			"ClusterName=bench$1" "NodeName=b$1n$i" \
			"Spool=$dir/$1/n$i" "ProbeListen=$(address "$i")" \
			"ProbeScheduler=no" \
			"MungeSocket=$run/munge/socket" >"$dir/$1/n$i.conf"
		"$build/sbin/collectord" -D -f "$dir/$1/n$i.conf" \
			2>"$dir/$1/n$i.log" &
		pids+=($!)
	done
}

cpu_ns() {
	local pid

	for pid in "${pids[@]}"; do
		cut -d ' ' -f 1 "/proc/$pid/schedstat"
	done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

measure() { # SIZE
	local before after

	start_collectors "$1"
	sleep "$settle"
	before=$(cpu_ns)
	sleep "$seconds"
	after=$(cpu_ns)
	awk -v used="$((after - before))" -v seconds="$seconds" -v size="$1" \
		'BEGIN { printf "bar collectord_cpu_pct_%d %.4f\n", size,
			used / seconds / size / 1e7 }'
	for pid in "${pids[@]}"; do
		awk '/^VmRSS:/ { print $2 / 1024 }' "/proc/$pid/status"
	done | sort -n | tail -n 1 >"$dir/rss"
	stop_collectors
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
run=$(mktemp -d /tmp/predict-bench.XXXXXX)
chmod 755 "$run"
for size in "$@"; do
	for ((i = 0; i < size; i++)); do
		echo "$(address "$i") b${size}n$i"
	done
done | cat /etc/hosts - >"$dir/hosts"
mount --bind "$dir/hosts" /etc/hosts
# Each collectord watches a folder, and the kernel limits these by user: enough
# for a node, not for hundreds.
((notices_before >= 1024)) || echo 1024 >"$notices"
start_munged
start_predictd
for ((i = 0; i < 100; i++)); do
	curl -sf --unix-socket "$run/socket" http://localhost/readyz \
		>/dev/null && break
	sleep 0.1
done
for size in "$@"; do
	measure "$size"
done
awk '{ printf "bar collectord_rss_mb %.2f\n", $1 }' "$dir/rss"
curl -sf --unix-socket "$run/socket" http://localhost/metrics |
	sed -nE 's/^slurm_(predict_(nodes|links|link_measurements_total)){.*}/\1/p'
