#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_plan_gamed.sh - users who change jobs to get past others, with a real
# slurmctld
#
# predict_plan=on by limits: a job's place is when it began to wait, plus its
# limit, counted up to an hour, ten times less than waiting.  ann, an ordinary
# user, changes her waiting jobs in all ways that slurmctld lets her.  Whatever
# she does, soon no job of hers may stand before that place, as Slurm itself
# says when it became eligible and what its limit is.
#
# usage: test_plan_gamed.sh BUILD
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
stack=$here/../../contrib/stack/stack
cluster=$here/../../contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_plan_gamed.sh BUILD}")
dir=$build/plan_gamed
# Users that exist: Slurm cannot start the jobs of others.
ann=2 bob=65534
test=plan_gamed
# shellcheck source=checks.bash
. "$here/checks.bash"
gamed=0
columns=jobid:12,prioritylong:15,nice:15,eligibletime:15,accruetime:15
columns+=,timelimit:15,partition:20

batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o /dev/null -D /tmp --exclusive "${@:2}" \
		--wrap 'sleep 3600' 2>/dev/null
}
update() { as $ann scontrol update "jobid=$1" "${@:2}"; }

# Of each waiting job: id, priority, nice value, and the place that it should
# have; "-" while it cannot run.
places() {
	as 0 env SLURM_TIME_FORMAT=%s squeue -h -t PD -u $ann,$bob -O \
		"$columns" |
		awk -v now="$(date +%s)" '{
			n = split($6, t, /[-:]/)
			s = t[n] + 60 * t[n - 1]
			if (n > 2) s += 3600 * t[n - 2]
			if (n > 3) s += 86400 * t[n - 3]
			if ($6 == "UNLIMITED" || s > 3600) s = 3600
			begin = $5 ~ /[0-9]/ && $5 > $4 ? $5 : $4
			place = 1000000000 - (begin - 1767225600) - int(s / 10)
			if ($7 ~ /free/)
				place = 0
			else if ($4 !~ /[0-9]/ || $4 > now || !$2)
				place = "-"
			print $1, $2, $3, place
		}'
}
# Is none before its place by more than predictd's step and rounding?
none_before() {
	places | awk '$4 != "-" && $2 > $4 + 6 { bad = 1 }
		END { exit bad || !NR }'
}
field() { as 0 squeue -h -j "$1" -O "$2:30" | head -n 1 | xargs; }
factor() { as 0 sprio -h -j "$1" -o %S | sort -u | xargs; }
is_eligible() {
	(($(date +%s) > $(as 0 env SLURM_TIME_FORMAT=%s squeue -h -j "$1" \
		-O eligibletime)))
}
is_now() { [[ $(field "$1" "$2") == "$3" ]]; }
has_factor() { [[ $(factor "$1") == "$2" ]]; }
# With equal priorities the lower job id goes first.
behind() { (($(field "$1" prioritylong) <= $(field "$2" prioritylong))); }

# A round may take a second on a busy machine, and the next comes 50 after it.
round_s=300

polled() {
	until_true $round_s "$@" && return
	places >"$dir/places"
	return 1
}
# fair NAME COMMAND...: a check that is one of the bar's, and becomes true soon
fair() {
	local before=$failed

	failed=0
	check "$1" "@$dir/places" polled "${@:2}"
	gamed=$((gamed + failed))
	failed=$((failed || before))
}
# back NAME: she gained nothing
back() { fair "$1" none_before; }

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
printf '%s\n' PriorityType=priority/multifactor 'PartitionName=free Nodes=ALL' \
	>"$dir/more.conf"
tokens=predict_plan=on,predict_plan_key=limit,predict_plan_order=0.1
tokens+=,predict_plan_order_max=1,predict_plan.free=off
"$stack" up "$dir" "$build" --nodes 1 --cap 0 --conf "$dir/more.conf" \
	--tokens $tokens || exit
# shellcheck disable=SC1091
. "$dir/settings"
# A requeued job waits until a credential has expired, 120 s by default.
sed -i 's/^AuthInfo=.*/&,cred_expire=40/' "$dir/cluster/etc/slurm.conf"
"$cluster" restart-ctld "$dir/cluster" || exit
"$stack" kill "$dir" predictd
echo SlurmQueueInterval=1 >>"$dir/etc/predict.conf"
"$stack" start "$dir" predictd
"$stack" wait "$dir"

starter=$(batch 0 -t 60)
requeued=$(batch $ann -t 60)
as 0 scancel "$starter"
until_true $round_s is_now "$requeued" statecompact R
blocker=$(batch 0 -t 60 --priority=4000000000)
first=$(batch 0 -t 60 --dependency=afterany:"$blocker")

# --- Jobs that cannot run yet -------------------------------------------------

held=$(batch $ann -t 1 -H)
depends=$(batch $ann -t 1 --dependency=afterany:"$first")
later=$(batch $ann -t 1 --begin=now+20)
again=$(batch $ann -t 1)
as $ann scontrol hold "$again"
honest=$(batch $bob -t 60) short=$(batch $bob -t 1)
# It begins to wait again, after what Slurm lets it wait.
as $ann scontrol requeue "$requeued"
check requeue "$(as 0 squeue)" until_true 60 is_now "$blocker" statecompact R

# --- Jobs that are changed ----------------------------------------------------

job=$(batch $ann -t 1)
update "$job" TimeLimit=3-00:00:00
back jump
fair jump_behind behind "$job" "$honest"
update "$job" TimeLimit=1
update "$job" TimeLimit=3-00:00:00
back raised_again
update "$job" Nice=7 NumNodes=1 NumCPUs=1
back raised_nice
fair nice_kept is_now "$job" nice 7

first_of_all=$(batch $ann -t 1)
update "$first_of_all" TimeLimit=3-0 Priority=1
back own_priority

array=$(batch $ann -t 1 --array=1-3%1)
update "$array" TimeLimit=2:00:00
back array

# Partitions: without a plan, from a list, and back.
free=$(batch $ann -t 1 -p free)
update "$free" TimeLimit=3-0
moved=$(batch $ann -t 1)
as 0 scontrol update jobid="$moved" Partition=main,free
fair list has_factor "$moved" 0
moved=$(batch $ann -t 1)
update "$moved" Partition=free
fair left has_factor "$moved" 0
update "$moved" Partition=main TimeLimit=1-0
back moved_back
check free "$(factor "$free")" has_factor "$free" 0
check free_nice "$(field "$free" nice)" is_now "$free" nice 0

# --- Those that could not run -------------------------------------------------

as $ann scontrol release "$held" "$again"
back released
fair held_behind behind "$held" "$short"
as 0 scancel "$first"
until_true $round_s is_now "$depends" reason Priority
back depends
until_true $round_s is_eligible "$later"
back begun
until_true $round_s is_eligible "$requeued"
back requeued
as $ann scontrol hold "$job"
as $ann scontrol release "$job"
back released_again

# --- What is an operator's ----------------------------------------------------

as 0 scontrol update jobid="$job" SiteFactor=5
# A round puts another one back.
update "$(batch $ann -t 1)" TimeLimit=3-0
back operator
check operator_stays "$(factor "$job")" has_factor "$job" 5

# --- scontrol top, where users may --------------------------------------------

sed -i 's/^SchedulerParameters=/&enable_user_top,/' \
	"$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
as 0 scancel "$job" "$moved" # with values of the operator's
batch $ann -t 1 >/dev/null
top=$(batch $ann -t 60)
as $ann scontrol top "$top"
check top_counts "$(field "$top" nice)" test "$(field "$top" nice)" -lt 0
back top

# None of all this was refused, and nobody lost a job.
check all_wait "$(as 0 squeue)" test "$(as 0 squeue -h -t PD | wc -l)" -ge 10
echo "bar plan_gamed $gamed"
((failed == 0))
