#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_plan_reserve.sh - for which jobs a real slurmctld keeps nodes free
#
# Two nodes, one of which a job of ten minutes has.  ann's job needs both, is
# the first in the queue, and runs for seconds, as predictd learned from her
# runs; bob's jobs need one node and an hour.  Slurm keeps the idle node free
# for ann.  With predict_plan_reserve bob's job starts at once, and ann's gets
# a start in the future only when it has waited for long enough, measured by
# its median (which counts as a minute); then bob's next job waits, and only
# one that ends in time starts.  Heterogeneous jobs and arrays start as ever.
#
# usage: test_plan_reserve.sh BUILD
set -u -o pipefail

conninfo='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
stack=$here/../../contrib/stack/stack
cluster=$here/../../contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_plan_reserve.sh BUILD}")
dir=$build/plan_reserve
# Users that exist: Slurm cannot start the jobs of others.
ann=2 bob=65534
test=plan_reserve
# shellcheck source=checks.bash
. "$here/checks.bash"
# shellcheck source=needs.bash
. "$here/needs.bash"
need_select plan_reserve "$build"

batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o /dev/null -D /tmp --exclusive -t 60 \
		"${@:2}" 2>/dev/null
}
wide() { batch $ann -N2 "$@" --wrap 'sort /etc/passwd; sleep 2'; }
small() { batch $bob -N1 --wrap 'sleep 600'; }
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }
completed() {
	(($(sql "SELECT count(*) FROM runs WHERE state = 'COMPLETED'") >= $1))
}
# state_is JOB STATE: of all that there is of it
state_is() { [[ $(as 0 squeue -h -j "$1" -o %t | sort -u | xargs) == "$2" ]]; }
is_gone() { [[ -z $(as 0 squeue -h -j "$1" 2>/dev/null) ]]; }
expected() { as 0 squeue -h -j "$1" -o %S; }
has_start() { [[ $(expected "$1") == *T* ]]; }
age() {
	echo $(($(date +%s) - $(as 0 env SLURM_TIME_FORMAT=%s squeue -h -j "$1" \
		-O eligibletime)))
}
# Backfill looks at the queue only when something has changed.
poked() {
	as 0 scontrol update jobid="$blocker" comment="$SECONDS"
	"$@"
}
soon() { until_true 60 poked "$@"; }
turns() { as 0 sdiag | awk '/Total cycles/ { n = $3 } END { print n + 0 }'; }
turns_since() { (($(turns) >= $1)); }
# turns_pass: some turns of backfill
turns_pass() { soon turns_since $(($(turns) + 3)); }
# reserve TOKENS: slurm.conf has predict_plan=on and these
reserve() {
	sed -i -E "s/(predict_plan=on)[^ ]*/\1$1/" "$dir/cluster/etc/slurm.conf"
	as 0 scontrol reconfigure
}
block() {
	blocker=$(batch 0 -w n1 -N1 -t 10 --wrap 'sleep 900')
	until_true 20 state_is "$blocker" R
}
# cancel ID...: and wait until they are gone
cancel() {
	local id

	as 0 scancel "$@"
	for id; do until_true 60 is_gone "$id"; done
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
cat >"$dir/more.conf" <<-'END'
PriorityType=priority/multifactor
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1,bf_resolution=1,bf_job_part_count_reserve=1
END
STACK_TIMEOUT_MS=1000 "$stack" up "$dir" "$build" --nodes 2 --cap 0 \
	--select on --conf "$dir/more.conf" --tokens predict_plan=on || exit
# shellcheck disable=SC1091
. "$dir/settings"
log=$dir/cluster/log/slurmctld.log
if select_stands_back plan_reserve "$log"; then exit 0; fi

for _ in {1..4}; do wide >/dev/null; done
until_true 60 completed 4
check history "$(as 0 squeue)" completed 4

# --- Slurm alone --------------------------------------------------------------

block
first=$(wide)
behind=$(small)
soon has_start "$first"
check stock_start "$(expected "$first")" has_start "$first"
turns_pass
check stock_waits "$(as 0 squeue)" state_is "$behind" PD
cancel "$behind" "$first"

# --- Before it has waited -----------------------------------------------------

reserve ,predict_plan_reserve=1000
first=$(wide)
behind=$(small)
soon state_is "$behind" R
check starts "$(as 0 squeue)" state_is "$behind" R
turns_pass
check no_start "$(expected "$first")" test "$(expected "$first")" == N/A
check first_waits "$(as 0 squeue)" state_is "$first" PD
said=$(as $ann sbatch --test-only -N2 --exclusive -t 60 --wrap true 2>&1)
check test_only "$said" grep -q 'to start at 20' <<<"$said"

# --- And after ----------------------------------------------------------------

# A slowdown of 2: after a minute.
reserve ,predict_plan_reserve=2
until_true 120 poked has_start "$first"
check start "$(expected "$first")" has_start "$first"
check start_late "after $(age "$first") s" test "$(age "$first")" -ge 60
cancel "$behind"
long=$(small) short=$(batch $bob -N1 -t 1 --wrap 'sleep 600')
soon state_is "$short" R
check short "$(as 0 squeue)" state_is "$short" R
check long "$(as 0 squeue)" state_is "$long" PD
cancel "$long" "$short"
cancel "$blocker"
until_true 60 is_gone "$first"
check first_runs "$(as 0 squeue)" is_gone "$first"

# --- By the hours, by limits, and off -----------------------------------------

block
# Without a prediction Slurm decides alone, but by limits none is needed.
unknown=$(batch $bob -N2 -t 60 --wrap 'id -un')
soon has_start "$unknown"
check unknown "$(expected "$unknown")" has_start "$unknown"
reserve ,predict_plan_reserve=2,predict_plan_key=limit
turns_pass
check by_limit "$(expected "$unknown")" test "$(expected "$unknown")" == N/A
reserve ''
soon has_start "$unknown"
check off "$(expected "$unknown")" has_start "$unknown"
cancel "$unknown"

# --- Jobs of several parts ----------------------------------------------------

reserve ,predict_plan_reserve=1000
array=$(wide --array=1-2)
behind=$(small)
soon state_is "$behind" R
check array_waits "$(as 0 squeue)" state_is "$behind" R
cancel "$behind" "$blocker"
until_true 60 is_gone "$array"
check array "$(as 0 squeue)" is_gone "$array"
block
het=$(batch $ann -N1 : -N1 --exclusive --wrap 'sleep 600')
turns_pass
check het_waits "$(as 0 squeue)" state_is "$het" PD
cancel "$blocker"
until_true 60 state_is "$het" R
check het "$(as 0 squeue)" state_is "$het" R
check alive "$(tail -n 3 "$log")" as 0 scontrol ping
exit $failed
