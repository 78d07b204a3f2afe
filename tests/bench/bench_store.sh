#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_store.sh - a million runs into PostgreSQL, and back at the start
#
# usage: bench_store.sh [BUILD [RUNS]]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
postgres=$top/contrib/cluster/postgres
build=$(realpath -- "${1:-build}")
dir=$build/bench-store

finish() {
	local status=$?

	"$postgres" down "$dir/postgres" >/dev/null || status=1
	rm -rf --one-file-system -- "$dir/postgres"
	exit "$status"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
conninfo=$("$postgres" up "$dir/postgres")
printf '%s\n' "Database=\"$conninfo\"" "SqlDir=$top/sql" >"$dir/predict.conf"
"$build/sbin/predictd" -f "$dir/predict.conf" --migrate 2>"$dir/migrate.log"
"$build/bin/bench-store" "$conninfo" "${2:-1000000}"
