#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_rehearse_report.sh - the figures of schedules that are given
#
# usage: test_rehearse_report.sh BUILD
set -eu -o pipefail

build=$(realpath -- "${1:?usage: test_rehearse_report.sh BUILD}")
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dir=$(mktemp -d "$build/rehearse_report.XXXXXX")
trap 'rm -rf "$dir"' EXIT

test=report
# shellcheck source=checks.bash
. "$here/checks.bash"

report() { "$build/lib/rehearse/rehearse-report" "$@" >"$dir/out" 2>&1; }
refuses() { ! report "$@"; }
# has LINE: with any number of blanks between words
has() { grep -qE -- "^${*// / +}$" "$dir/out"; }

# 6 CPUs wait 2,940 s for 4; in the second one a job never ran.
cat >"$dir/good" <<-END
	cpus 8
	10.000 10.000 3010.000 3000 3600 4 1 1 a
	70.000 3010.000 3015.000 5 60 6 2 1 b
END
cat >"$dir/lost" <<-END
	cpus 8
	10.000 10.000 3010.000 3000 3600 4 1 1 a
	70.000 130.000 135.000 5 60 4 2 1 b
	80.000 nan nan 50 60 1 2 0 b
END
report first "$dir/good" 100 other "$dir/lost" 250
check size "@$dir/out" has \
	'2 jobs, 8 CPUs, 1 seed, at least 100 times as fast as real time'
check columns "@$dir/out" \
	has 'policy wait,min bsld p95 longest,h >24h area,h used,% lost'
# (1 + 2945 / 10) / 2; 30 * 2940 / 12030 / 3600; 12030 / (3005 * 8)
check figures "@$dir/out" has 'first 24.5 147.8 294.5 0.8 0.0 0.0 50.0 0.0'
check lost "@$dir/out" has 'other 0.3 2.8 6.5 0.0 0.0 0.0 50.3 1.0'
check simulated "@$dir/out" \
	has 'simulated easy 24.5 147.8 294.5 0.8 0.0 0.0 50.0 0.0'
check difference "@$dir/out" grep -qE \
	'^other +-24\.2 +-144\.9 +-288\.0 +-0\.8 +\+0\.0 +-0\.0 +\+0\.3 +\+1\.0$' \
	"$dir/out"
check sizes "@$dir/out" grep -q '^4 to 15 CPUs ' "$dir/out"
check no_sizes "@$dir/out" eval '! grep -q "^1 to 3 CPUs " "$dir/out"'
check partitions "@$dir/out" grep -q '^b, 1 jobs ' "$dir/out"
check users "@$dir/out" grep -q '^user 1, 1 jobs ' "$dir/out"

report easy "$dir/good" 5 easy "$dir/good" 7
figures=(24.5 147.8 294.5 0.8 0.0 0.0 50.0 0.0)
check seeds "@$dir/out" has "easy ${figures[*]/%/\\+-0.0}"

report --svg="$dir/svg" easy "$dir/good" 5 other "$dir/lost" 5
check curves "@$dir/svg" test "$(grep -c '<polyline' "$dir/svg")" = 2

check seeds_differ "it goes on" refuses a "$dir/good" 1 a "$dir/good" 1 \
	b "$dir/good" 1
check no_result "it goes on" refuses a "$0" 1
check says_so "@$dir/out" grep -q ': no result of a rehearsal$' "$dir/out"
check no_file "it goes on" refuses a "$dir/none" 1
check usage "it goes on" refuses a "$dir/good"
exit "$failed"
