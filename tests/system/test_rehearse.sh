#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_rehearse.sh - a day of a made-up log in a real slurmctld, with and without
# predict_plan
#
# Runs alone: its slurmctld has little time for a day.
#
# usage: test_rehearse.sh BUILD
#
# The order by limits is had in two ways, by priorities that the driver gives and by
# the site factors that job_submit/predict sets: the schedules must agree, and
# must not be that of the stock order.  Then with a reservation of the whole machine
# and every fifth job heterogeneous: bars of what must not happen to any job.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:?usage: test_rehearse.sh BUILD}")
dir=$build/rehearse-test
rehearse=$here/../../contrib/rehearse/rehearse
export REHEARSE_PARTS=$build/lib/rehearse

failed=0

# check NAME WHAT-IS-WRONG COMMAND...: one test
check() {
	if "${@:3}"; then
		echo "ok rehearse_$1"
	else
		echo "not ok rehearse_$1 - $2"
		failed=1
	fi
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

near() { # A B SHARE
	awk -v a="$1" -v b="$2" -v share="$3" 'BEGIN {
		d = a > b ? a - b : b - a
		exit !(a != "" && b != "" && d <= share * b)
	}'
}
refuses() { ! "$rehearse" "$@" >"$dir/out" 2>&1; }
differ() { ! cmp -s <(cut -d' ' -f2 "$1") <(cut -d' ' -f2 "$2"); }
many() { ((jobs > 50)); }
all_done() {
	[[ $(figure "$1" 9) == 0.0 ]] &&
		(($(wc -l <"$dir/kept/$1.1/jobs") == jobs + 1))
}

rm -rf "$dir"
mkdir -p "$dir"
"$here/../bench/sample_swf.py" 3000 7 >"$dir/sample.swf"

check no_log "it goes on" refuses --swf="$dir/none.swf"
check no_policy "it goes on" refuses --swf="$dir/sample.swf" --policy=fastest
check no_policy_says "$(<"$dir/out")" grep -q 'fastest: no such policy' \
	"$dir/out"

"$rehearse" --swf="$dir/sample.swf" --days=1 --policy=easy --policy=stock \
	--policy=limit-order=5,24 --policy=plan=5,24 --svg="$dir/queue.svg" \
	--keep="$dir/kept" >"$dir/table"
sed 's/^/# /' "$dir/table"

jobs=$(awk '{ print $1; exit }' "$dir/table")
check jobs "$jobs jobs" many
for policy in easy stock limit-order=5,24 plan=5,24; do
	check "${policy%%=*}" "jobs are lost or missing" all_done "$policy"
done
plan=$(figure plan=5,24 2) order=$(figure limit-order=5,24 2)
check plan_is_the_order "wait $plan and $order" near "$plan" "$order" .05
easy=$(figure easy 2) simulated=$(figure 'simulated easy' 2)
check simulator "wait $easy and $simulated" near "$easy" "$simulated" .3
check plan_orders "predict_plan changes nothing" differ \
	"$dir/kept/easy.1/jobs" "$dir/kept/plan=5,24.1/jobs"
check picture "there is none" grep -q '<polyline' "$dir/queue.svg"

# --- What must not happen -----------------------------------------------------------

# overrun FOLDER: jobs that ran within two hours from noon on
overrun() {
	awk 'NR > 1 && $2 < 50400 && $3 > 43201.5 { n++ } END { print n + 0 }' \
		"$dir/$1/plan=42,2.1/jobs"
}
# harm NAME: of all policies
harm() {
	awk -v name="$1" '$1 == name { n += $2 } END { print n + 0 }' \
		"$dir"/traps/*/figures
}

"$rehearse" --swf="$dir/sample.swf" --days=1 --policy=plan=42,2 \
	--keep="$dir/free" >/dev/null
"$rehearse" --swf="$dir/sample.swf" --days=1 --policy=easy \
	--policy=plan=42,2 --reserve=0.5,2 --het=5 --keep="$dir/traps" \
	>"$dir/table"
grep ' ended early' "$dir/table" | sed 's/^/# /'
check het "no job was heterogeneous" test "$(harm het)" -gt 20
check noon "the machine is idle without the reservation, too" \
	test "$(overrun free)" -gt 0
check reserved "$(overrun traps) jobs ran" test "$(overrun traps)" == 0
check same_jobs "jobs are missing" test "$(wc -l <"$dir/traps/plan=42,2.1/jobs")" \
	== $((jobs + 1))
for bar in early_kills:early_kills reservations_overrun:reservation_overrun \
	het_cut:het_cut; do
	value=$(harm "${bar#*:}")
	check "no_${bar%%:*}" "there were $value" test "$value" == 0
	echo "bar plan_${bar%%:*} $value"
done
check bad_reserve "it goes on" refuses --swf="$dir/sample.swf" --reserve=noon
((failed)) || rm -rf "$dir"
exit $failed
