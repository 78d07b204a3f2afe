#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_act.sh - mode act: no limit without runs of the same user and application
#
# A real cluster and two users, who give their jobs no limit.  The first has run
# many short jobs.  The second runs a program that nobody has run: he gets no
# limit, and slurmctld's log says why, until ten of his runs have completed.
# What counts survives a restart of predictd.  Another program or size has none.
#
# usage: test_act.sh BUILD
set -u -o pipefail

conninfo='' run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_act.sh BUILD}")
dir=$build/act
log=$dir/cluster/log/slurmctld.log
# Users that exist: Slurm cannot start the jobs of others.
old=2 new=65534
test=act
# shellcheck source=checks.bash
. "$here/checks.bash"

# as UID COMMAND...: in the controller's namespaces
batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o /dev/null -D /tmp -n1 "${@:2}" \
		2>"$dir/message"
}
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }
limit() { as 0 squeue -h -j "$1" -o %l; }

# check NAME WHAT-IS-WRONG COMMAND...: one test
completed() { # UID COUNT
	(($(sql "SELECT count(*) FROM runs
		WHERE user_id = $1 AND state = 'COMPLETED'") >= $2))
}
same() { [[ $1 == "$2" ]]; }
differ() { [[ $1 != "$2" ]]; }
logged() { grep -q "predict: user $1: no limit is set: $2" "$log"; }
message_has() { grep -q "$1" "$dir/message"; }

# waits_with_limit UID PROGRAM ARGUMENT...: the limit of one that only waits
waits_with_limit() {
	local id

	id=$(batch "$1" -H --wrap "${*:2}")
	limit "$id"
	as 0 scancel "$id"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0 --mode act || exit
# shellcheck disable=SC1091
. "$dir/settings"

# --- Sixteen short runs of somebody else --------------------------------------

for _ in {1..16}; do batch $old --wrap 'sleep 0.2' >/dev/null; done
until_true 60 completed $old 16

got=$(waits_with_limit "$new" 'head -c 9 /dev/zero')
check stranger "a first-time user's job got the limit $got" \
	same "$got" UNLIMITED
check stranger_logged "slurmctld does not say why" \
	logged $new 'no run of this user and application is known'
check stranger_message "he is told: $(cat "$dir/message")" \
	eval '! message_has similar'
stranger_stored() {
	(($(sql "SELECT count(*) FROM predictions WHERE user_id = $new
		AND evidence_level IN ('none', 'site') AND own_runs = 0") == 1))
}
check stranger_stored "$(sql "SELECT evidence_level, own_runs FROM predictions
	WHERE user_id = $new")" until_true 10 stranger_stored

# --- Ten own runs -------------------------------------------------------------

# The same program as the waiting one, of about a second.
program() { echo "head -c 9 /dev/zero; sleep 1"; }
# It takes more runs where the times of the first ones strayed, as they do on a
# busy machine.
early=''
for ((runs = 0; runs < 80; runs++)); do
	got=$(waits_with_limit "$new" "$(program)")
	if [[ $got != UNLIMITED ]]; then break; fi
	batch $new --wrap "$(program)" >/dev/null
	until_true 30 completed $new $((runs + 1))
done
((runs >= 10)) || early=yes
check not_early "a limit, $got, after $runs runs" same "$early" ''
check own_runs "no limit after $runs runs: $(grep -o 'no limit is set.*' \
	"$log" | tail -n 1)" differ "$got" UNLIMITED
check own_logged "slurmctld does not say why there was none" \
	logged $new 'too few runs of this user and application'
check own_message "he is told: $(cat "$dir/message")" \
	message_has 'similar run.*; limit set to'
sql "SELECT '# ' || own_runs || ' own runs, ' || held || ' of ' || judged ||
	' held' FROM predictions WHERE user_id = $new
	ORDER BY made_at DESC LIMIT 1"

# --- A restart ----------------------------------------------------------------

"$stack" kill "$dir" predictd
"$stack" start "$dir" predictd
"$stack" wait "$dir"
# slurmctld may pause after failed requests.
limited() { differ "$(waits_with_limit "$new" "$(program)")" UNLIMITED; }
check restart "no limit after a restart of predictd" until_true 20 limited
got=$(waits_with_limit "$new" 'od -N 9 /dev/zero')
check other_program "another program of his got the limit $got" \
	same "$got" UNLIMITED
id=$(batch "$new" -H -N 2 -n 2 --wrap "$(program)")
check other_size "on more nodes than ever he got the limit $(limit "$id")" \
	same "$(limit "$id")" UNLIMITED
check other_size_message "he is told: $(cat "$dir/message")" \
	message_has 'extrapolated from'

# --- Limits that are raised while a job waits --------------------------------

# Three wait with a limit that we set; one of them is changed by its user.  Then
# the program takes longer.
sed -i 's/predict_mode=act/&,predict_margin_pct=1000,predict_limit_max=3/' \
	"$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
"$stack" kill "$dir" predictd
echo SlurmQueueInterval=1 >>"$dir/etc/predict.conf"
"$stack" start "$dir" predictd
"$stack" wait "$dir"
waits() { batch $new -H "$@" --wrap "$(program)"; }
is_limited() { limited && id=$(waits) && [[ $(limit "$id") != UNLIMITED ]]; }
until_true 20 is_limited
before=$(limit "$id")
changed=$(waits)
array=$(waits --array=1-2)
as $new scontrol update jobid="$changed" TimeLimit=2
check ours "AdminComment: $(as 0 squeue -h -j "$id" -O admin_comment:90)" \
	grep -q 'predict_limit=' <<<"$(as 0 squeue -h -j "$id" -O admin_comment:90)"
# The same program, with another sleep.
mkdir -p "$run/slow"
printf '#!/bin/sh\nexec /bin/sleep 20\n' >"$run/slow/sleep"
chmod -R 755 "$run"
raised() {
	for _ in {1..4}; do
		batch "$new" --export=PATH="$run/slow:/usr/bin:/bin" \
			--wrap "$(program)" >/dev/null
	done
	sleep 24
	[[ $(limit "$id") == 3:00 ]]
}
check raised "from $before to $(limit "$id")" until_true 240 raised
check raised_log "predictd does not say so" grep -q \
	"job $id: time limit raised from .* to 3 minutes" "$dir/log/predictd.log"
check raised_not_changed "$(limit "$changed")" same "$(limit "$changed")" 2:00
check raised_not_array "$(limit "$array")" differ "$(limit "$array" | head -n 1)" 3:00
exit "$failed"
