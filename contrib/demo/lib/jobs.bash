# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# jobs.bash - the series of jobs, and the life of one
#
# A job is described by $nodes, $list (its nodes), $bodies, $steps; the load on
# each node stands in the array $load.

jobs_open() {
	local node

	for node in n1 n2 n3 n4; do
		load[$node]=0
	done
	: >"$table"
}
declare -A load

# on_controller CMD...: as a user on the cluster's login node would
on_controller() {
	"$cluster" run "$dir/cluster" "$@"
}

# predictd_get PATH: as `stack get`, in less time
predictd_get() {
	curl -sf --max-time 5 --unix-socket "$run/predictd.sock" \
		"http://localhost$1"
}

# Load comes and goes: a node gets one or two competing processes, or is rid of
# them; at most two nodes have some at a time.
load_wander() {
	local node=n$((RANDOM % 4 + 1)) other busy=()

	for other in n1 n2 n3 n4; do
		((load[$other] == 0)) || busy+=("$other")
	done
	((${#busy[@]} < 2)) || node=${busy[RANDOM % 2]}
	load[$node]=$((load[$node] ? 0 : RANDOM % 2 + 1))
	"$cluster" load "$dir/cluster" "$node" "${load[$node]}"
	load_settle "$node"
}

# load_settle NODE: until predictd expects of the node what it now has, as it
# would of load that did not begin this very moment
load_settle() {
	local _

	for _ in {1..50}; do
		sleep 0.2
		! predictd_get /v1/nodes | jq -e --arg node "$1" \
			--argjson load "${load[$1]}" '.nodes[] |
			select(.node == $node) | .forecast.cpu_load.value |
			. - $load | fabs < 0.25' >/dev/null || return 0
	done
}

load_text() {
	local node text=''

	for node in n1 n2 n3 n4; do
		text+=${load[$node]}
	done
	echo "$text"
}

# job_choose I [FIRST LAST]: choose the I-th job, on nodes that are not from
# FIRST to LAST. Who asks for one or two of the four nodes says which, as users
# of shared workstations do.
job_choose() {
	local first sizes=(2000 2500 3000 3500 4000 4400)
	local counts=(1 2 4) scale=(10 14 20)

	nodes=${counts[$1 % 3]}
	first=$((RANDOM % (5 - nodes) + 1))
	while ((first <= ${3:-0} && first + nodes > ${2:-0})); do
		first=$((first % (5 - nodes) + 1))
	done
	last=$((first + nodes - 1))
	list=n$first
	((nodes == 1)) || list="n[$first-$last]"
	bodies=$((sizes[RANDOM % 6] * scale[$1 % 3] / 10))
	number=$1
}

# jobs_learn: the history. A job on one node and the next, on two, run side by
# side: neither disturbs the other, as long as the host has two CPUs.
jobs_learn() {
	local i

	for ((i = 1; i <= learning; i++)); do
		(((i % 3 && i % 2 == 0) || i == learning)) || load_wander
		job_choose "$i"
		job_submit
		if ((i % 3 == 0 && i < learning)); then
			job_choose "$((++i))" "$((last - nodes + 1))" "$last"
			job_submit
			job_learned "$((i - 1))"
		fi
		job_learned "$i"
	done
}

# Options of sbatch, then the script and its arguments.
job_words() {
	echo "-N $nodes --ntasks-per-node=1 -w $list -t 5 -J nbody" \
		"$script -n $bodies -s $steps"
}

# jobs_fit: set $steps to as many as take 4000 bodies 0.6 s where nobody
# shares anything, so that the demo does not last longer on a slower machine
jobs_fit() {
	local took tried=4 most=18 least=6

	took=$(for _ in 1 2 3; do
		on_controller "$build/bin/nbody" -n 4000 -s "$tried" || true
	done | sed -n 's/.*, \([0-9.]*\) s$/\1/p' | sort -g | sed -n 1p)
	steps=$(awk -v took="${took:-0}" -v tried="$tried" -v most="$most" \
		-v least="$least" 'BEGIN {
			fit = int(0.6 * tried / (took + 1e-9) + 0.5)
			if (fit > most)
				fit = most
			print(fit < least ? least : fit)
		}')
}

# job_asked: what the two other ways of asking say of the job
job_asked() {
	local request

	request=$(job_request)
	say "  \$ curl --unix-socket predictd.sock -d '{\"job\": ...}'" \
		"http://localhost/v1/predictions"
	curl -sS --max-time 5 --unix-socket "$run/predictd.sock" \
		-d "$request" http://localhost/v1/predictions |
		jq -c '.prediction | {model, runs, median_s, quantile_s,
			assumed_nodes, cpu_load: .conditions.cpu_load}' |
		sed 's/^/        /'
	# shellcheck disable=SC2046 # words, none with blanks
	say "  \$ spredict predict $(job_words | sed "s|$script|nbody.sbatch|")"
	# shellcheck disable=SC2046
	on_controller "$build/bin/spredict" --url="unix:$run/predictd.sock" \
		predict $(job_words) | sed 's/^/        /'
}

job_request() {
	jq -cn --rawfile script "$script" --arg cluster "$CLUSTER_NAME" \
		--arg list "$list" --argjson nodes "$nodes" \
		--arg path "$script" --arg n "$bodies" --arg s "$steps" \
		--argjson uid "$(id -u)" '{
		version: 1, mode: "advise", quantile: 0.9, dry_run: true,
		job: {cluster: $cluster, user_id: $uid, name: "nbody",
		      script: $script, arguments: [$path, "-n", $n, "-s", $s],
		      nodes_min: $nodes, nodes_max: $nodes,
		      tasks_per_node: 1, required_nodes: $list,
		      limit_s: 300}}'
}

# job_submit: set ${told[number]}, what sbatch says, and ${ids[number]}
job_submit() {
	[[ -z ${DEMO_BEFORE:-} ]] || $DEMO_BEFORE "$number"
	job_record nodes "$(predictd_get /v1/nodes)"
	# shellcheck disable=SC2046
	told[number]=$(on_controller sbatch -o /dev/null $(job_words) 2>&1) ||
		die "sbatch failed: ${told[number]}"
	ids[number]=$(sed -n 's/^Submitted batch job \([0-9]*\)$/\1/p' \
		<<<"${told[number]}")
	[[ -n ${ids[number]} ]] || die "no job id in: ${told[number]}"
	asked[number]="$nodes $list $bodies $(load_text)"
}
told=() ids=() asked=()

# job_end NUMBER: wait until the job's record came back from PostgreSQL, add a
# line to the table
job_end() {
	local reply

	number=$1
	reply=$(job_wait "${ids[$1]}")
	job_record job "$reply"
	job_note "$reply"
}

# job_learned NUMBER: one of those that fill the history
job_learned() {
	local nodes list bodies loads

	job_end "$1"
	read -r nodes list bodies loads <<<"${asked[$1]}"
	say "job $1 of $learning: $bodies bodies on $list, load $loads:" \
		"$(job_took) s"
	[[ $first_s == - && $from == history ]] || return 0
	first_s=$SECONDS
	say "the first time that sbatch knows from history:" \
		"${told[$1]%%$'\n'*}"
}

# job_show I: one that is predicted from it
job_show() {
	local line

	(($1 % 2 == 0)) || load_wander
	job_choose "$1"
	say "job $1: $bodies bodies on $list, load $(load_text)"
	job_asked
	job_submit
	job_end "$1"
	say "  \$ sbatch $(job_words | sed "s|$script|nbody.sbatch|")"
	while read -r line; do
		echo "        $line"
	done <<<"${told[$1]}"
	say "  it ran $(job_took) s"
}

# job_took: of the last one in the table
job_took() {
	awk '{ t = $6 } END { printf "%.1f", t }' "$table"
}

# job_record NAME TEXT: keep it where $DEMO_RECORD says, if anywhere
job_record() {
	[[ -z ${DEMO_RECORD:-} ]] || echo "$2" >"$DEMO_RECORD/$1-$number.json"
}

# job_wait ID: print predictd's reply about the job once it has ended
job_wait() {
	local reply state end=$((SECONDS + 300))

	while ((SECONDS < end)); do
		reply=$(predictd_get "/v1/jobs/$1") || reply='{}'
		state=$(jq -r '.job.state // "PENDING"' <<<"$reply")
		case $state in
		PENDING | RUNNING) sleep 0.2 ;;
		COMPLETED) echo "$reply" && return 0 ;;
		*) die "job $1 ended as $state" ;;
		esac
	done
	die "job $1 did not come back from predictd within 300 s"
}

# job_note REPLY: sets $from, what the prediction rests on. The table has:
# number id nodes bodies load actual model told quantile avg2 limit
job_note() {
	local nodes bodies loads _

	read -r nodes _ bodies loads <<<"${asked[number]}"
	from=$(jq -r '.submission_prediction.basis // "-"' <<<"$1")
	jq -r --arg number "$number" --arg id "${ids[number]}" \
		--arg nodes "$nodes" --arg bodies "$bodies" \
		--arg load "$loads" '
		(.submission_prediction // .prediction) as $told |
		[$number, $id, $nodes, $bodies, $load, .job.runtime_s,
		 ($told.model // "-"), ($told.median_s // "-"),
		 ($told.quantile_s // "-"),
		 ([$told.candidates[]? | select(.model == "avg2")
		   | .median_s][0] // "-"),
		 ($told.limit_s // "-")] | @tsv' <<<"$1" >>"$table"
}
