#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_plan.sh - predict_plan by predicted medians, in a real slurmctld
#
# One node, and four jobs of the same limit that wait for it: ann's long one,
# ann's short one, and two of bob, of whom no run is known.  predict_plan=on
# serves ann's in the order of the medians that predictd learned from her runs;
# for bob's the limit counts, which is longer, so they keep their order.  With
# observe and off all start as submitted.  spredict job says how much later a
# job that overtakes may have been submitted.
#
# usage: test_plan.sh BUILD
set -u -o pipefail

conninfo='' run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_plan.sh BUILD}")
dir=$build/plan
# Users that exist: Slurm cannot start the jobs of others.
ann=2 bob=65534
failed=0
blocker='' ids=() factors=() said='' started=''

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status || failed)) || rm -rf "$dir"
	exit $((status || failed))
}

# as UID COMMAND...: in the controller's namespaces
as() {
	"$cluster" run "$dir/cluster" setpriv --reuid="$1" --regid="$1" \
		--clear-groups "${@:2}" </dev/null
}
batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o /dev/null -D /tmp -n1 -t 60 "${@:2}" \
		2>/dev/null
}
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }

# check NAME WHAT-IS-WRONG COMMAND...: one test
check() {
	if "${@:3}"; then
		echo "ok plan_$1"
	else
		echo "not ok plan_$1 - $2"
		failed=1
	fi
}

# shellcheck source=until.bash
. "$here/until.bash"

same() { [[ $1 == "$2" ]]; }
completed() {
	(($(sql "SELECT count(*) FROM runs WHERE state = 'COMPLETED'") >= $1))
}
state_is() { [[ $(as 0 squeue -h -j "$1" -o %t) == "$2" ]]; }
factor() { as 0 sprio -h -j "$1" -o %S | xargs; }
less() { (($1 < $2)); }

# Two programs of ann's, whose run times are in her history.
long='sort /etc/passwd; sleep 2'
short='head -c 9 /dev/zero; sleep 0.5'

# submit: the four jobs, which wait behind another.  Sets $ids and $factors, and
# $said of the first one's order.
submit() {
	local id

	blocker=$(batch 0 --exclusive --wrap 'sleep 100')
	until_true 20 state_is "$blocker" R
	ids=("$(batch $ann --exclusive --wrap "$long")"
		"$(batch $bob --exclusive --wrap 'date -u')"
		"$(batch $bob --exclusive --wrap 'id -un')"
		"$(batch $ann --exclusive --wrap "$short")")
	sleep 1.2 # sprio's numbers are made each second
	factors=()
	for id in "${ids[@]}"; do factors+=("$(factor "$id")"); done
	said=$(as $ann "$run/spredict" job "${ids[0]}" | grep ^Order || :)
}

# serve: the node is free for them; sets $started, in the order of their starts
serve() {
	local id before
	local -A name_of=(["${ids[0]}"]=long ["${ids[1]}"]=bob1
		["${ids[2]}"]=bob2 ["${ids[3]}"]=short)

	before=$(sql "SELECT count(*) FROM runs WHERE state = 'COMPLETED'")
	as 0 scancel "$blocker"
	until_true 40 completed $((before + 4))
	started=''
	for id in $(sql "SELECT job_id FROM runs WHERE state = 'COMPLETED'
		AND job_id >= ${ids[0]} ORDER BY started_at"); do
		started+="${started:+ }${name_of[$id]}"
	done
}

# replan WHAT: slurm.conf has predict_plan=WHAT
replan() {
	sed -i -E "s/predict_plan=[a-z]+/predict_plan=$1/" \
		"$dir/cluster/etc/slurm.conf"
	as 0 scontrol reconfigure
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
printf '%s\n' PriorityType=priority/multifactor PriorityCalcPeriod=1 \
	>"$dir/priority.conf"
"$stack" up "$dir" "$build" --nodes 1 --cap 0 --conf "$dir/priority.conf" \
	--tokens predict_plan=on || exit
# shellcheck disable=SC1091
. "$dir/settings"
chmod 755 "$run"
cp "$build/bin/spredict" "$run/"

for _ in {1..4}; do batch $ann --wrap "$long" >/dev/null; done
for _ in {1..4}; do batch $ann --wrap "$short" >/dev/null; done
until_true 60 completed 8

# --- On, by the median --------------------------------------------------------

submit
check on_factors "${factors[*]}" less "${factors[0]}" "${factors[3]}"
# With the defaults the limit of 60 min counts more than 2.5 days.
check by_limit "${factors[*]}" less $((factors[1] + 200000)) "${factors[0]}"
# K = 42 times 2 h.
check bound "'$said'" grep -q 'submitted less than 3d 12h after it' <<<"$said"
serve
check on "they started as $started" same "$started" 'short long bob1 bob2'

# --- Observed, and off --------------------------------------------------------

replan observe
submit
check observe "${factors[*]}" same "${factors[*]}" '0 0 0 0'
check observe_bound "'$said'" same "$said" ''
as 0 scancel "$blocker" "${ids[@]}"
replan off
submit
check off_factors "${factors[*]}" same "${factors[*]}" '0 0 0 0'
check off_bound "'$said'" same "$said" ''
serve
check off "they started as $started" same "$started" 'long bob1 bob2 short'
exit $failed
