#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_waiting.sh - a job is predicted again while it waits
#
# A real cluster that is full: ann's first job, bob's behind it, ann's second,
# and one more of bob's, all on all nodes.  When the first ends, the second
# still waits: its figure is another, at spredict job, in the queue's starts
# and in the store, where both are judged in the end; and it outlives predictd.
#
# usage: test_waiting.sh BUILD
set -u -o pipefail

conninfo='' run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_waiting.sh BUILD}")
dir=$build/waiting
ann=2 bob=65534
test=waiting
# shellcheck source=checks.bash
. "$here/checks.bash"

batch() { # UID LIMIT NAME COMMAND
	as "$1" sbatch --parsable -o /dev/null -D /tmp -N "$nodes" --exclusive \
		-t "$2" -J "$3" --wrap "$4" 2>/dev/null
}
is() { jq -en "$1" >/dev/null; } # EXPRESSION
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }
all_ended() { [[ -z $(as 0 squeue -h) ]]; }
state_is() { [[ $(as 0 squeue -h -j "$1" -o %t) == "$2" ]]; }
job() { as $ann "$run/spredict" --json job "$1"; }
# How much later than the one the other starts, as predictd expects.
gap() {
	as 0 "$run/spredict" --json queue -j "$second,$last" | jq '
		.jobs | map(.start_s) | if any(. == null) then 0
		else max - min end'
}
gap_is() { is "$(gap) $1"; }
is_renewed() {
	is "$(job "$second") | .waiting_prediction.median_s
		> 1.2 * .prediction.median_s"
}
figures() { job "$second" | jq -c '[.prediction, .waiting_prediction |
	.median_s, .quantile_s, .made_at_s]'; }
# The database keeps times to the microsecond.
as_before() {
	is "[$1, $(figures)] | transpose | all(.[0] / .[1] - 1 | fabs < 1e-6)"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
STACK_TIMEOUT_MS=1000 "$stack" up "$dir" "$build" --cap 0 || exit
# shellcheck disable=SC1091
. "$dir/settings"
"$stack" kill "$dir" predictd
echo SlurmQueueInterval=1 >>"$dir/etc/predict.conf"
echo SlurmNodesInterval=1 >>"$dir/etc/predict.conf"
"$stack" start "$dir" predictd
"$stack" wait "$dir"
chmod 755 "$run"
cp "$build/bin/spredict" "$run/"

nodes=$(as 0 sinfo -h -o %D)
seconds=$run/seconds # how long ann's next job takes: nothing of it is seen
echo 3 >"$seconds"
batch $ann 5 grows "sleep \$(cat $seconds)" >/dev/null
until_true 60 all_ended
echo 20 >"$seconds"
first=$(batch $ann 5 grows "sleep \$(cat $seconds)")
until_true 20 state_is "$first" R
sleep 1 # it has read its time
echo 3 >"$seconds"
between=$(batch $bob 1 between 'sleep 45')
second=$(batch $ann 5 grows "sleep \$(cat $seconds)")
last=$(batch $bob 5 last 'sleep 1')

check told "$(job "$second")" is "$(job "$second") |
	.prediction.basis == \"history\""
check starts "$(gap)" until_true 10 gap_is '| . > 0 and . < 8'
before=$(gap)
until_true 60 state_is "$between" R
check renewed "$(job "$second")" until_true 20 is_renewed
check state "$(as 0 squeue)" state_is "$second" PD
now=$(job "$second")
check stage "$now" is "$now |
	.waiting_prediction.stage == \"waiting\" and
	.waiting_prediction.made_at_s > .prediction.made_at_s + 5"
text=$(as $ann "$run/spredict" job "$second")
check text "$text" grep -qE '^Predicted  *now [0-9.]+.*, at submission [0-9.]+' \
	<<<"$text"
check starts_moved "from $before to $(gap)" until_true 10 gap_is "> $before + 1"

id=$(jq -r .prediction.id <<<"$now")
stages() {
	sql "SELECT string_agg(stage, ' ' ORDER BY made_at)
		FROM predictions WHERE prediction_id = '$id'"
}
both_are_stored() { [[ $(stages) == "submission waiting"* ]]; }
check stored "$(stages)" until_true 10 both_are_stored
now=$(figures)
in_store() {
	is "($now | .[3]) as \$x | (\$x / $(sql "SELECT median_s FROM predictions
		WHERE prediction_id = '$id' AND stage = 'waiting'
		ORDER BY made_at DESC LIMIT 1") - 1) |
		fabs < .001"
}
check in_store "not $now" until_true 10 in_store
"$stack" kill "$dir" predictd
"$stack" start "$dir" predictd
"$stack" wait "$dir"
check after_kill "from $now to $(figures)" as_before "$now"

until_true 120 all_ended
judged() {
	[[ $(sql "SELECT string_agg(stage || runs, ' ') FROM accuracy()
		WHERE predicted > 0" | xargs) == *waiting* ]]
}
check judged "$(sql 'SELECT * FROM accuracy()')" until_true 20 judged
text=$(as 0 "$run/spredict" accuracy --by all)
check accuracy "$text" grep -qE '\<waiting\>' <<<"$text"
now=$(job "$second")
check kept "$now" is "$now | .waiting_prediction != null and
	.prediction.stage == \"start\""
((failed == 0))
