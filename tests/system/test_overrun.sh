#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_overrun.sh - jobs that will reach their limits: told once, or extended
#
# A real cluster, an application that runs 75 s, and jobs of it with a limit of
# one minute.
#
# usage: test_overrun.sh BUILD
set -u -o pipefail

run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_overrun.sh BUILD}")
dir=$build/overrun
ann=2
test=overrun
# shellcheck source=checks.bash
. "$here/checks.bash"

batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o "$run/out.%j" -D /tmp -n1 "${@:2}" \
		2>/dev/null
}

same() { [[ $1 == "$2" ]]; }
is() { jq -en "$1" >/dev/null; } # EXPRESSION
all_ended() { [[ -z $(as 0 squeue -h) ]]; }
limit() { as 0 squeue -h -j "$1" -o %l; }
job() { as 0 "$run/spredict" --json queue -j "$1" | jq -c '.jobs[0]'; }
will_overrun() { is "$(job "$1") | .overrun > 0.5"; }
told() { grep -c "^$1 " "$dir/told" 2>/dev/null; }
has_been_told() { [[ $(told "$1") == 1 ]]; }
is_extended() { [[ $(limit "$1") == 2:00 ]]; }
# predictd KEY=VALUE...: start it again with more lines of configuration
predictd() {
	"$stack" kill "$dir" predictd
	sed -i /^Overrun/d "$dir/etc/predict.conf"
	printf '%s\n' "$@" >>"$dir/etc/predict.conf"
	"$stack" start "$dir" predictd
	"$stack" wait "$dir"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0 || exit
# shellcheck disable=SC1091
. "$dir/settings"
chmod 777 "$run"
cp "$build/bin/spredict" "$run/"
cat >"$dir/tell" <<END
#!/bin/sh
echo "\$@" >>"$dir/told"
END
chmod 755 "$dir/tell"
for _ in {1..4}; do
	batch $ann -t 5 -J long --wrap 'sleep 75' >/dev/null
done
until_true 120 all_ended
predictd SlurmQueueInterval=1 SlurmNodesInterval=1 "OverrunCommand=$dir/tell"

fits=$(batch $ann -t 5 -J long --wrap 'sleep 75')
short=$(batch $ann -t 1 -J long --wrap 'sleep 75')
until_true 15 will_overrun "$short"
check shown "$(job "$short")" will_overrun "$short"
check fits "$(job "$fits")" is "$(job "$fits") | .overrun | . != null and . < 0.1"
check told "not told" until_true 15 has_been_told "$short"
check arguments "@$dir/told" grep -qE \
	"^$short $ann 0?0:00:[0-9]+.* 00?:01:00.* [0-9]+$" "$dir/told"
sleep 3
check once "@$dir/told" same "$(told "$short")" 1
check not_told "@$dir/told" same "$(told "$fits")" 0

# While another waits, or there is a reservation, no limit is touched.
all=$(as 0 sinfo -h -o %D)
waits=$(batch $ann -N "$all" -n "$all" --exclusive -t 1 -J other \
	--wrap true)
predictd OverrunCommand=notify OverrunExtend=100
sleep 4
check others_wait "$(limit "$short")" same "$(limit "$short")" 1:00
as 0 scontrol create reservation ReservationName=later StartTime=now+2hours \
	Duration=60 Users=root Nodes=ALL >/dev/null
as 0 scancel "$waits"
sleep 4
check reservation "$(limit "$short")" same "$(limit "$short")" 1:00
as 0 scontrol delete ReservationName=later
check extended "$(limit "$short")" until_true 15 is_extended "$short"
sleep 3
check extended_once "$(limit "$short")" same "$(limit "$short")" 2:00
check notified "@$run/out.$short" until_true 10 grep -q \
	'slurm-predict: this job has run for .* not end before its time limit' \
	"$run/out.$short"
check stays "$(limit "$fits")" same "$(limit "$fits")" 5:00
as 0 scancel -u "$(id -un $ann)"
((failed == 0))
