#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_rehearse.sh - four weeks of a job log in a real slurmctld
#
# usage: bench_rehearse.sh [BUILD [FOLDER]]
#
# Bars: rehearse_speed (virtual / real time, the slowest seed),
# rehearse_vs_simulator (mean wait, slurmctld / simulator), rehearse_lost, and
# under stock Slurm, means of the seeds: start_within_pct (told starts in their
# 80 % interval) and start_vs_squeue (mean error of the told start / that of
# squeue --start).  Without the log of KTH-SP2 in the folder (or one named by
# DATA) a day of a made-up log is used; what it shows is marked as that.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
folder=${2:-${DATA:-}}
origin=
window=(--from=112 --days=28)
log=$(find "${folder:-/nonexistent}" -name 'KTH-SP2-*.swf*' -print -quit \
	2>/dev/null || :)

if [[ -z $log ]]; then
	mkdir -p "$build/bench-rehearse"
	log=$build/bench-rehearse/sample.swf
	origin=sample_
	window=(--days=1)
	"$here/sample_swf.py" >"$log"
fi
out=$(REHEARSE_PARTS=$build/lib/rehearse \
	"$here/../../predictor/backtest/rehearse/rehearse" --swf="$log" "${window[@]}" \
	--policy=easy --seeds="${SEEDS:-3}")
starts=$(REHEARSE_PARTS=$build/lib/rehearse \
	"$here/../../predictor/backtest/rehearse/rehearse" --swf="$log" "${window[@]}" \
	--policy=stock --seeds="${SEEDS:-3}" --starts)
echo "$out"
echo "$starts"
awk -v origin="$origin" '
	/times as fast/ {
		for (i = 2; i <= NF; i++)
			if ($i == "times")
				speed = $(i - 1)
	}
	$1 == "policy" { all = 1 }
	$1 == "" { all = 0 }
	all && $1 == "easy" { real = $2; lost = $9 }
	all && $1 == "simulated" { simulated = $3 }
	END {
		sub(/\+-.*/, "", real)
		sub(/\+-.*/, "", simulated)
		sub(/\+-.*/, "", lost)
		printf "bar %srehearse_speed %d\n", origin, speed
		if (simulated > 0)
			printf "bar %srehearse_vs_simulator %.3f\n", origin,
				real / simulated
		printf "bar %srehearse_lost %d\n", origin, lost
	}' <<<"$out"
awk -v origin="$origin" '
	$1 ~ /^start_/ { sum[$1] += $2; n[$1]++ }
	END {
		for (name in sum)
			printf "bar %s%s %.3f\n", origin, name, sum[name] / n[name]
	}' <<<"$starts"
