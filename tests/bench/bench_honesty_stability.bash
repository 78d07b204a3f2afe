# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# bench_honesty_stability.bash - whether the same command gets the same answer
#
# A little cluster of virtual nodes learns from MPI N-body jobs of three widths
# while load comes and goes.  Then the history is frozen, and three commands are
# asked for again and again: under constant load, with no and with two competing
# processes on the first node, an answer should be within 25 % of the median of
# its command.  At last load changes before each job: one every ten seconds or
# so, for one a minute, so that the bench ends.
#
# Read by bench_honesty.sh: $build, $dir.  ASKS and JOBS are for shorter runs;
# with KEEP=FILE the jobs are left there, one a line of JSON.

asks=${ASKS:-20}
jobs=${JOBS:-16}
steps=12
widths=(1 2 4)

contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
script=$contrib/mpi/nbody.sbatch
site=$dir/stability
export PATH=$build/bin:$PATH # for the jobs

die() {
	echo "bench_honesty_stability: $*" >&2
	exit 1
}

# Options of sbatch and spredict, then the script and its arguments.
job_words() { # NODES BODIES
	local list=n1

	(($1 == 1)) || list="n[1-$1]"
	echo "-N $1 --ntasks-per-node=1 -w $list -t 5 -J nbody" \
		"$script -n $2 -s $steps"
}

# Run a job, and print predictd's reply on it once its record is stored.
job_run() { # NODES BODIES
	local id reply state=PENDING

	# shellcheck disable=SC2046 # words, none with blanks
	id=$("$cluster" run "$site/cluster" sbatch --parsable -o /dev/null \
		$(job_words "$1" "$2") 2>/dev/null)
	for _ in {1..400}; do
		reply=$("$stack" get "$site" "/v1/jobs/$id" 2>/dev/null) ||
			reply='{}'
		state=$(jq -r '.job.state // "PENDING"' <<<"$reply")
		case $state in
		PENDING | RUNNING) sleep 0.3 ;;
		*) break ;;
		esac
	done
	jq -c . <<<"$reply" | tee -a "${KEEP:-/dev/null}"
	[[ $state == COMPLETED ]] || die "job $id ended as $state"
}

load_set() { # NODE PROCESSES
	"$cluster" load "$site/cluster" "$1" "$2"
	sleep 3 # the sensors look every half second
}

# Submissions that run: sizes and widths as users vary them, under load that
# comes to the first node and to the third, and goes.
learn() {
	local i

	for ((i = 0; i < 18; i++)); do
		((i % 3)) || load_set n$((i % 2 * 2 + 1)) $((i / 3 % 3))
		job_run "${widths[i % 3]}" $((2400 + i * 7 % 6 * 300)) >/dev/null
	done
	load_set n1 0
	load_set n3 0
}

# Print the answers to a command, in seconds.
answers() { # NODES
	local i

	for ((i = 0; i < asks; i++)); do
		# shellcheck disable=SC2046
		"$cluster" run "$site/cluster" "$build/bin/spredict" \
			--json --url="unix:$run/predictd.sock" predict \
			$(job_words "$1" 3300) | jq '.prediction.median_s'
		sleep 0.7
	done
}

# Print how many answers of how many are near the median of their command.
near_median() {
	sort -g | awk '{ s[NR] = $1 } END {
		middle = (s[int((NR + 1) / 2)] + s[int(NR / 2) + 1]) / 2
		for (i = 1; i <= NR; i++)
			near += s[i] <= 1.25 * middle && s[i] >= 0.75 * middle
		print near + 0, NR, s[1], middle, s[NR] }'
}

constant_load() {
	local load width

	for load in 0 2; do
		load_set n1 "$load"
		for width in "${widths[@]}"; do
			echo "$load $width $(answers "$width" | near_median)"
		done
	done
	load_set n1 0
}

changing_load() {
	local i

	for ((i = 0; i < jobs; i++)); do
		load_set n$((i % 2 + 1)) $((i * 5 % 3))
		job_run 2 3300 | jq -r '[.submission_prediction.median_s,
			.job.runtime_s] | @tsv'
	done
}

stability() {
	"$stack" up "$site" "$build" --weight 10000 --probe 2
	# shellcheck disable=SC1091
	. "$site/settings"
	learn
	constant_load | tee "$site/constant" | awk '{
		printf "%d competitors, %d nodes: %d of %d near, ", $1, $2, $3, $4
		printf "%.2f to %.2f s, median %.2f s\n", $5, $7, $6 }'
	awk '{ near += $3; all += $4 } END {
		printf "bar stability_pct %.1f\n", 100 * near / all }' \
		"$site/constant"
	changing_load | awk '{ d = log($1 / $2); print d < 0 ? -d : d }' |
		sort -g | awk '{ e[NR] = $1 } END {
			printf "bar stability_log_error %.3f\n",
				(e[int((NR + 1) / 2)] + e[int(NR / 2) + 1]) / 2 }'
}

(
	trap '"$stack" down "$site"' EXIT
	stability
)
