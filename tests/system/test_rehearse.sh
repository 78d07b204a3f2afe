#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_rehearse.sh - a day of a made-up log in a real slurmctld, with and without
# predict_plan
#
# usage: test_rehearse.sh BUILD
#
# The order by limits is had in two ways, by priorities that the driver gives and by
# the site factors that job_submit/predict sets: the schedules must agree, and
# must not be that of the stock order.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:?usage: test_rehearse.sh BUILD}")
dir=$build/rehearse-test
rehearse=$here/../../contrib/rehearse/rehearse
export REHEARSE_PARTS=$build/lib/rehearse

fail() {
	echo "test_rehearse: $*" >&2
	exit 1
}

# figure POLICY COLUMN: of the table of all jobs
figure() {
	awk -v policy="$1" -v column="$2" '
		$1 == "policy" { all = 1 }
		!NF { all = 0 }
		all && index($0, policy " ") == 1 {
			# "simulated easy" is two words.
			print $(column + NF - 9)
		}' "$dir/table"
}

near() { # NAME A B SHARE
	awk -v a="$2" -v b="$3" -v share="$4" 'BEGIN {
		d = a > b ? a - b : b - a
		exit !(a != "" && b != "" && d <= share * b)
	}' || fail "$1: $2 and $3"
}

rm -rf "$dir"
mkdir -p "$dir"
"$here/../bench/sample_swf.py" 3000 7 >"$dir/sample.swf"

"$rehearse" --swf="$dir/none.swf" >"$dir/out" 2>&1 && fail "a log that is missing"
"$rehearse" --swf="$dir/sample.swf" --policy=fastest >"$dir/out" 2>&1 &&
	fail "a policy that is none"
grep -q 'fastest: no such policy' "$dir/out" || fail "$(<"$dir/out")"

"$rehearse" --swf="$dir/sample.swf" --days=1 --policy=easy --policy=stock \
	--policy=limit-order=5,24 --policy=plan=5,24 --svg="$dir/queue.svg" \
	--keep="$dir/kept" >"$dir/table"
cat "$dir/table"

jobs=$(awk '{ print $1; exit }' "$dir/table")
((jobs > 50)) || fail "$jobs jobs"
for policy in easy stock limit-order=5,24 plan=5,24; do
	[[ $(figure "$policy" 9) == 0.0 ]] || fail "$policy: jobs are lost"
	(($(wc -l <"$dir/kept/$policy.1/jobs") == jobs + 1)) ||
		fail "$policy: jobs are missing"
done
near "plan and priorities" "$(figure plan=5,24 2)" \
	"$(figure limit-order=5,24 2)" .05
near "slurmctld and simulator" "$(figure easy 2)" \
	"$(figure 'simulated easy' 2)" .3
cmp -s <(cut -d' ' -f2 "$dir/kept/easy.1/jobs") \
	<(cut -d' ' -f2 "$dir/kept/plan=5,24.1/jobs") &&
	fail "predict_plan changes nothing"
grep -q '<polyline' "$dir/queue.svg" || fail "no picture"
rm -rf "$dir"
