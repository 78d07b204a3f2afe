#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_rehearse.sh - four weeks of a job log in a real slurmctld
#
# usage: bench_rehearse.sh [BUILD [FOLDER]]
#
# Bars: rehearse_speed (virtual / real time, the slowest seed),
# rehearse_vs_simulator (mean wait, slurmctld / simulator, which has thirty
# seeds of its own), rehearse_vs_simulator_se (by how many standard errors they
# differ; of slurmctld's mean too it is taken from the simulator's spread, as
# three seeds tell little about theirs), rehearse_lost, and
# under stock Slurm, means of the seeds: start_within_pct (told starts in their
# 80 % interval) and start_vs_squeue (mean error of the told start / that of
# squeue --start).  Without the log of KTH-SP2 in the folder (or one named by
# DATA) a day of a made-up log is used; what it shows is marked as that.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
folder=${2:-${DATA:-}}
origin=
from=112 days=28
log=$(find "${folder:-/nonexistent}" -name 'KTH-SP2-*.swf*' -print -quit \
	2>/dev/null || :)

if [[ -z $log ]]; then
	mkdir -p "$build/bench-rehearse"
	log=$build/bench-rehearse/sample.swf
	origin=sample_
	from=0 days=1
	"$here/sample_swf.py" >"$log"
fi
window=(--from="$from" --days="$days")
out=$(REHEARSE_PARTS=$build/lib/rehearse \
	"$here/../../predictor/backtest/rehearse/rehearse" --swf="$log" "${window[@]}" \
	--policy=easy --seeds="${SEEDS:-3}")
"$build/bin/plan-predict" --limits "$log" >"$build/bench-rehearse.jobs"
windows=()
for seed in {1..30}; do
	windows+=("$from,$days,$seed")
done
simulated=$("$build/bin/plan-windows" "$build/bench-rehearse.jobs" \
	"${windows[@]}" -- fifo:main=1 | awk '
		{ n++; s += $5; q += $5 * $5 }
		END { printf "%f %f", s / n, sqrt((q - s * s / n) / (n - 1)) }')
starts=$(REHEARSE_PARTS=$build/lib/rehearse \
	"$here/../../predictor/backtest/rehearse/rehearse" --swf="$log" "${window[@]}" \
	--policy=stock --seeds="${SEEDS:-3}" --starts)
echo "$out"
echo "$starts"
awk -v origin="$origin" -v simulated="$simulated" -v seeds="${SEEDS:-3}" '
	/times as fast/ {
		for (i = 2; i <= NF; i++)
			if ($i == "times")
				speed = $(i - 1)
	}
	$1 == "policy" { all = 1 }
	$1 == "" { all = 0 }
	all && $1 == "easy" { real = $2; lost = $9 }
	END {
		sub(/\+-.*/, "", real)
		split(simulated, of)
		sub(/\+-.*/, "", lost)
		printf "bar %srehearse_speed %d\n", origin, speed
		if (of[1] > 0)
			printf "bar %srehearse_vs_simulator %.3f\n", origin,
				real / of[1]
		if (of[2] > 0)
			printf "bar %srehearse_vs_simulator_se %.2f\n", origin,
				(real - of[1]) /
				(of[2] * sqrt(1 / seeds + 1 / 30))
		printf "bar %srehearse_lost %d\n", origin, lost
	}' <<<"$out"
awk -v origin="$origin" '
	$1 ~ /^start_/ { sum[$1] += $2; n[$1]++ }
	END {
		for (name in sum)
			printf "bar %s%s %.3f\n", origin, name, sum[name] / n[name]
	}' <<<"$starts"
