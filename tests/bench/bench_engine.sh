#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_engine.sh - the engine with a million runs: in memory, and as predictd
#
# First in one process; then a real PostgreSQL is given as many runs, predictd
# started on it, and asked 5,000 times a second over its Unix socket.  Then a
# server is asked likewise that does nothing: what that takes is the machine's.
#
# usage: bench_engine.sh [BUILD [RUNS]]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
postgres=$top/contrib/cluster/postgres
build=$(realpath -- "${1:-build}")
runs=${2:-1000000}
dir=$build/bench-engine
run='' predictd='' nothing=''

finish() {
	local status=$?

	[[ -z $predictd ]] || kill "$predictd" 2>/dev/null || :
	[[ -z $nothing ]] || kill "$nothing" 2>/dev/null || :
	wait
	"$postgres" down "$dir/postgres" >/dev/null || status=1
	[[ -z $run ]] || rm -rf --one-file-system -- "$run"
	rm -rf --one-file-system -- "$dir/postgres"
	exit "$status"
}

"$build/bin/bench-engine" memory "$runs"
"$build/bin/bench-engine" nodes
"$build/bin/bench-engine" waiting
"$build/bin/bench-engine" starts

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
run=$(mktemp -d /tmp/predict-bench.XXXXXX)
conninfo=$("$postgres" up "$dir/postgres")
printf '%s\n' "Database=\"$conninfo\"" "SqlDir=$top/sql" \
	SlurmNodesInterval=0 \
	"Listen=unix:$run/socket" >"$dir/predict.conf"
"$build/sbin/predictd" -f "$dir/predict.conf" --migrate 2>"$dir/migrate.log"
"$build/bin/bench-store" "$conninfo" "$runs" >"$dir/store.log" 2>&1
# A site's tables have been vacuumed, and are on the disk.
psql -qd "$conninfo" -c 'VACUUM ANALYZE' -c CHECKPOINT

before=$EPOCHREALTIME
# A session of its own, as a daemon has: where the kernel shares CPUs among
# sessions (autogroup), one is not left with the part of another.
setsid "$build/sbin/predictd" -D -f "$dir/predict.conf" 2>"$dir/predictd.log" &
predictd=$!
until curl -sf --unix-socket "$run/socket" http://x/readyz >/dev/null; do
	kill -0 "$predictd"
	sleep 0.1
done
after=$EPOCHREALTIME
awk -v hz="$(getconf CLK_TCK)" '{
	sub(/^.*\) /, "")
	printf "predictd took %.1f s of CPU for that\n", ($12 + $13) / hz
}' "/proc/$predictd/stat"
grep -o 'ready:.*' "$dir/predictd.log"
awk -v before="$before" -v after="$after" -v runs="$runs" 'BEGIN {
	printf "bar start_%s_runs_s %.1f\n",
		runs == 1000000 ? "1m" : runs, after - before }'
awk -v runs="$runs" '/^VmRSS/ {
	printf "predictd holds %.0f bytes for each run\n", 1024 * $2 / runs
}' "/proc/$predictd/status"
setsid "$build/bin/bench-engine" nothing "$run/nothing" &
nothing=$!
setsid -w "$build/bin/bench-engine" ask "$run/socket" 5000 30
setsid -w "$build/bin/bench-engine" ask "$run/nothing" 5000 10 nothing
