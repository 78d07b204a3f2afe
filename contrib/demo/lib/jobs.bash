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
	sleep 2 # the sensors look every half second
}

load_text() {
	local node text=''

	for node in n1 n2 n3 n4; do
		text+=${load[$node]}
	done
	echo "$text"
}

# job_next I: choose the I-th job. Who asks for one or two of the four nodes
# says which, as users of shared workstations do.
job_next() {
	local first sizes=(2000 2500 3000 3500 4000 4400)
	local counts=(1 2 4) scale=(10 14 20)

	(($1 % 2 == 0)) || load_wander
	nodes=${counts[$1 % 3]}
	first=$((RANDOM % (5 - nodes) + 1))
	list=n$first
	((nodes == 1)) || list="n[$first-$((first + nodes - 1))]"
	bodies=$((sizes[RANDOM % 6] * scale[$1 % 3] / 10))
	number=$1
}

# Options of sbatch, then the script and its arguments.
job_words() {
	echo "-N $nodes --ntasks-per-node=1 -w $list -t 5 -J nbody" \
		"$script -n $bodies -s $steps"
}

# jobs_fit: set $steps to as many as take 4000 bodies 0.8 s where nobody
# shares anything, so that the demo does not last longer on a slower machine
jobs_fit() {
	local took tried=4 most=18 least=8

	took=$(for _ in 1 2 3; do
		on_controller "$build/bin/nbody" -n 4000 -s "$tried" || true
	done | sed -n 's/.*, \([0-9.]*\) s$/\1/p' | sort -g | sed -n 1p)
	steps=$(awk -v took="${took:-0}" -v tried="$tried" -v most="$most" \
		-v least="$least" 'BEGIN {
			fit = int(0.8 * tried / (took + 1e-9) + 0.5)
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

# job_run quietly|aloud: submit the job, wait until its record came back from
# PostgreSQL, add a line to the table
job_run() {
	local told id reply line

	[[ $1 == quietly ]] || {
		say "job $number: $bodies bodies on $list, load $(load_text)"
		job_asked
	}
	# shellcheck disable=SC2046
	told=$(on_controller sbatch -o /dev/null $(job_words) 2>&1) ||
		die "sbatch failed: $told"
	id=$(sed -n 's/^Submitted batch job \([0-9]*\)$/\1/p' <<<"$told")
	[[ -n $id ]] || die "no job id in: $told"
	reply=$(job_wait "$id")
	job_note "$id" "$reply"
	if [[ $1 == aloud ]]; then
		say "  \$ sbatch $(job_words | sed "s|$script|nbody.sbatch|")"
		while read -r line; do
			echo "        $line"
		done <<<"$told"
		say "  it ran $(awk '{ t = $6 } END { printf "%.1f", t }' \
			"$table") s"
	else
		say "job $number of $learning: $bodies bodies on $list," \
			"load $(load_text):" \
			"$(awk '{ t = $6 } END { printf "%.1f", t }' \
				"$table") s"
	fi
}

# job_wait ID: print predictd's reply about the job once it has ended
job_wait() {
	local reply state

	for _ in {1..300}; do
		reply=$("$stack" get "$dir" "/v1/jobs/$1" 2>/dev/null) || reply='{}'
		state=$(jq -r '.job.state // "PENDING"' <<<"$reply")
		case $state in
		PENDING | RUNNING) sleep 0.3 ;;
		COMPLETED) echo "$reply" && return 0 ;;
		*) die "job $1 ended as $state" ;;
		esac
	done
	die "job $1 did not come back from predictd within 90 s"
}

# The table: number id nodes bodies load actual model told quantile avg2 limit
job_note() {
	jq -r --arg number "$number" --arg id "$1" --arg nodes "$nodes" \
		--arg bodies "$bodies" --arg load "$(load_text)" '
		[$number, $id, $nodes, $bodies, $load, .job.runtime_s,
		 (.prediction.model // "-"), (.prediction.median_s // "-"),
		 (.prediction.quantile_s // "-"),
		 ([.prediction.candidates[]? | select(.model == "avg2")
		   | .median_s][0] // "-"),
		 (.prediction.limit_s // "-")] | @tsv' <<<"$2" >>"$table"
}
