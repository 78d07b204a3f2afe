#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_shares.sh - what a job's tasks know of the CPUs of their nodes
#
# A real cluster, and a competitor on one of its nodes: PREDICT_SHARES and
# PREDICT_SLOWDOWN of tasks must say so, from the first task on; without
# predictd, or with a collectord that hangs, jobs start all the same.
#
# Runs alone: it measures the load of nodes.
#
# usage: test_shares.sh BUILD
# shellcheck disable=SC2016 # scripts of jobs are expanded when they run
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_shares.sh BUILD}")
dir=$build/shares
test=shares
# shellcheck source=checks.bash
. "$here/checks.bash"

# check NAME WHAT-IS-WRONG COMMAND...: one test
on() { "$contrib/cluster/cluster" run "$dir/cluster" "$@" </dev/null; }
within() { awk -v x="$1" -v low="$2" -v high="$3" \
	'BEGIN { exit !(x != "" && x >= low && x <= high) }'; }

# one task on each of three nodes prints what it knows
known() {
	on srun -N3 -w 'n[1-3]' -t1 "$@" \
		sh -c 'echo "$PREDICT_SHARES $PREDICT_SLOWDOWN."' 2>/dev/null
}
share() { sed -nE "s/(^|.*,)$2=([0-9.]+).*/\2/p" <<<"$1" | head -1; }
alike() { [[ $(sort -u <<<"$1" | wc -l) == 1 && $(wc -l <<<"$1") == 3 ]]; }

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 20 || exit
"$contrib/cluster/cluster" load "$dir/cluster" n2 1 || exit

# until the load is measured: half of what the others have
ratio() { awk -v a="$(share "$1" n2)" -v b="$(share "$1" n1)" \
	'BEGIN { if (a != "" && b > 0) print a / b }'; }
for _ in {1..60}; do
	out=$(known)
	! within "$(ratio "$out")" 0.2 0.8 || ! alike "$out" || break
	sleep 0.5
done
slowdown=$(sed -nE '$s/.* ([0-9.]+)\.$/\1/p' <<<"$out")
check of_all_nodes "$out" alike "$out"
check competitor "$out" within "$(ratio "$out")" 0.2 0.8
check free "$out" within "$(share "$out" n3)" 0.17 0.21
check slowdown "$out" within "$slowdown" 1.25 20

# the first thing that a batch script does
on "$here/sbatch_wait" -N3 -w 'n[1-3]' -t1 -o "$dir/batch.out" \
	--wrap 'echo "$PREDICT_SHARES $PREDICT_SLOWDOWN."
		srun sh -c "echo \$PREDICT_SHARES"' >/dev/null 2>&1
out=$(cat "$dir/batch.out")
check batch "$out" within "$(ratio "$out")" 0.2 0.8
check steps "$out" test "$(grep -c n2= <<<"$out")" = 4

# files go with their jobs
sleep 1
check files "$(ls "$dir"/spool/*/shares)" test -z \
	"$(find "$dir"/spool/*/shares -type f)"

# what another job knew is not ours
"$stack" kill "$dir" predictd
out=$(known --export=ALL,PREDICT_SHARES=n9=0.1)
check no_predictd "$out" test "$(sort -u <<<"$out")" = ' .'

# a collectord that hangs: tasks wait for a moment, once
for node in 1 2 3; do
	kill -STOP "$("$stack" pid "$dir" collectord "n$node")"
done
start=$(date +%s%N)
out=$(known)
took_ms=$((($(date +%s%N) - start) / 1000000))
check hangs "$out" test "$(sort -u <<<"$out")" = ' .'
check hangs_shortly "it took $took_ms ms" test $took_ms -lt 5000
for node in 1 2 3; do
	kill -CONT "$("$stack" pid "$dir" collectord "n$node")"
done
