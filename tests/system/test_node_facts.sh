#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_node_facts.sh - predictions assume nodes with the features that a job
# asks for, as slurmctld has them now; without scontrol, any nodes
#
# usage: test_node_facts.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_node_facts.sh BUILD}")
dir=$build/node-facts
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
"$stack" up "$dir" "$build" --nodes 3 --cap 0
# shellcheck disable=SC1091
. "$dir/settings"

# in the controller's namespaces, as root: `on COMMAND...`
on() { "$contrib/cluster/cluster" run "$dir/cluster" "$@"; }

features() {
	on scontrol update "nodename=$1" "availablefeatures=$2" \
		"activefeatures=$2"
}

# assumed OPTION...: the nodes that a prediction assumes; none with status 1, of
# a job that can never start
assumed() {
	{
		on "$build/bin/spredict" --json predict "$@" --wrap=hostname ||
			(($? == 1))
	} | jq -r '.prediction.assumed_nodes // ""'
}

# same NAME PATTERN OPTION...: wait for it for up to 10 s.  Where several nodes
# are allowed, the load of the host decides among them.
same() {
	local name=$1 expected=$2 got=

	shift 2
	for _ in {1..50}; do
		got=$(assumed "$@")
		# shellcheck disable=SC2053 # a pattern
		if [[ $got == $expected ]]; then
			echo "ok node_facts_$name"
			return
		fi
		sleep 0.2
	done
	echo "not ok node_facts_$name - '$got' instead of '$expected'"
	failed=1
}

# predictd KEY=VALUE: start it again with one more line of configuration
predictd() {
	"$stack" kill "$dir" predictd
	echo "$1" >>"$dir/etc/predict.conf"
	"$stack" start "$dir" predictd
	"$stack" wait "$dir"
}

features n1 fast
features n2 slow
features n3 ib,green
predictd SlurmNodesInterval=1
same any 'n[123]'
same fast 'n1' -C fast
same slow 'n2' -C slow
same both 'n3' -C 'ib&green'
same either 'n\[1-2\]' -N 2 -C '[fast|slow]'
same none '' -C 'fast&slow'
same too_much_memory '' --mem=5000
same enough_memory 'n[123]' --mem=4000
same unknown_partition '' -p nowhere
features n1 slow
features n2 fast
same changed 'n1' -C slow
same changed_too 'n2' -C fast
predictd ScontrolPath=/nowhere/scontrol
same no_scontrol 'n[123]' -C 'fast&slow'
lines=$(grep -c 'nodes of Slurm.*/nowhere/scontrol' "$dir/log/predictd.log")
if ((lines == 1)); then
	echo "ok node_facts_logged_once"
else
	echo "not ok node_facts_logged_once - $lines lines"
	failed=1
fi
((failed == 0))
