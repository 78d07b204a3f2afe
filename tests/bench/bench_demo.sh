#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_demo.sh - how good the demo's predictions are beside compilers
#
# A run of the demo from a fresh clone with nothing beside it gives the times;
# then five runs, each with ten judged jobs, beside one endless compiler for
# each CPU, of the same weight as any process.  The figures are the middle
# run's.  A host with work of its own makes the times longer: what it took is
# printed with each run.
#
# ROUNDS chooses runs: quiet, after (compilers start after the learning jobs),
# start (they run from the start), stop (they end in the middle of the judged
# jobs).
#
# usage: bench_demo.sh BUILD [ROUND...]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(realpath "$here/../..")
build=$(realpath -- "${1:?usage: bench_demo.sh BUILD [ROUND...]}")
rounds=("${@:2}")
((${#rounds[@]})) || rounds=(quiet after after after start stop)
dir=$build/bench-demo

# From the clone to the end, and seconds to the first.
minutes_bar=4 first_bar=150
error_bar=25 ratio_bar=0.5  # of the middle run beside compilers

# What they compile, again and again.
compiled=(collectors/sensors/cpu.c predictor/base/index.c
	predictor/ensemble/choice.c predictor/engine/engine.c
	predictor/models/history.c predictor/models/mixture/mixture.c
	predictor/stats/least_squares.c predictor/wire/json_parse.c)

# compilers start|stop
compilers() {
	local pid

	if [[ $1 == stop ]]; then
		[[ ! -e $dir/compilers ]] || while read -r pid; do
			kill -9 -- "-$pid" 2>/dev/null || :
		done <"$dir/compilers"
		rm -f "$dir/compilers"
	elif [[ ! -e $dir/compilers ]]; then
		for ((pid = 0; pid < $(nproc); pid++)); do
			CCACHE_DISABLE=1 setsid "$0" "$build" compile \
				</dev/null >/dev/null 2>&1 &
			echo $! >>"$dir/compilers"
		done
	fi
}

compile() {
	local file

	cd "$top"
	for ((;;)); do
		for file in "${compiled[@]}"; do
			gcc -D_GNU_SOURCE -I. -O2 -g -c -o /dev/null "$file"
		done
	done
}

# before_job ROUND JOB: the demo's $DEMO_BEFORE; the jobs from 28 on are judged
before_job() {
	case $1:$2 in
	after:28 | start:1 | stop:1) compilers start ;;
	stop:33) compilers stop ;;
	esac
}

# figure NAME FILE: a figure that the demo printed
figure() {
	sed -n "s/^bar $1 //p" "$2"
}

# middle: of numbers, one a line
middle() {
	sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'
}

# at_most NAME VALUE BAR
at_most() {
	echo "bar $1 $2"
	awk "BEGIN { exit !($2 <= $3) }" || {
		echo "not ok $1 - $2, more than $3"
		failed=1
	}
}

# run_quiet: as a stranger would, from a clone, with the build
run_quiet() {
	local start=$EPOCHREALTIME

	rm -rf "$dir/clone"
	git clone --quiet --no-hardlinks "$top" "$dir/clone"
	CCACHE_DISABLE=1 make -C "$dir/clone" demo >"$dir/quiet.out" 2>&1 || {
		tail -n 20 "$dir/quiet.out"
		exit 1
	}
	rm -rf "$dir/clone"
	grep '^the host meanwhile' "$dir/quiet.out"
	echo "quiet: $(figure demo_npe_pct "$dir/quiet.out") %," \
		"$(figure demo_npe_vs_avg2 "$dir/quiet.out") of the last two"
	at_most demo_minutes "$(awk \
		"BEGIN { printf \"%.1f\", ($EPOCHREALTIME - $start) / 60 }")" \
		"$minutes_bar"
	at_most demo_first_s "$(figure demo_first_s "$dir/quiet.out")" \
		"$first_bar"
}

# run_busy ROUND NUMBER
run_busy() {
	local out=$dir/$1-$2.out

	mkdir -p "$dir/$1-$2"
	DEMO_RECORD=$dir/$1-$2 DEMO_BEFORE="$(realpath "$0") $build before $1" \
		"$top/contrib/demo/demo" "$build" >"$out" 2>&1 || {
		tail -n 20 "$out"
		exit 1
	}
	compilers stop
	grep '^the host meanwhile' "$out"
	echo "$1: $(figure demo_npe_pct "$out") %," \
		"$(figure demo_npe_vs_avg2 "$out") of the last two"
	figure demo_npe_pct "$out" >>"$dir/errors"
	figure demo_npe_vs_avg2 "$out" >>"$dir/ratios"
}

main() {
	local round number=0 failed=0

	rm -rf "$dir"
	mkdir -p "$dir"
	trap 'compilers stop' EXIT
	trap 'exit 130' INT TERM
	for round in "${rounds[@]}"; do
		case $round in
		quiet) run_quiet ;;
		after | start | stop) run_busy "$round" "$((++number))" ;;
		*) echo "no round '$round'" >&2 && exit 2 ;;
		esac
	done
	((number == 0)) || {
		at_most demo_busy_npe_pct "$(middle <"$dir/errors")" "$error_bar"
		at_most demo_busy_vs_avg2 "$(middle <"$dir/ratios")" "$ratio_bar"
	}
	exit "$failed"
}

case ${2:-} in
compile) compile ;;
before) before_job "$3" "$4" ;;
*) main ;;
esac
