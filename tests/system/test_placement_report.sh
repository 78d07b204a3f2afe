#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_placement_report.sh - what the placement experiment makes of its rounds
#
# usage: test_placement_report.sh BUILD
#
# Rounds made by hand, whose figures are known; the kept ones; and how nodes are
# chosen that are tried in hindsight.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
experiment=$here/../../contrib/experiments/placement
build=$(realpath -- "${1:?usage: test_placement_report.sh BUILD}")
dir=$build/test-placement-report
failed=0
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/rounds"

# round KIND WHO WAIT RUNTIME...: a line of rounds.jsonl
round() {
	local kind=$1 who=$2 wait=$3 number=0 runtime jobs=

	shift 3
	for runtime; do
		jobs+=${jobs:+,}"{\"number\":$number,\"program\":\"ep\",\"size\":2,
			\"wait_s\":$wait,\"runtime_s\":$runtime,\"started_s\":10,
			\"ended_s\":20,\"nodes\":[0,1],\"decision\":\"\"}"
		number=$((number + 1))
	done
	tr -d '\n\t' <<<"{\"kind\":\"$kind\",\"pair\":0,\"who\":\"$who\",
		\"begun_s\":0,\"asked\":3,\"load_average\":1,\"jobs\":[$jobs]}"
	echo
}

# same NAME EXPECTED GOT: one test
same() {
	if [[ $3 == "$2" ]]; then
		echo "ok $1"
	else
		echo "not ok $1 - $3 instead of $2"
		failed=1
	fi
}

echo '{"nodes":8,"cap":20,"source":"made by hand","step_s":30}' \
	>"$dir/rounds/about.json"
{
	# The third job of stock's has no partner.
	round load stock 3 10 9 7
	round load ours 1.5 5 2
	round quiet ours 1 5.05
	round quiet stock 1 5
	echo '{"kind":"hindsight","program":"ep","size":2,"pair":0,"number":0,
"tried":[{"nodes":[0,1],"runtime_s":5.5,"had":true},
{"nodes":[2,3],"runtime_s":5,"had":false}]}' | tr -d '\n'
	echo
} >"$dir/rounds/rounds.jsonl"
bars=$("$experiment/report" "$dir/rounds" "$dir" | grep '^bar' | xargs)
same figures "bar placement_speedup 3.0000 bar placement_wait_ratio 0.5000 \
bar placement_noload 1.0100 bar placement_vs_best 1.1000" "$bars"

if [[ -e $experiment/result ]]; then
	"$experiment/report" "$experiment/result" "$dir" >"$dir/bars"
	same kept 4 "$(grep -c '^bar placement_' "$dir/bars")"
fi
if python3 -B - "$experiment" "$dir" <<'END'; then
import sys, xml.dom.minidom
experiment, out = sys.argv[1:]
sys.path[:0] = [experiment, f"{experiment}/../sharing",
                f"{experiment}/../regression"]
import conditions, hindsight, mix, plan, rounds

for name in "runtimes", "hindsight":
    xml.dom.minidom.parse(f"{out}/{name}.svg")

trace = conditions.wandering("", 8, 12, "seed")
assert trace == conditions.wandering("", 8, 12, "seed")
assert trace != conditions.wandering("", 8, 12, "another")
turned = conditions.wandering("", 8, 12, "seed", True)
assert all(t.loads == m.loads[::-1] for t, m in zip(turned, trace))
assert all(0 <= load <= conditions.LOAD_MAX for m in trace for load in m.loads)
assert conditions.at(trace, 1e9) is trace[-1]
assert conditions.at(trace, 31) is trace[1]

steps = mix.usual_steps()
jobs = mix.arrivals(18, 9, "seed", steps)
assert jobs == mix.arrivals(18, 9, "seed", steps)
assert all(j.steps == steps[j.program] * j.nodes for j in jobs)
# Twice as long as wanted: half as many; never none.
assert plan.fitted(40, 6.0, 3) == 20 and plan.fitted(2, 60.0, 3) == 1
assert sorted((j.program, j.nodes) for j in jobs) == sorted(mix.kinds())

assert rounds.expanded("n[1-2,4]") == [0, 1, 3]
assert rounds.expanded("n8") == [7]

# The nodes of the job itself are free to it, those of another that runs not.
mine = {"nodes": [0, 3], "size": 2, "started_s": 5, "ended_s": 9,
        "decision": ""}
other = {"nodes": [1], "size": 1, "started_s": 4, "ended_s": 6}
gone = {"nodes": [2], "size": 1, "started_s": 1, "ended_s": 5}
free = hindsight.free_nodes(mine, [mine, other, gone], 5)
assert free == [0, 2, 3, 4], free
# One node less was offered: that which has just become free.
mine["decision"] = "can run now on n[1,4] (best 2 of 3 nodes, 4 s instead of 5 s)"
assert hindsight.free_nodes(mine, [mine, other, gone], 5) == [0, 3, 4]
moment = conditions.Moment([2, 0, 0.5, 1, 0], [1e8] * 5)
tried = hindsight.sets(mine, free, moment, 9)
assert tried[0] == (0, 3) and tried[1] == (2, 4), tried
assert len(set(tried)) == len(tried) == 6
END
	echo "ok traces, arrivals and sets"
else
	echo "not ok traces, arrivals and sets"
	failed=1
fi
((failed == 0))
