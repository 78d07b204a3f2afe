#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_collect.sh - what measurements of a large cluster cost predictd
#
# A predictd and a PostgreSQL of its own take the measurements of 10,000 nodes.
#
# usage: bench_collect.sh [BUILD [NODES]]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
postgres=$top/contrib/cluster/postgres
build=$(realpath -- "${1:-build}")
nodes=${2:-10000}
dir=$build/bench-collect
run=
predictd=

finish() {
	local status=$?

	if [[ -n $predictd ]]; then
		kill "$predictd" 2>/dev/null || true
		wait "$predictd" || true
	fi
	"$postgres" down "$dir/postgres" >/dev/null || status=1
	[[ -z $run ]] || rm -rf --one-file-system -- "$run"
	exit "$status"
}

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
"$build/sbin/predictd" -D -f "$dir/predict.conf" 2>"$dir/predictd.log" &
predictd=$!
for ((i = 0; i < 100; i++)); do
	curl -sf --unix-socket "$run/socket" http://localhost/readyz \
		>/dev/null && break
	sleep 0.1
done
"$build/bin/bench-collect" "unix:$run/socket" "$predictd" "$nodes" 5
