#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_plan_gamed.sh - users who change jobs to get past others, with a real
# slurmctld
#
# predict_plan=on by limits: a job's place is when it began to wait, plus its
# limit, counted up to an hour, ten times less than waiting.  ann, an ordinary
# user, changes her waiting jobs in all ways that slurmctld lets her.  Whatever
# she does, no job of hers may stand before that place, as Slurm itself says
# when it became eligible and what its limit is.  Where a change could lengthen
# a job that holds at once, by the mark that the plugin leaves; and soon
# predictd gives the job exactly that place.
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
		--wrap 'sleep 300' 2>/dev/null
}
update() { as $ann scontrol update "jobid=$1" "${@:2}"; }

# Of each waiting job: id, priority, nice value, and the place that it should
# have; a place is not known while its begin is not.
places() {
	as 0 env SLURM_TIME_FORMAT=%s squeue -h -t PD -u $ann,$bob -O \
		"$columns" |
		awk '{
			n = split($6, t, /[-:]/)
			s = t[n] + 60 * t[n - 1]
			if (n > 2) s += 3600 * t[n - 2]
			if (n > 3) s += 86400 * t[n - 3]
			if ($6 == "UNLIMITED" || s > 3600) s = 3600
			begin = $5 ~ /[0-9]/ && $5 > $4 ? $5 : $4
			place = 1000000000 - (begin - 1767225600) - int(s / 10)
			if ($7 ~ /free/)
				place = 0
			else if ($4 !~ /[0-9]/ || !$2)
				place = "-"
			print $1, $2, $3, place
		}'
}
# before [JOB]: jobs before their places by more than predictd's step and
# rounding
before() {
	places | awk -v job="${1-}" '$4 != "-" && (job == "" || $1 == job) &&
		$2 > $4 + 6 { print }'
}
none_before() { [[ -z $(before "$@") ]]; }
# All have exactly their places; the nice values left are the users' own.
settled() {
	places | awk '$3 > 99 || ($4 != "-" && $3 >= 0 && $4 &&
		($2 + $3 > $4 + 6 || $2 + $3 < $4 - 6)) { bad = 1 }
		END { exit bad }'
}
field() { as 0 squeue -h -j "$1" -O "$2:30" | head -n 1 | xargs; }
factor() { as 0 sprio -h -j "$1" -o %S | sort -u | xargs; }
is_eligible() {
	(($(date +%s) > $(as 0 env SLURM_TIME_FORMAT=%s squeue -h -j "$1" \
		-O eligibletime)))
}
same() { [[ $1 == "$2" ]]; }
is_now() { [[ $(field "$1" "$2") == "$3" ]]; }
has_factor() { [[ $(factor "$1") == "$2" ]]; }
# With equal priorities the lower job id goes first.
behind() { (($(field "$1" prioritylong) <= $(field "$2" prioritylong))); }

# fair NAME COMMAND...: a check that is one of the bar's
fair() {
	if check "$1" "$(places | paste -sd ';')" "${@:2}"; then :; fi
	"${@:2}" || gamed=$((gamed + 1))
}
# at_once NAME JOB / soon NAME
at_once() { fair "$1" none_before "$2"; }
soon() {
	until_true 20 settled
	fair "$1" none_before
}

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
"$stack" kill "$dir" predictd
echo SlurmQueueInterval=1 >>"$dir/etc/predict.conf"
"$stack" start "$dir" predictd
"$stack" wait "$dir"

starter=$(batch 0 -t 60)
requeued=$(batch $ann -t 5)
update "$requeued" TimeLimit=4
until_true 20 is_now "$requeued" nice 0 # predictd has seen it
as 0 scancel "$starter"
until_true 20 is_now "$requeued" statecompact R
blocker=$(batch 0 -t 60)
first=$(batch 0 -t 60 --dependency=afterany:"$blocker")

# --- Jobs that cannot run yet -------------------------------------------------

held=$(batch $ann -t 1 -H)
depends=$(batch $ann -t 1 --dependency=afterany:"$first")
later=$(batch $ann -t 1 --begin=now+20)
again=$(batch $ann -t 1)
as $ann scontrol hold "$again"
honest=$(batch $bob -t 60) short=$(batch $bob -t 1)
# predictd has seen them.
until_true 20 settled

# --- Jobs that are changed ----------------------------------------------------

job=$(batch $ann -t 1)
update "$job" TimeLimit=3-00:00:00
at_once jump "$job"
check jump_behind "$(places | paste -sd ';')" behind "$job" "$honest"
update "$job" Nice=0
at_once jump_nice "$job"
soon jump_later
check jump_nice_gone "$(field "$job" nice)" same "$(field "$job" nice)" 0

update "$job" TimeLimit=1
soon lowered
update "$job" TimeLimit=3-00:00:00
at_once raised_again "$job"
update "$job" Nice=7
at_once raised_nice "$job"
soon raised_later
check nice_kept "$(field "$job" nice)" same "$(field "$job" nice)" 7
update "$job" NumNodes=1 NumCPUs=1
at_once resized "$job"
soon resized_later
check nice_of_before "$(field "$job" nice)" until_true 20 is_now "$job" nice 7

array=$(batch $ann -t 1 --array=1-3%1)
update "$array" TimeLimit=2:00:00
at_once array "$array"
soon array_later

# Partitions: without a plan, from a list, and back.
moved=$(batch $ann -t 1)
as 0 scontrol update jobid="$moved" Partition=main,free
until_true 20 has_factor "$moved" 0
fair list has_factor "$moved" 0
moved=$(batch $ann -t 1)
update "$moved" Partition=free
until_true 20 has_factor "$moved" 0
fair left has_factor "$moved" 0
update "$moved" Partition=main TimeLimit=1-0
at_once back "$moved"
soon back_later

# Requeued by its user: it begins to wait again, after what Slurm lets it wait.
as $ann scontrol requeue "$requeued"
until_true 20 is_now "$blocker" statecompact R
until_true 20 is_now "$requeued" statecompact PD
soon requeued

# --- Those that could not run -------------------------------------------------

as $ann scontrol release "$held" "$again"
soon released
fair held_behind behind "$held" "$short"
as 0 scancel "$first"
until_true 20 is_now "$depends" reason Priority
soon depends
until_true 40 is_eligible "$later"
soon begun
as $ann scontrol hold "$job"
as $ann scontrol release "$job"
soon released_again

# --- What is an operator's ----------------------------------------------------

as 0 scontrol update jobid="$job" SiteFactor=5
as 0 scontrol update jobid="$array" TimeLimit=1
check unmarked "$(field "$array" nice)" same "$(field "$array" nice)" 0
soon operator
check operator_stays "$(factor "$job")" has_factor "$job" 5
# --- scontrol top, where users may --------------------------------------------

sed -i 's/^SchedulerParameters=/&enable_user_top,/' \
	"$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
as 0 scancel "$job" "$moved" # with values of the operator's
batch $ann -t 1 >/dev/null
top=$(batch $ann -t 60)
as $ann scontrol top "$top"
check top_counts "$(places | paste -sd ';')" test "$(field "$top" nice)" -lt 0
check top "$(places | paste -sd ';')" until_true 20 none_before
soon top_later

# None of all this was refused, and nobody lost a job.
check all_wait "$(as 0 squeue)" test "$(as 0 squeue -h -t PD | wc -l)" -ge 10
echo "bar plan_gamed $gamed"
((failed == 0))
