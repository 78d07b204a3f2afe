#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_rehearse_history.sh - a day of predictd's history in a real slurmctld
#
# Runs alone: its slurmctld has little time for a day.
#
# usage: test_rehearse_history.sh BUILD
#
# A log is imported into a real predictd, and rehearsed from there: its jobs
# must be those of the log, and predictions from the history order them as those
# from the log.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:?usage: test_rehearse_history.sh BUILD}")

test=rehearse_history
# shellcheck source=predictd.bash
. "$here/predictd.bash"

rehearse=$here/../../predictor/backtest/rehearse/rehearse
export REHEARSE_PARTS=$build/lib/rehearse

# "run time, limit, CPUs" of all jobs; users have other numbers
jobs_of() { awk 'NR > 1 { print $4, $5, $6 }' "$dir/$1/easy.1/jobs" | sort; }
same() { cmp -s <(jobs_of history) <(jobs_of log); }
refuses() { ! "$rehearse" "$@" >"$dir/out" 2>&1; }
many() { (($(jobs_of history | wc -l) > 50)); }
# all_done POLICY: of the table of all jobs
all_done() {
	awk -v policy="$1" '$1 == policy { print $NF; exit }' "$dir/table" |
		grep -qx 0.0
}
# Jobs in another place of the queue than in that of the limits
ordered() {
	! cmp -s <(cut -d' ' -f2 "$dir/history/easy.1/jobs") \
		<(cut -d' ' -f2 "$dir/history/p50-order=42.1/jobs")
}

begin
: >"$body"
"$here/../bench/sample_swf.py" 3000 7 >"$dir/sample.swf"
write_conf predictd
"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate 2>>"$dir/predictd.err"
start predictd
predictd=$started
check ready "it does not come up" until_true 15 is_ready
export PREDICTD_URL=unix:$run/predictd.sock XDG_STATE_HOME=$dir

check nothing "it goes on without a cluster of that name" refuses \
	--source=history --cluster=nowhere --days=1
"$build/bin/spredict" -M sample import swf "$dir/sample.swf" >"$dir/out" 2>&1
check imported "$(<"$dir/out")" grep -q '^[0-9]* jobs: ' "$dir/out"

options=(--cpus=64 --days=1 --from=2 --policy=easy --policy=p50-order=42)
"$rehearse" --source=history --cluster=sample "${options[@]}" \
	--keep="$dir/history" >"$dir/table" 2>"$dir/out" || cat "$dir/out"
"$rehearse" --swf="$dir/sample.swf" "${options[@]}" \
	--keep="$dir/log" >"$dir/table_log" 2>>"$dir/out" || cat "$dir/out"
head -n 5 "$dir/table" | sed 's/^/# /'
check jobs "there are few" many
check same_jobs "$(diff <(jobs_of history) <(jobs_of log) | head -n 3)" same
check all_done "jobs are lost" all_done easy
check all_ordered_done "jobs are lost" all_done p50-order=42
check ordered "predictions change nothing" ordered

kill "$predictd"
wait "$predictd" || :
predictd=
check gone "it goes on without predictd" refuses --source=history --days=1
check gone_says "$(<"$dir/out")" grep -q 'there is no history' "$dir/out"
exit $failed
