#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_placement.sh - real load on a node, real sensors, predictd, the select
# plugin: a job goes where it is quiet, and where Slurm would have put it when
# placement is off or predictd is gone
#
# Runs alone: it measures the load of nodes.
#
# usage: test_placement.sh BUILD
# shellcheck disable=SC2317 # functions are called by trap
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_placement.sh BUILD}")
dir=$build/placement
failed=0

# shellcheck source=needs.bash
. "$here/needs.bash"
need_select placement "$build"

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status)) || rm -rf "$dir"
	exit "$status"
}

in_cluster() { "$contrib/cluster/cluster" run "$dir/cluster" "$@"; }
where() {
	for _ in {1..100}; do
		[[ -n $(in_cluster squeue -h -t CG,R) ]] || break
		sleep 0.05
	done
	in_cluster timeout 20 salloc -Q "$@" printenv SLURM_JOB_NODELIST 2>&1 |
		tail -n 1
}

# quiet: set $got to the node of a job, once that is a quiet one
quiet() {
	for _ in {1..40}; do
		got=$(where -N1)
		[[ $got != n[234] ]] || break
		sleep 0.5
	done
}

# same NAME EXPECTED GOT: one test
same() {
	if [[ $3 == "$2" ]]; then
		echo "ok placement_$1"
	else
		echo "not ok placement_$1 - $3 instead of $2"
		failed=1
	fi
}

# available NODE: in percent, as predictd forecasts it for the next minute; 100
# if it does not know
available() {
	"$stack" get "$dir" '/v1/snapshot?cluster=little' 2>/dev/null |
		awk -v node="$1" '$1 == "n" && $2 == node && $4 != "-" {
			print int($4 / 100); found = 1 }
			END { if (!found) print 100 }'
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --nodes 4 --cap 40 --select on --mode act \
	--tokens predict_place.debug=off
in_cluster scontrol setdebug debug2
log=$dir/cluster/log/slurmctld.log
"$contrib/cluster/cluster" load "$dir/cluster" n1 2
if select_stands_back placement_quiet "$log"; then
	same stands_back 'n[1-2]' "$(where -N2)"
	exit "$failed"
fi
for _ in {1..120}; do
	(($(available n1) * 10 >= $(available n2) * 8)) || break
	sleep 0.5
done
quiet # the plugin looks every two seconds

same stock n1 "$(where -p debug -N1)"
quiet
same quiet yes "$([[ $got == n[234] ]] && echo yes || echo "$got")"
same three_quiet 'n[2-4]' "$(where -N3)"
same all 'n[1-4]' "$(where -N4)"
same required n1 "$(where -w n1)"
# Placed in the instant after its submission by what is known of the job.
for _ in 1 2 3; do
	in_cluster timeout 30 "$here/sbatch_wait" -N1 -o /dev/null \
		--wrap 'sleep 1' >/dev/null 2>&1
done
line=$(grep -F 'predict: JobId' "$log" | tail -n 1)
same known_at_once yes "$([[ $line == *' s instead of '* ]] && echo yes ||
	echo "$line")"
grep -F 'predict: JobId' "$log" | tail -n 3 | sed 's/^/# /'

"$stack" kill "$dir" predictd
SECONDS=0
until grep -q 'the snapshot is too old' "$log" || ((SECONDS > 60)); do
	got=$(where -N1)
	sleep 1
done
same predictd_dead n1 "$(where -N1)"
"$stack" start "$dir" predictd
"$stack" wait "$dir"
quiet
same predictd_back yes "$([[ $got == n[234] ]] && echo yes || echo "$got")"
exit "$failed"
