#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_stock_nodes.sh - where stock Slurm places jobs: predictions assume the
# nodes that it takes, and the times told with load on the first nodes hold
#
# Runs alone: it judges run times under load.
# Runs long: its programs run one after the other.
#
# usage: test_stock_nodes.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_stock_nodes.sh BUILD}")
dir=$build/stock-nodes
failed=0

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status)) || rm -rf "$dir"
	exit "$status"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --nodes 6 --cap 30
# shellcheck disable=SC1091
. "$dir/settings"

on() { "$contrib/cluster/cluster" run "$dir/cluster" "$@"; }

ok() {
	if [[ $2 == yes ]]; then
		echo "ok stock_nodes_$1"
	else
		echo "not ok stock_nodes_$1 - $3"
		failed=1
	fi
}

# job OPTION...: its id
job() {
	on sbatch --parsable -o /dev/null "$@" 2>/dev/null | tail -n 1
}

# ended ID: what predictd knows of the job once it has ended
ended() {
	local reply

	for _ in {1..300}; do
		reply=$("$stack" get "$dir" "/v1/jobs/$1" 2>/dev/null) ||
			reply='{}'
		if [[ $(jq -r '.job.state // ""' <<<"$reply") == COMPLETED ]]
		then
			echo "$reply"
			return
		fi
		sleep 0.2
	done
	echo "job $1 did not end" >&2
	return 1
}

# same NAME OPTION...: the nodes assumed are the nodes given
same() {
	local name=$1 reply nodes

	shift
	reply=$(ended "$(job "$@" --wrap 'sleep 0.2')")
	nodes=$(jq -r '"\(.prediction.assumed_nodes) \(.job.node_list)"' \
		<<<"$reply")
	ok "$name" "$([[ ${nodes% *} == "${nodes#* }" ]] && echo yes)" "$nodes"
}

# Nodes without room: left are 1, 3-4 and 6.
held=("$(job --exclusive -w n2 --wrap 'sleep 300')"
	"$(job --exclusive -w n5 --wrap 'sleep 300')")
sleep 2
same one -N 1
same one_exclusive -N 1 --exclusive
same two -N 2
same three -N 3
same four -N 4
on scancel "${held[@]}"
sleep 2
same two_of_all -N 2
same five_of_all -N 5
on scontrol update nodename=n1 state=drain reason=test
"$stack" kill "$dir" predictd
"$stack" start "$dir" predictd
"$stack" wait "$dir"
sleep 1
same drained -N 2
on scontrol update nodename=n1 state=resume

# Load on the first two nodes.  Runs on each, quiet and loaded, are known.
"$stack" kill "$dir" predictd
"$stack" start "$dir" predictd
"$stack" wait "$dir"
"$contrib/cluster/cluster" load "$dir/cluster" n1 2
"$contrib/cluster/cluster" load "$dir/cluster" n2 2
sleep 6
export NBODY=$build/bin/nbody
nbody=("$contrib/mpi/nbody.sbatch" -n 3000 -s 12)
for node in n3 n1 n4 n1 n3; do
	ended "$(job -w "$node" -N 1 -t 5 "${nbody[@]}")" >/dev/null
done
for try in 1 2 3; do
	reply=$(ended "$(job -N 1 -t 5 "${nbody[@]}")")
	text=$(jq -r '"\(.prediction.median_s) \(.job.runtime_s) on " +
		"\(.prediction.assumed_nodes), \(.job.node_list)"' <<<"$reply")
	ok "told_$try" "$(awk '{ r = $1 / $2
		print(r > 0.6 && r < 1.6 ? "yes" : "no") }' <<<"$text")" "$text"
	echo "# told, ran: $text"
done
exit $failed
