#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_start_times.sh - when waiting jobs will start, told and checked
#
# A real cluster that is full: a job of an application that runs 8 s, with a
# limit of 5 minutes, and another behind it.  Slurm plans with the limit;
# predictd knows better, tells both those who ask for the queue and those who
# would submit, and counts how often it was right.
#
# usage: test_start_times.sh BUILD
set -u -o pipefail

run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_start_times.sh BUILD}")
dir=$build/start-times
ann=2 bob=65534
test=start_times
# shellcheck source=checks.bash
. "$here/checks.bash"

batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o /dev/null -D /tmp "${@:2}" 2>/dev/null
}

is() { jq -en "$1" >/dev/null; } # EXPRESSION
metric() {
	"$stack" get "$dir" /metrics | sed -n "s/^slurm_predict_$1_total{.*} //p"
}
told() { as "$1" "$run/spredict" --json queue -j "$2" | jq -c '.jobs[0]'; }
start_is_told() { is "$(told "$1" "$2") | .start_s > 0"; }
has_started() { is "$(told 0 "$1") | .state == \"R\""; }
all_ended() { [[ -z $(as 0 squeue -h) ]]; }
judged() { (($(metric starts) >= $1)); }

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0 || exit
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
for _ in {1..4}; do
	batch $ann -N "$nodes" --exclusive -t 5 -J eight --wrap 'sleep 8' >/dev/null
done
# A shorter limit is only advised to whom ten runs had this size and limit.
for _ in {1..10}; do
	batch $ann -N 1 --exclusive -t 360 -J eight --wrap 'sleep 8' >/dev/null
done
# The queue is empty again: these runs are known.
until_true 120 all_ended
# This run is late, so that the second still waits when all have asked.
first=$(batch $ann -N "$nodes" --exclusive -t 5 -J eight --wrap 'sleep 13')
second=$(batch $bob -N "$nodes" --exclusive -t 5 -J eight --wrap 'sleep 8')
third=$(batch $bob -H -N1 -t 5 -J held --wrap 'sleep 8')
now=$(date +%s)
until_true 6 has_started "$first" # that predictd knows it
until_true 6 start_is_told 0 "$second"

job=$(told 0 "$second")
check told "$job" is "$job | .start_s - $now | . > -1 and . < 30"
check interval "$job" is \
	"$job | .start_low_s <= .start_s and .start_s <= .start_high_s"
check end "$job" is "$job | .end_s > .start_s + 5"
check running "$(told 0 "$first")" is "$(told 0 "$first") | .start_s == null"
check held "$(told 0 "$third")" is "$(told 0 "$third") | .start_s == null"
check own "$(told $bob "$second")" is "$(told $bob "$second") | .start_s > 0"
text=$(as 0 "$run/spredict" queue -o id,start,start90%,slurm_start -j "$second")
check table "$text" grep -qE \
	"^ *$second +[0-9]{4}-[0-9-]+T[0-9:]+ +[0-9]{4}-" <<<"$text"

printf '#!/bin/sh\nsleep 8\n' >"$run/eight.sh"

as 0 scontrol release "$third"
until_true 60 all_ended
until_true 20 judged 1
check judged "$(metric starts) of them were judged" judged 1

# A node is free until the next job, which needs all, can start: a shorter limit
# fits before it.  Nothing is known of the two.
long=$(batch $bob --predict=off -N "$((nodes - 1))" --exclusive -t 300 -J off \
	--wrap 'sleep 500')
until_true 20 has_started "$long"
# While it is suspended, it does not run on: neither time grows.
as 0 scontrol suspend "$long"
ran() { as 0 "$run/spredict" --json job "$long" | jq -r .job.elapsed_s; }
stands() {
	local before

	before=$(ran)
	sleep 4
	is "$(ran) - $before | . >= 0 and . < 1.5"
}
check suspended "it ran for $(ran) s, then $(ran) s" until_true 20 stands
as 0 scontrol resume "$long"
until_true 20 has_started "$long"
all=$(batch $bob --predict=off -N "$nodes" --exclusive -t 5 -J off \
	--wrap 'sleep 1')
until_true 60 start_is_told 0 "$all"
sooner() { # LIMIT
	as $ann "$run/spredict" --json predict -N 1 --exclusive -t "$1" \
		-p "$(as 0 sinfo -h -o %R | head -n 1)" -J eight "$run/eight.sh"
}
text=$(sooner 360)
check sooner "$(jq -c '[.start, .sooner]' <<<"$text")" jq -e '.sooner[0] |
	.gain_s >= 600 and .limit_s >= 60 and .limit_s < 3600' <<<"$text"
limit=$(jq '.sooner[0].limit_s | floor' <<<"$text")
check sooner_true "$(sooner "$((limit / 60))" | jq -c .start)" jq -e \
	--argjson before "$(jq .start.median_s <<<"$text")" \
	'.start.median_s < $before - 600 and .sooner == null' \
	<<<"$(sooner "$((limit / 60))")"
# In the default partition.
text=$(as $ann "$run/spredict" predict -N 1 --exclusive -t 360 -J eight \
	"$run/eight.sh")
check predict "$text" grep -qE '^Starts +in .*80 %: ' <<<"$text"
check sooner_in_words "$text" grep -qE '^Sooner +by .* with -t [0-9:]+; about' \
	<<<"$text"
# The same of a job that waits; it starts as soon as that is done.
waits=$(batch $ann -N 1 --exclusive -t 360 -J eight --wrap 'sleep 8')
until_true 60 start_is_told $ann "$waits"
gains() { is "$(as "$1" "$run/spredict" --json job "$waits") |
	.sooner[0].gain_s >= 600"; }
text=$(as $ann "$run/spredict" --json job "$waits" | jq -c '[.queue, .sooner]')
check job_sooner "$text" until_true 10 gains $ann
check job_sooner_operator "" gains 0
hides() { [[ $(as "$1" curl -sS --unix-socket "$run/predictd.sock" \
	"http://localhost/v1/sooner?job_id=$2&limit_s=60") == *\"not_found\"* ]]; }
check job_sooner_of_others "job $waits is shown to bob" hides $bob "$waits"
check job_sooner_of_none "job $long waits" hides 0 "$long"
text=$(as $ann curl -sS --unix-socket "$run/predictd.sock" \
	"http://localhost/v1/sooner?job_id=$waits")
check job_sooner_to_what "$text" test "${text/limit_s: not a number/}" != "$text"
text=$(as $ann "$run/spredict" job "$waits")
check job_sooner_in_words "$text" grep -qE \
	"^Sooner +by .* with scontrol update job=$waits TimeLimit=[0-9:]+; about" \
	<<<"$text"
read -ra words < <(sed -n 's/^Sooner .* with scontrol \(.*\);.*/\1/p' <<<"$text")
as $ann scontrol "${words[@]}"
check job_sooner_true "${words[*]}" until_true 60 has_started "$waits"
# Two nodes are not free before either; one is, on which it runs no longer.
has_ended() { [[ -z $(as 0 squeue -h -j "$1" 2>/dev/null) ]]; }
until_true 60 has_ended "$waits"
text=$(as $ann "$run/spredict" --json predict -N 2 --exclusive -t 4 -J eight \
	-p "$(as 0 sinfo -h -o %R | head -n 1)" "$run/eight.sh")
check half "$(jq -c '[.start, .half, .sooner]' <<<"$text")" jq -e '.sooner[0] |
	.options == "-N 1 -n 1" and .gain_s >= 600 and .longer_s >= 0 and
	.limit_s == null' <<<"$text"
waits=$(batch $ann -N 2 --exclusive -t 4 -J eight --wrap 'sleep 8')
until_true 60 start_is_told $ann "$waits"
text=$(as $ann "$run/spredict" --json job "$waits" | jq -c '[.queue, .sooner]')
check job_half "$text" until_true 10 gains $ann
text=$(as $ann env COLUMNS=200 "$run/spredict" job "$waits")
check job_half_in_words "$text" grep -qE "^Sooner +by .* with scontrol update \
job=$waits NumNodes=1-1 NumTasks=1 NumCPUs=[0-9]+(, though it runs .*)?$" \
	<<<"$text"
read -ra words < <(sed -n 's/^Sooner .* with scontrol \([^,]*\).*/\1/p' \
	<<<"$text")
as $ann scontrol "${words[@]}"
check job_half_true "${words[*]}" until_true 60 has_started "$waits"
# The same at a submission: it waits behind both.
params=$(as 0 scontrol show config | sed -n 's/^SlurmctldParameters *= *//p')
sed -i "/^SlurmctldParameters=/d" "$dir/cluster/etc/slurm.conf"
echo "SlurmctldParameters=$params,predict_message=known+start" \
	>>"$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
line() { # ARGUMENT...: what sbatch prints; the job is gone
	local text

	text=$(as $ann sbatch -o /dev/null -D /tmp -t 5 "$@" 2>&1)
	as 0 scancel "${text##* }"
	printf '%s\n' "$text"
}
told_line=''
start_in_line() {
	told_line=$(line -N "$nodes" --exclusive -J eight --wrap 'sleep 8')
	grep -qE 'predict: .* expected, .*; starts (about [0-9:]+ \(|at once)' \
		<<<"$told_line"
}
check start_in_line "$told_line" until_true 20 start_in_line
check start_later "$told_line" grep -q '; starts about [0-9:]* (' \
	<<<"$told_line"
as 0 scancel "$long" "$all"
until_true 60 all_ended

# One node is another partition's alone, in which ann has run.
part_nodes() { # NODES-OF-MAIN NODES-OF-DEBUG
	sed -i "s/^\(PartitionName=main Nodes=\)[^ ]*/\1$1/
		s/^\(PartitionName=debug Nodes=\)[^ ]*/\1$2/" \
		"$dir/cluster/etc/slurm.conf"
	as 0 scontrol reconfigure
}
part_nodes "n[1-$((nodes - 1))]" "n$nodes"
batch $ann -p debug -N 1 --exclusive -t 5 -J eight --wrap 'sleep 1' >/dev/null
ran_there() {
	as $ann "$run/spredict" --json accuracy --by=partition |
		jq -e 'any(.accuracy[]; .group == "debug")' >/dev/null
}
check ran_there "$(as 0 squeue)" until_true 60 ran_there
long=$(batch $bob --predict=off -p main -N "$((nodes - 1))" --exclusive -t 300 \
	-J off --wrap 'sleep 500')
until_true 20 has_started "$long"
elsewhere() { # OPTIONS COMMAND...: are they named?
	as $ann "$run/spredict" --json "${@:2}" >"$dir/text" &&
		jq -e --arg options "$1" 'any(.sooner // [] | .[];
			.options == $options and .gain_s >= 600)' "$dir/text" \
			>/dev/null
}
ask_main=(predict -p main -N 1 --exclusive -t 5 -J eight "$run/eight.sh")
check partition "@$dir/text" until_true 20 elsewhere '-p debug' "${ask_main[@]}"
waits=$(batch $ann -p main -N 1 --exclusive -t 5 -J eight --wrap 'sleep 8')
until_true 60 start_is_told $ann "$waits"
words=(update "job=$waits" Partition=debug)
check job_partition "@$dir/text" until_true 20 \
	elsewhere "scontrol ${words[*]}" job "$waits"
text=$(as $ann "$run/spredict" job "$waits")
check job_partition_in_words "$text" grep -qE \
	"^Sooner +by .* with scontrol ${words[*]}$" <<<"$text"
as $ann scontrol "${words[@]}"
check job_partition_true "${words[*]}" until_true 60 has_started "$waits"
# Where Slurm would not take the job, it is not named.
until_true 60 has_ended "$waits"
as 0 scontrol update partition=debug AllowGroups=root
elsewhere '-p debug' "${ask_main[@]}" || :
check partition_refused "@$dir/text" jq -e '.start.median_s > 600 and
	(.sooner == null)' "$dir/text"
as 0 scancel "$long"
part_nodes "n[1-$nodes]" "n[1-$nodes]"
until_true 60 all_ended

# Jobs of others are not shown where Slurm hides them.
first=$(batch $ann -N "$nodes" --exclusive -t 5 -J eight --wrap 'sleep 290')
second=$(batch $ann -N "$nodes" --exclusive -t 5 -J eight --wrap 'sleep 1')
until_true 60 start_is_told $ann "$second"
ask() { # UID
	as "$1" curl -sS --unix-socket "$run/predictd.sock" \
		-d "{\"jobs\":[{\"job_id\":$second}]}" \
		http://localhost/v1/queue | jq -c '.jobs[0]'
}
check shown "$(ask $bob)" is "$(ask $bob) | .start_s > 0"
behind=$(batch $bob -N "$nodes" --exclusive -t 5 -J eight --wrap 'sleep 1')
until_true 60 start_is_told $bob "$behind"
place() { as "$1" "$run/spredict" --json job "$behind" | jq -c .queue; }
check place "$(place $bob)" is "$(place $bob) |
	.jobs_ahead == 1 and .first_end_s > 0 and .gres == null"
text=$(as $bob "$run/spredict" job "$behind")
check place_in_words "$text" grep -qE '^Waits +behind 1 job; the first that' \
	<<<"$text"
check job_starts "$text" grep -qE '^Starts +about [A-Z0-9a-z: ]+ \(80 %: ' \
	<<<"$text"
echo PrivateData=jobs >>"$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
is_hidden() { is "$(ask $bob) | .start_s == null"; }
check hidden "$(ask $bob)" until_true 40 is_hidden
# For a moment nobody sees any, while predictd reads the queue again.
is_shown() { is "$(ask $ann) | .start_s > 0"; }
check shown_to_its_user "$(ask $ann)" until_true 10 is_shown
own_is_shown() { is "$(place $bob) | .start_s > 0"; }
check own_start "$(place $bob)" until_true 10 own_is_shown
check others_hidden "$(place $bob)" is "$(place $bob) |
	.jobs_ahead == null and .first_end_s == null"
operator_sees() { is "$(place 0) | .jobs_ahead == 1"; }
check others_of_operator "$(place 0)" until_true 10 operator_sees
as 0 scancel "$first" "$second" "$behind"
((failed == 0))
