#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_import.sh - past jobs from a log into a real PostgreSQL
#
# Of an SWF log and of what sacct prints: made here, or the one that LOG names.
# Prints how many jobs a second got from the file into the history, with the
# client, predictd and PostgreSQL on this machine; then what each job cost.
#
# usage: [LOG=FILE] [JOBS=N] bench_import.sh [BUILD]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
postgres=$top/contrib/cluster/postgres
build=$(realpath -- "${1:-build}")
dir=$build/bench-import
jobs=${JOBS:-200000}
run='' predictd=''

finish() {
	local status=$?

	[[ -z $predictd ]] || kill "$predictd" 2>/dev/null || :
	wait
	"$postgres" down "$dir/postgres" >/dev/null || status=1
	[[ -z $run ]] || rm -rf --one-file-system -- "$run"
	exit "$status"
}

# A year of 500 users, each with a few programs, as sacct shows it.
make_log() {
	awk -v jobs="$jobs" 'BEGIN {
		srand(7)
		OFS = "|"
		print "JobIDRaw", "JobID", "UID", "User", "Account", \
			"Partition", "Submit", "Start", "End", "TimelimitRaw", \
			"AllocNodes", "AllocCPUS", "ReqMem", "ExitCode", \
			"NodeList", "JobName", "State", "SubmitLine"
		for (i = 1; i <= jobs; i++) {
			user = int(500 * rand() ^ 2)
			program = "solver" int(4 * rand()) + user % 7
			nodes = int(2 ^ int(6 * rand()))
			submit = 1750000000 + int(i * 31536000 / jobs)
			start = submit + int(7200 * rand())
			print i, i, 1000 + user, "user" user, \
				"project" user % 40, "main", submit, start, \
				start + int(exp(9 * rand())), 1440, nodes, \
				16 * nodes, 64 * nodes "G", "0:0", \
				"n[" user + 1 "-" user + nodes "]", program, \
				rand() < 0.9 ? "COMPLETED" : "FAILED", \
				"sbatch -N" nodes " " program ".sh " \
				1000 * int(20 * rand())
		}
	}'
}

cpu_s() { # PID...: seconds of CPU that they and their threads took
	local pid

	for pid; do
		cat "/proc/$pid/stat"
	done | awk -v hz="$(getconf CLK_TCK)" '{
		sub(/^.*\) /, "")
		s += ($12 + $13) / hz
	} END { print s + 0 }'
}
backends() {
	psql -XAtq "$conninfo" -c "SELECT pid FROM pg_stat_activity
		WHERE backend_type = 'client backend'
		AND pid <> pg_backend_pid()"
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
export PREDICTD_URL=unix:$run/socket
until curl -sf --unix-socket "$run/socket" http://x/readyz >/dev/null; do
	kill -0 "$predictd"
	sleep 0.1
done

if [[ -n ${LOG-} ]]; then
	log=$LOG
else
	log=$dir/log.sacct
	make_log >"$log"
fi
format=sacct
[[ $log != *.swf* ]] || format=swf

# Learning begins when all is stored, so the time is that of the store's
# answers alone, as `spredict import` waits for them.
time_import() { # NAME
	local before=$EPOCHREALTIME after

	"$build/bin/spredict" --json -M bench import $format "$log" \
		>"$dir/$1.json"
	after=$EPOCHREALTIME
	rate=$(jq -r --argjson from "$before" --argjson to "$after" \
		'.jobs / ($to - $from) | floor' "$dir/$1.json")
	jq -r --arg rate "$rate" '"\(.stored) stored, \(.doubles) there " +
		"already: \($rate) jobs/s"' "$dir/$1.json"
}
time_import first
first=$rate
jobs=$(jq .jobs "$dir/first.json")
read -ra pids <<<"$(backends | tr '\n' ' ')"
for part in "predictd $predictd" "PostgreSQL ${pids[*]}"; do
	read -ra pids <<<"$part"
	awk -v what="${pids[0]}" -v s="$(cpu_s "${pids[@]:1}")" -v n="$jobs" \
		'BEGIN { printf "%s: %.1f us of CPU for each\n", what,
			1e6 * s / n }'
done
time_import again
stored=$(psql -XAtq "$conninfo" -c 'SELECT count(*) FROM predict.runs')
[[ $stored == "$jobs" ]]
echo "bar import_jobs_per_s $first"
