#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_soak.sh - no run is lost or doubled, whoever is killed
#
# 300 jobs finish on a real cluster while predictd, PostgreSQL and the
# collectors are each killed -9 several times at random moments and started
# again. In the end each job must be in the history exactly once, as completed.
#
# usage: test_soak.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_soak.sh BUILD}")
dir=$build/soak
jobs=300
kills=4 # of each part, at least

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status)) || rm -rf "$dir"
	exit "$status"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0
# shellcheck disable=SC1091
. "$dir/settings"

# Submissions go on by themselves, at most 40 jobs waiting at once.
# shellcheck disable=SC2016 # expanded on the controller
"$contrib/cluster/cluster" run "$dir/cluster" bash -euc '
	for ((i = 1; i <= $1; i++)); do
		sbatch -H -o /dev/null --parsable -t 1 \
			--wrap "sleep 0.$((i % 7)); : app -n $i" 2>/dev/null
	done' - "$jobs" >"$dir/ids.txt"
submitted=$(sort -u "$dir/ids.txt" | wc -l)
if ((submitted == jobs)); then
	echo "ok soak_submitted"
else
	echo "not ok soak_submitted - $submitted of $jobs"
fi
# shellcheck disable=SC2016
"$contrib/cluster/cluster" run "$dir/cluster" bash -euc '
	while read -r id; do
		echo "release $id"
	done | scontrol -Q >/dev/null' <"$dir/ids.txt" &
releasing=$!

stored() {
	psql -XAtq "$conninfo" -c "$1" 2>/dev/null || echo 0
}

count_done="SELECT count(DISTINCT job_id) FROM predict.runs
	WHERE state <> 'RUNNING'"

killed=0
parts=(predictd postgres "collectord n1" "collectord n2" "collectord n3"
	"collectord n4")
while ((killed < kills * ${#parts[@]})) ||
	(($(stored "$count_done") < jobs && SECONDS < 200)); do
	if ((killed < kills * ${#parts[@]})); then
		# each part in turn, so that each is killed `kills` times
		read -ra part <<<"${parts[killed % ${#parts[@]}]}"
		"$stack" kill "$dir" "${part[@]}"
		sleep "0.$((RANDOM % 8))"
		"$stack" start "$dir" "${part[@]}"
		killed=$((killed + 1))
	fi
	sleep "0.$((RANDOM % 9))"
done
wait "$releasing" || echo "not ok soak_release - scontrol failed"

for _ in {1..60}; do
	(($(stored "$count_done") < jobs)) || break
	sleep 1
done
present=$(stored "$count_done")
rows=$(stored "SELECT count(*) FROM predict.runs")
completed=$(stored "SELECT count(*) FROM predict.runs
	WHERE state = 'COMPLETED'")
lost=$((jobs - present))
double=$((rows - present))
if ((lost == 0)); then
	echo "ok soak_none_lost ($killed kills)"
else
	echo "not ok soak_none_lost - $lost of $jobs"
fi
if ((double == 0)); then
	echo "ok soak_none_double"
else
	echo "not ok soak_none_double - $double"
fi
if ((completed == jobs)); then
	echo "ok soak_states"
else
	echo "not ok soak_states - only $completed are COMPLETED"
	stored "SELECT state, count(*) FROM predict.runs GROUP BY 1"
fi
echo "bar runs_lost $lost"
echo "bar runs_double $double"
