#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_starts.sh - how well starts are predicted, on logs nobody fitted
#
# usage: bench_starts.sh [BUILD [FOLDER]]
#
# Four windows of each of five logs are replayed in a real slurmctld, under
# stock Slurm; what it did is kept in BUILD/bench-starts, and not made again.
# The calibration of each log begins with what was missed on all others.  Bars:
# start_within_pct, over all, by log and by horizon (80 is right);
# start_width_h, the mean width of the intervals; start_vs_squeue, the mean over
# logs of the error beside that of squeue --start.  Without the logs in the
# folder (or one named by DATA) a day of a made-up log is used, with what comes
# with the program; what it shows is marked as that.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
folder=${2:-${DATA:-}}
kept=$build/bench-starts
export REHEARSE_PARTS=$build/lib/rehearse
mkdir -p "$kept"

log_of() { find "${folder:-/nonexistent}" -name "$1-*.swf*" -print -quit 2>/dev/null; }
replay() { # FILE NAME FROM DAYS: what slurmctld does
	[[ -e $kept/$2.$3/stock.1/starts ]] ||
		"$here/../../predictor/backtest/rehearse/rehearse" --swf="$1" \
			--from="$3" --days="$4" --policy=stock \
			--keep="$kept/$2.$3" >"$kept/$2.$3.out"
}
table() { # FILE NAME FROM DAYS TABLE OPTION...: what is predicted there
	local cpus

	cpus=$("$REHEARSE_PARTS/rehearse-driver" --machine --swf="$1")
	"$REHEARSE_PARTS/rehearse-starts" --swf="$1" --from="$3" --days="$4" \
		--seed=1 --cpus="$cpus" --reservations=50 --table="$5" "${@:6}" \
		"$kept/$2.$3/stock.1/jobs" "$kept/$2.$3/stock.1/starts" >/dev/null
}

windows=()
while read -r log days from; do
	file=$(log_of "$log")
	[[ -z $file ]] || for day in $from; do
		windows+=("$file $log $day $days")
	done
done <<-'END'
	KTH-SP2 7 50 120 190 260
	CTC-SP2 4 50 120 190 260
	SDSC-SP2 10 100 250 400 550
	SDSC-BLUE 4 60 180 300 420
	LANL-CM5 5 100 250 400 550
END
if ((${#windows[@]} == 0)); then
	"$here/sample_swf.py" >"$kept/sample.swf"
	replay "$kept/sample.swf" sample 0 1
	table "$kept/sample.swf" sample 0 1 "$kept/sample.0.table"
	"$here/fit_starts.py" judge "$kept/sample.0.table" |
		sed 's/^/bar sample_/'
	exit
fi
rm -f "$kept"/*.table
for window in "${windows[@]}"; do
	read -r file log day days <<<"$window"
	replay "$file" "$log" "$day" "$days"
	table "$file" "$log" "$day" "$days" "$kept/$log.$day.table"
done
echo 'the numbers of predictor/scheduler/start_prior.h:'
"$here/fit_starts.py" prior "$kept"/*.table
mkdir -p "$kept/judged"
rm -f "$kept"/judged/*
for window in "${windows[@]}"; do
	read -r file log day days <<<"$window"
	mapfile -t others < <(printf '%s\n' "$kept"/*.table | grep -v "/$log\.")
	"$here/fit_starts.py" prior "${others[@]}" | tr '{},' '   ' >"$kept/prior"
	table "$file" "$log" "$day" "$days" "$kept/judged/$log.$day.table" \
		--prior="$kept/prior"
done
"$here/fit_starts.py" judge "$kept"/judged/*.table | sed 's/^/bar /'
