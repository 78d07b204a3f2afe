#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_backtest.sh - what spredict backtest says of a made-up job log, and of
# the same once it has been imported
#
# usage: test_backtest.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:?usage: test_backtest.sh BUILD}")
top=$here/../..
postgres=$top/contrib/cluster/postgres
dir=$build/backtest-test
run='' predictd=''

finish() {
	local status=$?

	[[ -z $predictd ]] || kill "$predictd" 2>/dev/null || :
	wait
	"$postgres" down "$dir/postgres" >/dev/null 2>&1 || status=1
	[[ -z $run ]] || rm -rf --one-file-system -- "$run"
	((status)) || rm -rf "$dir"
	exit "$status"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
"$here/../bench/sample_swf.py" 3000 7 >"$dir/sample.swf"
gzip -k "$dir/sample.swf"
cd "$dir"

# expect NAME STATUS PATTERN ARGUMENT...: run spredict backtest, check its exit
# status and that all lines of PATTERN (regular expressions) are found
expect() {
	local name=$1 status=$2 patterns=$3 got=0 text pattern

	shift 3
	text=$("$build/bin/spredict" backtest "$@" 2>&1) || got=$?
	if ((got != status)); then
		echo "not ok $name - exit status $got, not $status"
		printf '# %s\n' "$text"
		return
	fi
	while read -r pattern; do
		grep -qE -- "$pattern" <<<"$text" || {
			echo "not ok $name - no line like: $pattern"
			printf '# %s\n' "$text"
			return
		}
	done <<<"$patterns"
	echo "ok $name"
}

# check NAME COMMAND...: it must succeed
check() {
	local name=$1

	shift
	if "$@" >"$dir/output" 2>&1; then
		echo "ok $name"
	else
		echo "not ok $name - exit status $?"
		sed 's/^/# /' "$dir/output"
	fi
}

expect 'a table by model' 0 '^sample.swf: 3000 jobs, 2[5-9][0-9][0-9] of them
^MODEL +JOBS +MAE/MEAN +MEDIAN_ERR_S +ACCURACY_% +UNDER_% +P90_HOLDS_%
^predicted +2[0-9]+ +0\.[0-9]+ +[0-9]+ +[0-9.]+ +[0-9.]+ +(8[6-9]|9[0-4])\.
^avg2 +2[0-9]+ +[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9.]+ +- +- +-
^limit +2[0-9]+ ' --swf sample.swf

expect 'models of choice, by user' 0 '^predicted
^avg2
^By user:
^user 1 +predicted +[0-9]+ +[0-9.]+
^user 1 +avg2 +[0-9]+ +[0-9.]+' --swf=sample.swf.gz --models avg2 --by user

expect 'by application' 0 '^By application:
^exe[0-9]+ +predicted ' --by application --swf sample.swf

expect 'scheduling, what if' 0 '^Scheduled by EASY backfilling on 64 CPUs
^PLAN_WITH +WAIT_MIN +LONGEST_H +AREA_H +SLOWDOWN +USED_% +KILLED_% +OUTLIVED_%
^the limit +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +0\.0
^predicted: order by the median, reserve by p30 +[0-9.]+
^clairvoyant, shortest first +[0-9.]+ ' --swf sample.swf --what-if-scheduling

expect 'another machine' 0 'on 100 CPUs' --swf sample.swf --cpus 100 \
	--what-if-scheduling --models limit

reply=$("$build/bin/spredict" backtest -M made-up --swf sample.swf --json \
	--by user --what-if-scheduling 2>errors)
check 'nothing but JSON' jq -e '
	.jobs == 3000 and .cpus == 64 and
	(.models[0] | .model == "chosen" and .mae_over_mean > 0 and
		.p90_coverage > 0.8) and
	(.groups | length) > 5 and
	([.groups[].models[0].asked] | add) == .models[0].asked and
	(.scheduling | map(select(.plan == "engine"))[0].bounded_slowdown >= 1)
	' <<<"$reply"
# --- Start tables -------------------------------------------------------------

check 'tables are saved' "$build/bin/spredict" backtest --swf sample.swf \
	--save-tables site.tables
mae() {
	"$build/bin/spredict" backtest --swf sample.swf --skip 0 --json "$@" |
		jq '.models[0].mae_s'
}
check 'tables that were saved change the predictions' \
	test "$(mae)" != "$(mae --start-tables site.tables)"
{
	head -n 5 site.tables
	echo 'match 1 much'
} >damaged.tables
expect 'damaged tables' 1 'damaged.tables: line 6: no entry of a table' \
	--swf sample.swf --start-tables damaged.tables
expect 'tables that cannot be written' 1 'no/where.tables: No such file' \
	--swf sample.swf --save-tables no/where.tables

check 'no progress where there is no terminal' test ! -s errors
check 'progress on a terminal' bash -c '
	script -qec "$1 backtest --swf sample.swf" /dev/null |
		grep -q "predicting \["' - "$build/bin/spredict"

check 'plots' "$build/bin/spredict" backtest --swf sample.swf --plot out.svg
check 'a plot is XML' python3 -c '
import sys
import xml.etree.ElementTree as tree
root = tree.parse("out.svg").getroot()
assert root.tag.endswith("svg")
assert len(list(root.iter())) > 200, "hardly anything drawn"
'
expect 'a plot that cannot be written' 1 'no/where.svg: No such file' \
	--swf sample.swf --plot no/where.svg

# The same jobs, as sacct prints them.
awk 'BEGIN { OFS = "|"
		print "JobIDRaw", "User", "UID", "Account", "Partition",
			"JobName", "Submit", "Start", "End", "State",
			"TimelimitRaw", "NNodes", "NCPUS", "ExitCode" }
	function at(t) { return strftime("%Y-%m-%dT%H:%M:%S", 17e8 + t, 1) }
	!/^;/ { print $1, "u" $12, 1000 + $12, "g", "batch", "app" $14,
		at($2), at($2 + $3), at($2 + $3 + $4), "COMPLETED", $9 / 60, 1,
		$5, "0:0" }' sample.swf >sample.sacct
expect 'output of sacct' 0 '^sample.sacct: 3000 jobs
^predicted +2[0-9]+ +0\.[0-9]+' --sacct sample.sacct
cat sample.sacct <(tail -n +2001 sample.sacct) >overlapping.sacct
expect 'exports that overlap' 0 '^overlapping.sacct: 3000 jobs' \
	--sacct overlapping.sacct

awk -F'|' 'BEGIN { OFS = FS }
	NR == 4 { $9 = $8 }
	NR == 5 { $11 = "" }
	NR == 6 { $9 = "Unknown"; $10 = "RUNNING" }
	NR == 7 { $8 = $9 = "Unknown"; $10 = "PENDING" }
	NR < 300' sample.sacct >odd.sacct
expect 'what cannot be used is counted' 0 '^odd.sacct: 296 jobs
^spredict: 2 jobs are left out
^1 jobs of run time 0
^1 jobs have no limit: they get the longest' --sacct odd.sacct \
	--what-if-scheduling --cpus 64

# The same jobs, from the history.
run=$(mktemp -d /tmp/predict-test.XXXXXX)
conninfo=$("$postgres" up "$dir/postgres")
printf '%s\n' "Listen=unix:$run/socket" "Database=\"$conninfo\"" \
	"SqlDir=$top/sql" "LogFile=$dir/predictd.log" \
	SlurmNodesInterval=0 >predict.conf
chmod 600 predict.conf
"$build/sbin/predictd" -f "$dir/predict.conf" --migrate 2>migrate.log
start_predictd() {
	"$build/sbin/predictd" -D -f "$dir/predict.conf" 2>predictd.err &
	predictd=$!
	for ((i = 0; i < 100; i++)); do
		curl -fs --unix-socket "$run/socket" http://localhost/readyz \
			>/dev/null && break
		sleep 0.1
	done
}

# start_tables [FILE]: start predictd again with them, or with its own
start_tables() {
	kill "$predictd"
	wait "$predictd" || :
	sed -i '/^StartTables/d' predict.conf
	[[ -z ${1-} ]] || echo "StartTables=$1" >>predict.conf
	start_predictd
}

# The quantile for a user's next job on a cluster of few runs.
first_s() {
	"$build/bin/spredict" predict -M small --json -t 60 --wrap true |
		jq '.prediction.quantile_s'
}

has_chance() {
	"$build/bin/spredict" predict -M small --json -t 60 --wrap true |
		jq -e '.prediction.limit_chance | . > 0 and . < 1'
}

start_predictd
export PREDICTD_URL=unix:$run/socket
expect 'a history without jobs' 1 'history: no job that has run' -M made-up
check 'imported' "$build/bin/spredict" import -M made-up swf sample.swf
expect 'from the history' 0 '^history: 3000 jobs' -M made-up
again=$("$build/bin/spredict" backtest -M made-up --json --by user \
	--what-if-scheduling --cpus 64)
check 'the same as from the file' jq -en --argjson file "$reply" \
	--argjson history "$again" \
	'# Sums of another order differ in their last digits.
	def figures: del(.source) |
		walk(if type == "number" then . * 1e6 | round else . end);
	($file | figures) == ($history | figures)'
head -n 40 sample.swf >small.swf
check 'imported few' "$build/bin/spredict" import -M small swf small.swf
start_tables
first=$(first_s)
check 'the chance to reach the limit' has_chance
start_tables "$dir/site.tables"
other=$(first_s)
check "tables change predictd's first predictions" test "$first" != "$other"
check 'tables are logged' grep -q 'models begin with' predictd.log
start_tables "$dir/damaged.tables"
check 'damaged tables are passed over' test "$first" = "$(first_s)"
check 'damaged tables are logged' grep -q \
	'StartTables is passed over: .*damaged.tables: line 6' predictd.log
expect 'another cluster' 1 'history: no job' -M other

expect 'no such file' 1 'nowhere.swf.*No such file' --swf nowhere.swf
expect 'no jobs' 1 'no job' --swf /dev/null
expect 'unknown model' 2 'no model oracle' --swf sample.swf --models oracle
expect 'unknown grouping' 2 'by=colour' --swf sample.swf --by colour
expect 'no number' 2 'cpus=many: not a number' --swf sample.swf --cpus many
expect 'two sources' 2 'not both' --swf sample.swf --sacct sample.sacct
expect 'value missing' 2 'swf: its value is missing' --swf
expect 'unknown option' 2 'option --oracle: unknown' --oracle
expect 'too much' 2 'unexpected argument: more' --swf sample.swf more
