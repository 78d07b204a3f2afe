#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_queue.sh - spredict queue beside squeue, as users and as an operator
#
# A real cluster and two users: jobs that run, that wait, an array, and names
# that look like columns.  The same jobs in the same order as squeue; times
# that agree with spredict job; others' times only while PrivateData does not
# hide jobs.
#
# usage: test_queue.sh BUILD
set -u -o pipefail

conninfo='' run='' CLUSTER_NAME='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_queue.sh BUILD}")
dir=$build/queue
# Users that exist: Slurm cannot start the jobs of others.
ann=2 bob=65534
test=queue
# shellcheck source=checks.bash
. "$here/checks.bash"

# as UID COMMAND...: in the controller's namespaces
batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o /dev/null -D /tmp -n1 "${@:2}" 2>/dev/null
}
queue() { as "$1" "$run/spredict" queue "${@:2}"; }
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }

# check NAME WHAT-IS-WRONG COMMAND...: one test
same() { [[ $1 == "$2" ]]; }
completed() {
	(($(sql "SELECT count(*) FROM runs WHERE state = 'COMPLETED'") >= $1))
}
# All components of it.
state_is() { [[ $(as 0 squeue -h -j "$1" -o %t | uniq) == "$2" ]]; }
# times UID JOB: its expected and remaining time are known
times() {
	queue "$1" --json -j "$2" |
		jq -e '.jobs[0] | .median_s > 0 and .remaining_s > 0' >/dev/null
}
# is EXPRESSION: it holds, for jq
is() { jq -en "$1" >/dev/null; }
listed() { queue "$1" -o id | tail -n +2 | xargs; }

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0 || exit
echo Licenses=matlab:4 >>"$dir/cluster/etc/slurm.conf"
"$cluster" restart-ctld "$dir/cluster"
# shellcheck disable=SC1091
. "$dir/settings"
chmod 755 "$run"
cp "$build/bin/spredict" "$build/libexec/slurm-predict/spredict-mcp" "$run/"

for seconds in 2 3 4 5 6 15; do
	batch $ann -J steady --wrap "sleep $seconds" >/dev/null
done
until_true 60 completed 6

# These two run to the end of this test, on a busy machine, too.
runs=$(batch $ann -t 5 -J steady --wrap 'sleep 280')
array=$(batch $ann -t 5 -H --array=1-3 -J steady --wrap 'sleep 60')
waits=$(batch $bob -t 5 -H -J 'R 0:00 | predict=0000000000000000' \
	--wrap 'sleep 1')
het=$(batch $ann -t 5 -L matlab:2 -J steady -n1 : -n1 --wrap 'sleep 280')
until_true 20 state_is "$runs" R
until_true 20 state_is "$het" R
sleep 1

# --- Beside squeue ------------------------------------------------------------

for user in 0 $ann $bob; do
	check "jobs_of_$user" "$(listed "$user")" same "$(listed "$user")" \
		"$(as "$user" squeue -h -o %i | xargs)"
done
check filters "$(queue 0 -u "$(id -un $ann)" -t R)" same \
	"$(queue 0 -u "$(id -un $ann)" -t R -o id | xargs)" \
	"JOBID $(as 0 squeue -h -u "$(id -un $ann)" -t R -o %i | xargs)"
# agrees UID NAME OPTION...: both list the same jobs, and not all that there are
agrees() {
	local user=$1 name=$2 ours theirs

	shift 2
	ours=$(queue "$user" "$@" --noheader -o id | xargs)
	theirs=$(as "$user" squeue -h "$@" -o %i | xargs)
	check "option_$name" "$ours, not $theirs" same "$ours" "$theirs"
	check "option_${name}_chooses" "$ours" \
		different "$ours" "$(listed "$user")"
}
different() { [[ $1 != "$2" ]]; }
account=$(as 0 squeue -h -j "$runs" -o %a)
agrees $ann me --me
agrees 0 name -n 'R 0:00 | predict=0000000000000000'
agrees 0 nodes -w n1
agrees 0 account -A nobody_here
agrees 0 qos -q nothing_here
check account "$(queue 0 -A "$account")" same \
	"$(queue 0 -A "$account" -P --noheader -o id | xargs)" \
	"$(as 0 squeue -h -A "$account" -o %i | xargs)"
# Ids and names that are long are cut to 80 columns.
long=$(batch $ann -H --array=1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35 \
	-J a_name_that_is_longer_than_any_column_of_this_table --wrap 'sleep 1')
text=$(COLUMNS=80 queue 0)
check width "$text" same "$(awk 'length($0) > 80' <<<"$text")" ''
check long_shown "$text" grep -q "^ *${long}_" <<<"$text"
as 0 scancel "$long"
# The same for a program that speaks MCP.
text=$(as $ann env SPREDICT="$run/spredict" sh -c 'echo "$1" | "$2"' - \
	"$(jq -cn '{jsonrpc: "2.0", id: 1, method: "tools/call", params: {
		name: "queue", arguments: {me: true, states: "R", limit: 1}}}')" \
	"$run/spredict-mcp" | jq -c '.result.content[0].text | fromjson')
check mcp "$text" same "$(jq -c '[.total, (.jobs[] | .job_id, .median_s)]' \
	<<<"$text")" "$(queue $ann --json --me -t R |
	jq -c '[(.jobs | length), (.jobs[0] | .job_id, .median_s)]')"
check columns "$(queue 0)" same "$(queue 0 -o id,partition,state,where \
	-j "$waits" | tail -n +2 | xargs)" \
	"$(as 0 squeue -h -j "$waits" -o '%i %P %t %R' | xargs)"
check name "$(queue 0 -j "$waits" -o name)" same \
	"$(queue 0 --json -j "$waits" | jq -r '.jobs[0].name')" \
	"R 0:00 | predict=0000000000000000"
check no_prediction "$(queue 0 -j "$waits" -o basis)" same \
	"$(queue 0 -j "$array" -o basis | tail -n 1 | xargs)" history
check licenses "$(queue 0 -j "$het" -o id,licenses)" same \
	"$(queue 0 -j "$het" -o id,licenses | tail -n +2 | xargs)" \
	"$(as 0 squeue -h -j "$het" -o '%i %W' | sed 's/(null)/-/' | xargs)"
check this_cluster "$(queue 0 -M "$CLUSTER_NAME" -o cluster,id)" same \
	"$(queue 0 -M "$CLUSTER_NAME" -o cluster,id -j "$waits" |
		tail -n 1 | xargs)" "$CLUSTER_NAME $waits"
text=$(queue 0 -M "$CLUSTER_NAME,elsewhere" -j "$waits" -o cluster,id 2>&1)
check other_cluster "$text" grep -q \
	'^spredict: error: cluster elsewhere: ' <<<"$text"
check one_of_two "$text" grep -q "^$CLUSTER_NAME  *$waits\$" <<<"$text"
queue 0 -M "$CLUSTER_NAME,elsewhere" >/dev/null 2>&1
check status_of_two "it is $?" same $? 1
check wrong_column "it is no error" same \
	"$(queue 0 -o id,shoe_size 2>&1 | grep -c 'shoe_size is no column')" 1

# --- Times --------------------------------------------------------------------

check times "$(queue $ann -j "$runs")" times $ann "$runs"
# One answer between two of the other command: on a busy machine time goes by.
alone() { as $ann "$run/spredict" --json job "$runs" | jq '.job.remaining_s'; }
before=$(alone)
both=$(queue $ann --json -j "$runs" | jq '.jobs[0].remaining_s')
after=$(alone)
check remaining "$both, of spredict job $before and $after" is \
	"[$before, $after] | min - 3 < $both and $both < max + 3"
# As long as one that has run: its 90 % is known.
seen=$(batch $ann -t 5 -J steady --wrap 'sleep 15')
until_true 20 state_is "$seen" R
ends=$(queue $ann -j "$seen" -o left,end,left90%,end90%)
check end "$ends" grep -qE \
	'^ *[0-9.hms]+ +[0-9]{4}-[0-9-]+T[0-9:]+ +[0-9.hms]+ +[0-9]{4}-' <<<"$ends"
check array "$(queue $ann -j "$array")" is \
	"$(queue $ann --json -j "$array" | jq -c '.jobs[0]') |
		.median_s > 0 and .remaining_s == null"

id=$(as 0 squeue -h -j "$runs" -O admin_comment:100 |
	sed -nE 's/.*predict=([0-9a-f]{16}).*/\1/p')
# Its AdminComment may be overwritten: predictd knows the run.
as 0 scontrol update "job=$runs" AdminComment=moved
check overwritten "$(queue $ann -j "$runs")" times $ann "$runs"

# --- What runs record ---------------------------------------------------------

text=$(as $ann "$run/spredict" job "$het")
check job_het "$text" grep -q "^Job  *$het ($het+0) steady, " <<<"$text"
check job_licenses "$text" grep -q '^Licenses  *matlab:2$' <<<"$text"
# Neither a job that runs nor one that is pending is another's component.
for other in "$runs" "$waits" "$het"; do
	offset=$((other - runs)) status=0
	text=$(as 0 "$run/spredict" job "$runs+$offset" 2>&1) || status=$?
	check "no_component_$offset" "$text" same "$status $text" \
		"1 spredict: error: job $runs has no component $offset"
done
# Nothing runs in the other component.
recorded=$(sql "SELECT string_agg(het_job_id || '+' || het_offset || ' ' ||
	licenses, ',' ORDER BY job_id) FROM runs WHERE het_job_id > 0")
check recorded "$recorded" same "$recorded" "$het+0 matlab:2"

# --- Jobs of others -----------------------------------------------------------

check public "$(queue $bob -j "$runs")" until_true 10 times $bob "$runs"
echo PrivateData=jobs >>"$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
"$stack" kill "$dir" predictd
"$stack" start "$dir" predictd
"$stack" wait "$dir"
sleep 2
check own "$(queue $ann -j "$runs")" times $ann "$runs"
check operator "$(queue 0 -j "$runs")" times 0 "$runs"
check hidden "$(listed $bob)" same "$(listed $bob)" "$waits"
# Ids alone do not help.
asked="{\"jobs\":[{\"prediction_id\":\"$id\",\"elapsed_s\":1}]}"
post() {
	as "$1" curl -sS --unix-socket "$run/predictd.sock" -d "$asked" \
		http://localhost/v1/queue | jq -c '.jobs[0].median_s'
}
check hidden_times "$(post $bob)" same "$(post $bob)" null
check shown_times "$(post $ann)" is "$(post $ann) > 0"
asked="{\"cluster\":\"$CLUSTER_NAME\",\"jobs\":[{\"job_id\":$runs,\"elapsed_s\":1}]}"
check hidden_times_of_id "$(post $bob)" same "$(post $bob)" null
check shown_times_of_id "$(post $ann)" is "$(post $ann) > 0"

# --- State of nodes -----------------------------------------------------------

nodes() { as "$1" "$run/spredict" nodes 2>&1; }
# refused UID ARGUMENT...: nothing of that is for users
refused() {
	local user=$1

	shift
	[[ $(as "$user" "$run/spredict" "$@" 2>&1) == *'hides nodes'* ]]
}
check nodes_shown "$(nodes $ann)" grep -qw n1 <<<"$(nodes $ann)"
sed -i 's/^PrivateData=jobs/&,nodes/' "$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
"$stack" kill "$dir" predictd
"$stack" start "$dir" predictd
"$stack" wait "$dir"
check nodes_hidden "$(nodes $ann)" until_true 10 refused $ann nodes
check links_hidden "they are not" refused $ann links
series() {
	as "$1" curl -sS -o /dev/null -w '%{http_code}' --unix-socket \
		"$run/predictd.sock" \
		"http://localhost/v1/series/cpu_available?node=n1"
}
check series "$(series $ann) $(series 0)" same "$(series $ann) $(series 0)" \
	'403 200'
check nodes_operator "$(nodes 0)" grep -qw n1 <<<"$(nodes 0)"
predicted=$(as $ann "$run/spredict" predict -n 1 -J steady --wrap 'sleep 60')
check conditions_hidden "$predicted" grep -qE '^Conditions +not known$' \
	<<<"$predicted"
check sets_hidden "$predicted" same \
	"$(grep -c '^Best node sets' <<<"$predicted")" 0

# --- Components of heterogeneous jobs that run nothing ------------------------

# Their nodes have a prolog, by which collectord sees a job, only with this.
echo PrologFlags=Alloc >>"$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
components() {
	[[ $(sql "SELECT string_agg(het_offset::text, ' ' ORDER BY het_offset)
		FROM runs WHERE het_job_id = $het AND state = 'COMPLETED'") \
		== "0 1" ]]
}
het=$(batch $ann -t 5 -J steady -n1 : -n1 --wrap 'sleep 1')
check components "$(sql "SELECT het_offset, state FROM runs
	WHERE het_job_id = $het")" until_true 60 components
text=$(as $ann "$run/spredict" job "$het+1" 2>&1)
check component "$text" grep -q "^Job .* ($het+1) steady, COMPLETED$" <<<"$text"
het=$(batch $ann -H -t 5 -J first -n1 : -H -n1 -J second --wrap 'sleep 1')
text=$(as $ann "$run/spredict" job "$het+1" 2>&1)
check component_waits "$text" grep -q "^Job  *[0-9]* second, PENDING" <<<"$text"
