#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_sharing.sh - the sharing model on the recorded runs of its experiment
#
# usage: test_sharing.sh BUILD
#
# Predicts the runs of contrib/experiments/sharing with the model as it is, and
# checks the report that comes out of it.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
experiment=$here/../../contrib/experiments/sharing
build=$(realpath -- "${1:?usage: test_sharing.sh BUILD}")
dir=$build/test-sharing
failed=0
trap 'rm -rf "$dir"' EXIT

# Percent, in the mean over programs: little more than when the runs of each
# campaign were kept, so that a model that has got worse does not pass.
check() { # RESULT LIMIT...
	local result=$1 bars kind value limit

	shift
	if ! bars=$("$experiment/report" "$build" "$experiment/$result" "$dir")
	then
		echo "not ok report of $result"
		failed=1
		return
	fi
	for limit; do
		kind=${limit%=*} limit=${limit#*=}
		value=$(awk -v name="sharing_${kind}_at_speed_pct" \
			'$1 == "bar" && $2 == name { print $3 }' <<<"$bars")
		if awk "BEGIN { exit !(${value:-100} <= $limit) }"; then
			echo "ok $result: $kind: $value %"
		else
			echo "not ok $result: $kind: $value % is more than $limit"
			failed=1
		fi
	done
}

check result-slow-host load=2.0 link=3.4 both=1.5 many=1.9
check result load=1.6 link=2.1 both=1.9 many=3.7

if grep -q '| pipeline |' "$dir/report.md" &&
	python3 - "$dir/times.svg" <<'END'; then
import sys, xml.dom.minidom
xml.dom.minidom.parse(sys.argv[1])
END
	echo "ok report and figure"
else
	echo "not ok report and figure"
	failed=1
fi

# What users get: with what collectord measures, instead of all that the
# experiment knows; and the program asks the very model that predictd does.
if ! "$experiment/production" "$build" "$experiment/result" \
		"$experiment/result-slow-host" >"$dir/production.txt"; then
	echo "not ok production"
	failed=1
elif [[ $(grep -c '^result' "$dir/production.txt") == 6 ]] &&
	awk '$2 == "sharing_production_gap_points" { gap = $3 }
		END { exit !(gap != "" && gap <= 0.5) }' "$dir/production.txt"; then
	echo "ok production: $(grep '^bar' "$dir/production.txt")"
else
	echo "not ok production: $(grep '^bar' "$dir/production.txt")"
	failed=1
fi

lines='profile 10 2
node 4 2 4 1 nan 1
node 5 1 4 1 nan 1
pair 0 1 100 1e6 0 0 1e8 1e-3
pair 1 0 100 1e6 0 0 1e8 1e-3
now 0.003 0.002
at 0 0.5 SPEED
at 1 0.25 SPEED
link 1 1e7 1e-3
predict'
as_predictd=$("$build/bin/sharing-predict" <<<"${lines//SPEED/nan}")
directly=$("$build/bin/sharing-predict" <<<"${lines//SPEED/1}")
if [[ $as_predictd && $as_predictd == "$directly" ]]; then
	echo "ok predictd's model: $as_predictd s"
else
	echo "not ok predictd's model: $as_predictd s, directly $directly s"
	failed=1
fi

for lines in 'profile 10 4
node 1 2' 'predict 1' 'profile 10 900' 'pair 0 1 2 3 4 5' 'nonsense'; do
	if "$build/bin/sharing-predict" <<<"$lines" 2>"$dir/bad.txt" >&2; then
		echo "not ok refuses: $lines"
		failed=1
	else
		echo "ok refuses: ${lines%%$'\n'*}"
	fi
done
((failed == 0))
