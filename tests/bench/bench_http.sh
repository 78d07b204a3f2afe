#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_http.sh - predictions over HTTP beside an empty handler of the server
#
# usage: bench_http.sh [BUILD]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
postgres=$top/contrib/cluster/postgres
build=$(realpath -- "${1:-build}")
dir=$build/bench-http
run=

finish() {
	local status=$?

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
printf '%s\n' "Database=\"$conninfo\"" "SqlDir=$top/sql" >"$dir/predict.conf"
"$build/sbin/predictd" -f "$dir/predict.conf" --migrate 2>"$dir/migrate.log"
"$build/bin/bench-http" "$run/socket" "$conninfo"
