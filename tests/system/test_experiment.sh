#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_experiment.sh - the models on the recorded runs of the experiment
#
# usage: test_experiment.sh BUILD
#
# Replays the datasets of contrib/experiments/regression with the models as they
# are, and checks the reports that come out of it.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
experiment=$here/../../contrib/experiments/regression
build=$(realpath -- "${1:?usage: test_experiment.sh BUILD}")
dir=$build/test-experiment
trap 'rm -rf "$dir"' EXIT

best_bar=20.2 # percent: what Lee and Schopf reached
behind_bar=2  # points that the engine's own choice may be behind the best

# bar NAME: its value in the report's lines
bar() {
	awk -v name="$1" '$1 == "bar" && $2 == name { print $3 }' <<<"$bars"
}

# expect NAME CONDITION: of awk
expect() {
	if awk "BEGIN { exit !($2) }"; then
		echo "ok $1"
	else
		echo "not ok $1 - $2"
	fi
}

for dataset in result-busy result; do
	if bars=$("$experiment/report" "$build" "$experiment/$dataset" "$dir")
	then
		echo "ok report of $dataset"
	else
		echo "not ok report of $dataset"
		exit 1
	fi
	best=$(bar regression_best_npe_pct)
	engine=$(bar regression_engine_npe_pct)
	expect "the best model is as good as the paper's, $dataset" \
		"$best <= $best_bar"
	expect "the engine finds it, $dataset" "$engine <= $best + $behind_bar"
done

for file in report.md errors.svg predicted.svg; do
	expect "$file" "$(wc -c <"$dir/$file") > 1000"
done
python3 - "$dir" <<'END' && echo "ok figures are XML" || echo "not ok figures"
import sys, xml.dom.minidom
for name in "errors", "predicted":
    xml.dom.minidom.parse(f"{sys.argv[1]}/{name}.svg")
END

if ! echo "not a dataset" | "$build/bin/replay" 2>"$dir/bad.txt" &&
	grep -q 'line 1: not as expected' "$dir/bad.txt"; then
	echo "ok a file that is none is refused"
else
	echo "not ok a file that is none is refused"
fi
