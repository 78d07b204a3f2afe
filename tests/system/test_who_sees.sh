#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_who_sees.sh - the table of who sees what, of predictd(8)
#
# Each route, command, view and metric, as the user of the jobs, another user,
# and an operator, under PrivateData unset, usage, jobs, nodes, and not known.
# The application, the parameters and the script of ann's jobs have a word in
# them that nobody but her and the operator may ever read.
#
# usage: test_who_sees.sh BUILD
set -u -o pipefail

conninfo='' run='' CLUSTER_NAME='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_who_sees.sh BUILD}")
dir=$build/who_sees
# Users that exist: Slurm cannot start the jobs of others.
ann=2 bob=65534
word=xylophone
test=who_sees
# shellcheck source=checks.bash
. "$here/checks.bash"

batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o /dev/null -D /tmp "${@:2}" 2>/dev/null
}
spredict() { as "$1" timeout 20 "$run/spredict" "${@:2}" 2>&1; }
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }
same() { [[ $1 == "$2" ]]; }
# reply UID PATH [CURL-ARGUMENT...]: the body
reply() {
	as "$1" curl -sS -m 20 --unix-socket "$run/predictd.sock" "${@:3}" \
		"http://localhost$2"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0 --nodes 2 || exit
# shellcheck disable=SC1091
. "$dir/settings"
chmod 755 "$run"
cp "$build/bin/spredict" "$run/"

cp "$(command -v sleep)" "$run/$word"
printf '#!/bin/bash\n%s 1\n' "$run/$word" >"$run/$word.sh"
printf '#!/bin/bash\n%s 900\n' "$run/$word" >"$run/long_$word.sh"
chmod 755 "$run/$word" "$run"/*.sh
ends() {
	(($(sql "SELECT count(*) FROM runs r JOIN run_shares USING (job_id)
		WHERE state = 'COMPLETED'") >= 3))
}
for _ in 1 2 3; do
	ended=$(batch $ann -J annsjob -n1 -t 5 --comment=$word \
		--predict-param="$word=7" "$run/$word.sh")
done
check ended "$(sql 'SELECT job_id, state FROM runs')" until_true 90 ends
runs=$(batch $ann -J annsjob -N2 --exclusive -t 60 --comment=$word \
	--predict-param="$word=7" "$run/long_$word.sh")
waits=$(batch $ann -J annsjob -N2 --exclusive -t 5 --comment=$word \
	--predict-param="$word=7" "$run/$word.sh")
has_started() {
	[[ $(sql "SELECT state FROM runs WHERE job_id = $runs") == RUNNING ]]
}
check started "$(as 0 squeue)" until_true 60 has_started
id_of() { sql "SELECT prediction_id FROM runs WHERE job_id = $1"; }
prediction=$(id_of "$ended") running=$(id_of "$runs")
waiting=$(as 0 squeue -h -j "$waits" -O admin_comment:200 |
	sed -n 's/.*predict=\([0-9a-f]*\).*/\1/p')
check ids "$prediction $running $waiting" \
	same "${#prediction} ${#running} ${#waiting}" '16 16 16'

# --- The table ----------------------------------------------------------------

# What is asked, and who sees it, the user of the jobs, another one, and an
# operator: yes, no, while jobs are not hidden (j), or nodes (n); where that is.
table="
ended job|yes no yes|/v1/jobs/$ended|.use.runtime_s > 0
running job|yes no yes|/v1/jobs/$runs|.job.job_id == $runs
ended prediction|yes no yes|/v1/predictions/$prediction|.prediction.id != null
waiting prediction|yes no yes|/v1/predictions/$waiting|.prediction.id != null
its nodes|n no yes|/v1/predictions/$running|.prediction.assumed_nodes > \"\"
times of a running job|yes j yes|POST /v1/queue|.jobs[0].median_s > 0
times of a waiting job|yes j yes|POST /v1/queue|.jobs[1].median_s > 0
queue, running|yes j yes|/v1/queue|any(.jobs[]; .job_id == $runs)
queue, waiting|yes j yes|/v1/queue|any(.jobs[]; .job_id == $waits)
queue, applications|no no no|/v1/queue|tostring | contains(\"$word\")
applications|yes no yes|/v1/applications|tostring | contains(\"$word\")
accuracy|yes no yes|/v1/accuracy?by=user|(.accuracy | length) > 0
own runs|yes no no|/v1/runs?user=self|(.runs | length) >= 3
own report|yes no no|/v1/report|(.report | length) > 0
report of a user|yes no yes|/v1/report?user=$ann|(.report | length) > 0
all runs|no no yes|/v1/runs|(.runs | length) >= 3
sums of users|no no yes|/v1/report?user=all&by=user|(.report | length) > 0
snapshot|no no yes|/v1/snapshot?cluster=$CLUSTER_NAME|^n n1
nodes|n n yes|/v1/nodes|(.nodes | length) == 2
links|n n yes|/v1/links|.errors == []
probes|n n yes|/v1/probes?cluster=$CLUSTER_NAME|.errors == []
series|n n yes|/v1/series/cpu_available?node=n1|.errors == []
metrics of nodes|n n yes|/metrics|^slurm_predict_node
metrics of users|no no no|/metrics|$word|user=
"
asked="{\"cluster\":\"$CLUSTER_NAME\",\"jobs\":[
	{\"job_id\":$runs,\"elapsed_s\":1,\"prediction_id\":\"$running\"},
	{\"job_id\":$waits,\"prediction_id\":\"$waiting\"}]}"
# seen UID: each row with what that user sees
seen() {
	local name path filter

	while IFS='|' read -r name _ path filter; do
		[[ $name ]] || continue
		if [[ $path == POST* ]]; then
			reply "$1" "${path#POST }" -d "$asked"
		else
			reply "$1" "$path"
		fi >"$dir/body" 2>&1
		if [[ $path == /metrics || $path == *snapshot* ]]; then
			grep -qE "$filter" "$dir/body"
		else
			jq -e "$filter" "$dir/body" >/dev/null 2>&1
		fi && echo "$name: yes" || echo "$name: no"
	done <<<"$table"
}
# due COLUMN HIDDEN: each row with what is right, where HIDDEN is PrivateData
due() {
	local name whom path jobs=yes nodes=yes answer

	[[ $2 != *jobs* && $2 != unknown ]] || jobs=no
	[[ $2 != *nodes* && $2 != unknown ]] || nodes=no
	while IFS='|' read -r name whom path _; do
		[[ $name ]] || continue
		answer=$(cut -d ' ' -f "$1" <<<"$whom")
		[[ $answer != j ]] || answer=$jobs
		[[ $answer != n ]] || answer=$nodes
		echo "$name: $answer"
	done <<<"$table"
}

# What the other user runs says nothing of ann's applications.
commands="
job $ended
job $runs
job $waits
queue
queue --user=$(id -un $ann)
report
report --user=all
report --user=$(id -un $ann)
report --by=user
accuracy
accuracy --by=application
applications
nodes
links
probes
profile $ended
procedures $ended
critical $ended
whatif $ended
"
words_of() { # UID
	local arguments text

	while read -ra arguments; do
		((${#arguments[@]} > 0)) || continue
		text=$(spredict "$1" "${arguments[@]}") || :
		! grep -q "$word" <<<"$text" || echo "${arguments[@]}"
	done <<<"$commands"
}

restart() {
	"$stack" kill "$dir" predictd
	"$stack" start "$dir" predictd
	"$stack" wait "$dir"
}
set_private() {
	sed -i '/^PrivateData/d' "$dir/cluster/etc/slurm.conf"
	[[ -z $1 ]] || echo "PrivateData=$1" >>"$dir/cluster/etc/slurm.conf"
	as 0 scontrol reconfigure
	restart
}
is_due() { [[ $(seen "$1") == "$(due "$2" "$hidden")" ]]; }
for hidden in '' usage jobs nodes; do
	[[ -z $hidden ]] || set_private $hidden
	column=0
	for uid in $ann $bob 0; do
		((column += 1))
		until_true 20 is_due "$uid" $column
		sees=$(diff <(due $column "$hidden") <(seen "$uid"))
		check "uid_${uid}_${hidden:-unset}" "$sees" same "$sees" ''
	done
	words=$(words_of $bob)
	check "commands_${hidden:-unset}" "$words" same "$words" ''
done
words=$(words_of $ann)
check own_words "$words" grep -qx "job $ended" <<<"$words"

# --- Views --------------------------------------------------------------------

# A role without rights, and the one of Grafana and the like.
psql -XAtq "$conninfo" -c 'CREATE ROLE stranger LOGIN;
	CREATE ROLE reader LOGIN IN ROLE predict_reader' 2>"$dir/body"
rights() { # ROLE
	sql "SELECT count(*) FILTER (WHERE has_table_privilege('$1', oid, 'SELECT')
			AND has_schema_privilege('$1', 'predict', 'USAGE')) || ' of '
			|| count(*) FROM pg_class
		WHERE relnamespace = 'predict'::regnamespace AND relkind = 'v'"
}
check views_stranger "$(rights stranger)" grep -q '^0 of [1-9]' \
	<<<"$(rights stranger)"
check views_reader "$(rights reader)" grep -qE '^([0-9]+) of \1$' \
	<<<"$(rights reader)"

# --- PrivateData is not known -------------------------------------------------

# The queue is not, either, but these are stored.
hidden=unknown
table=$(grep -v '^queue' <<<"$table")
kill "$("$cluster" pids "$dir/cluster" |
	awk '$3 ~ /slurmctld/ { print $2; exit }')"
restart
column=0
for uid in $ann $bob 0; do
	((column += 1))
	until_true 30 is_due "$uid" $column
	sees=$(diff <(due $column unknown) <(seen "$uid"))
	check "uid_${uid}_unknown" "$sees" same "$sees" ''
done
"$cluster" restart-ctld "$dir/cluster" || :
as 0 scancel "$runs" "$waits" || :
exit $failed
