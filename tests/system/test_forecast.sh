#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_forecast.sh - forecast-series over series from files and pipes
#
# usage: test_forecast.sh BUILD
set -eu -o pipefail

build=$(realpath -- "${1:?usage: test_forecast.sh BUILD}")
here=$(dirname "$(realpath -- "$0")")
dir=$(mktemp -d "$build/forecast.XXXXXX")
failed=0
trap 'rm -rf "$dir"' EXIT

# expect NAME STATUS PATTERN ARGUMENT...: what it prints has a line like PATTERN
expect() {
	local name=$1 status=$2 pattern=$3 got=0 text

	shift 3
	text=$("$build/bin/forecast-series" "$@" 2>&1) || got=$?
	if ((got == status)) && grep -qE -- "$pattern" <<<"$text"; then
		echo "ok $name"
	else
		echo "not ok $name - exit status $got, wanted $status and $pattern"
		failed=1
		printf '# %s\n' "$text"
	fi
}

seq 1 200 >"$dir/ramp"
expect "a column of numbers" 0 '^battery +last +1 +1 ' "$dir/ramp"
expect "from a pipe" 0 '^nws +smoothing-0.50 +[0-9.]+ ' - <"$dir/ramp"
expect "over a horizon" 0 '^battery +last +3 +3 ' --horizon=5 "$dir/ramp"
. "$here/json_paths.bash"
json_kept forecast "$build/bin/forecast-series" --json "$dir/ramp"
expect "as JSON" 0 '"horizon": *5' --json --horizon 5 "$dir/ramp"

{
	echo "timestamp,value,unit"
	for i in {1..60}; do
		echo "2014-02-14 14:30:$i,$((i % 3)),mm"
	done
} >"$dir/named.csv"
expect "a named column" 0 '^battery +battery ' --column=value "$dir/named.csv"
expect "a numbered column" 0 '^60 values' --column=2 "$dir/named.csv"
expect "not numbers" 1 'line 2: not a number: mm' "$dir/named.csv"
expect "no such column" 1 'no column x' --column=x "$dir/named.csv"
expect "too few values" 1 'at least 2 are needed' - </dev/null
expect "no such file" 1 'No such file' "$dir/none"
expect "a horizon of nothing" 2 'from 1 to' --horizon=0 "$dir/ramp"
gzip -k "$dir/ramp"
expect "compressed" 0 '^200 values' "$dir/ramp.gz"
((failed == 0))
