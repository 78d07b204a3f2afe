#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_collectord.sh - what collectord costs a node at its default settings
#
# CPU time over a minute, in percent of one core, and resident memory, on a node
# of a real cluster with a predictd that takes its reports. Half a minute before
# it counts: a collector just started touches more than it keeps.
#
# usage: bench_collectord.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
stack=$here/../../contrib/stack/stack
build=$(realpath -- "${1:?usage: bench_collectord.sh BUILD}")
dir=$build/bench-collectord
seconds=60

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status)) || rm -rf "$dir"
	exit "$status"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
"$stack" up "$dir" "$build"

# n1 with the defaults, but for the probe of the scheduler, which is made once
# for each kernel; the others as they are.
sed -i '/Interval=/d' "$dir/etc/collectord-n1.conf"
echo ProbeScheduler=no >>"$dir/etc/collectord-n1.conf"
"$stack" kill "$dir" collectord n1
"$stack" start "$dir" collectord n1
sleep 30
pid=$("$stack" pid "$dir" collectord n1)

cpu_ns() { cut -d ' ' -f 1 "/proc/$pid/schedstat"; }

before=$(cpu_ns)
sleep "$seconds"
used=$(($(cpu_ns) - before))
awk -v used="$used" -v seconds="$seconds" 'BEGIN {
	printf "bar collectord_cpu_pct %.4f\n", used / seconds / 1e7 }'
awk '/^VmRSS:/ { printf "bar collectord_rss_mb %.2f\n", $2 / 1024 }' \
	"/proc/$pid/status"
