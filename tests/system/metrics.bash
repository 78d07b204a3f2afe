# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# metrics.bash - a cluster with something to say at /metrics
#
# For tests of it, which set $test, $dir and the like, as checks.bash wants.
# shellcheck disable=SC2154,SC2317,SC2034,SC2119,SC2120 # tests set and use them

batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o /dev/null -D /tmp "${@:2}" 2>/dev/null
}

# read_metrics ARGUMENT...: as root, into $dir/text
read_metrics() {
	as 0 curl -sS "$@" --unix-socket "$run/predictd.sock" \
		http://localhost/metrics >"$dir/text"
}

# The value of a family of the one partition; 0: it is not there.
value() {
	read_metrics
	awk -v name="slurm_predict_$1" \
		'index($0, name "{") == 1 { found = $NF } END { print found + 0 }' \
		"$dir/text"
}
value_is_there() {
	read_metrics
	grep -q "^slurm_predict_$1{" "$dir/text"
}
all_ended() { [[ -z $(as 0 squeue -h) ]]; }
judged() { (($(value partition_judged_runs_total) >= $1)); }

restart_predictd() {
	"$stack" kill "$dir" predictd
	"$stack" start "$dir" predictd
	"$stack" wait "$dir"
}

# A cluster on which five users have run a job twice: the second one was
# predicted from the first.
metrics_begin() {
	rm -rf "$dir"
	mkdir -p "$dir"
	trap finish EXIT
	"$stack" up "$dir" "$build" --cap 0 || exit
	# shellcheck disable=SC1091
	. "$dir/settings"
	MUNGE_SOCKET=$(sed -n "s/^export MUNGE_SOCKET=//p" "$dir/cluster-env")
	printf '%s\n' SlurmQueueInterval=1 SlurmNodesInterval=1 \
		>>"$dir/etc/predict.conf"
	restart_predictd
	chmod 755 "$run"
	cp "$build/bin/spredict" "$run/"
	nodes=$(as 0 sinfo -h -o %D)
	for round in 1 2; do
		for user in {2..6}; do
			batch "$user" -n1 -t 5 -J quick --wrap 'sleep 1' \
				>/dev/null
		done
		until_true 120 all_ended
		until_true 60 runs_known $((5 * round))
	done
}
runs_known() { (($(read_metrics && sed -n \
	's/^slurm_predict_runs{.*} //p' "$dir/text") >= $1)); }

# One job has all nodes.
submit_first() {
	first=$(batch 2 -N "$nodes" --exclusive -t 60 -J long \
		--wrap 'sleep 3500')
}
# submit_waiting UID...: jobs behind it, the last one in $last
submit_waiting() {
	local user

	for user; do
		last=$(batch "$user" -N "$nodes" --exclusive -t 2 -J behind \
			--wrap 'sleep 5')
	done
}
# Has predictd read the queue with that job in it?
start_is_told() {
	as 0 "$run/spredict" --json queue -j "$1" |
		jq -e '.jobs[0].start_s > 0' >/dev/null
}
