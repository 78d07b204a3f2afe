#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_submit.sh - what the plugin costs a slurmctld that takes
# many submissions
#
# One client submits held jobs as fast as it can: to a slurmctld without a
# job_submit plugin, to one with an empty job_submit/lua, to one with our plugin
# in advise mode and a real predictd behind it, and to one that tells starts,
# too, by a queue of 60 jobs. The four are up side by
# side and take turns in small batches, and the ratio of each round is taken by
# itself, so that other work on the machine disturbs all of them alike.  Many
# short rounds tell more than few long ones: .02 apart where those were .07.  So
# that neither the luck of a start nor a long queue decides, all is started
# afresh a few times, and the medians are those of all rounds.
#
# usage: bench_submit.sh BUILD [ROUNDS [JOBS [STARTS]]]
# shellcheck disable=SC2317 # functions are called by trap and by name
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
cluster=$contrib/cluster/cluster
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: bench_submit.sh BUILD [ROUNDS [JOBS [STARTS]]]}")
rounds=${2:-100}
jobs=${3:-15}
starts=${4:-3}
variants=(none lua advise start)
measured=(none lua advise open start)
dir=$build/bench-submit

all_down() {
	local variant status=0

	for variant in "${variants[@]}"; do
		"$cluster" down "$dir/$variant" >/dev/null 2>&1 || status=1
	done
	[[ ! -e $dir/stack ]] || "$stack" down "$dir/stack" >/dev/null ||
		status=1
	return "$status"
}

finish() {
	local status=$?

	all_down || status=1
	# Not at the next start: a file system that has just lost so many files
	# is slow, and so would be what is measured on it.
	((status)) || rm -rf "$dir"
	exit "$status"
}

# The lines of slurm.conf that make a variant.
variant_none() { :; }
variant_lua() {
	echo JobSubmitPlugins=lua
	cat >"$dir/lua/etc/job_submit.lua" <<-'END'
		function slurm_job_submit(job, partitions, uid)
			return slurm.SUCCESS
		end
		function slurm_job_modify(job, record, partitions, uid)
			return slurm.SUCCESS
		end
		return slurm.SUCCESS
	END
}
variant_advise() {
	echo JobSubmitPlugins=predict
	echo "SlurmctldParameters=predict_url=unix:$socket,predict_mode=advise"
}
variant_start() {
	variant_advise | sed '2s/$/,predict_message=on+start/'
}

start() { # VARIANT [NAME]
	"$cluster" up "$dir/$1" --nodes 1 --cap 0 --name "${2:-$1}" \
		--plugin-dir "$build/lib" --conf "$dir/slurm.conf" >/dev/null
	"variant_$1" >>"$dir/$1/etc/slurm.conf"
	"$cluster" restart-ctld "$dir/$1" >/dev/null
}

submit() { # VARIANT ARGUMENT...
	"$cluster" run "$dir/$1" "$build/bin/submit-jobs" "${@:2}"
}

# measure NAME: submissions per second.  Starts are for jobs that are not held,
# in a partition that is down; `open` is advise with such jobs.
measure() {
	local variant=$1 eligible=()

	[[ $1 != open ]] || variant=advise
	[[ $1 != open && $1 != start ]] || eligible=(-e)
	submit "$variant" -n "$jobs" -i ${eligible[@]+"${eligible[@]}"} | sed -n 's/.* per_s \([0-9.]*\) .*/\1/p'
}

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
start_ratio() { awk '{ printf "%.3f\n", $5 / $4 }' "$dir/rates" | median; }
column() { awk -v n="$1" '{ print $n }' "$dir/rates" | median; }
ratio() {
	awk -v n="$1" '{ printf "%.3f\n", $n / $1 }' "$dir/rates" | median
}

# Of the cluster that predictd reads, and a queue on it.
queue_up() {
	local i conf=$dir/stack/etc/predict.conf

	"$stack" kill "$dir/stack" predictd
	sleep 2 # its socket is free then
	printf 'SlurmQueueInterval=5\nSlurmNodesInterval=5\n' >>"$conf"
	"$stack" start "$dir/stack" predictd
	"$stack" wait "$dir/stack" >/dev/null
	for ((i = 0; i < 60; i++)); do
		"$cluster" run "$dir/stack/cluster" sbatch -Q -o /dev/null -D / \
			--exclusive -t $((10 + i % 7)) --wrap 'sleep 3000' \
			>/dev/null 2>&1
	done
}

all_up() {
	local variant output i name=start

	if [[ -n ${PREDICT_SOCKET-} ]]; then
		socket=$PREDICT_SOCKET
	else
		"$stack" up "$dir/stack" "$build" --nodes 1 --cap 0 >/dev/null
		# shellcheck disable=SC1091,SC2154
		socket=$(. "$dir/stack/settings" && echo "$run/predictd.sock")
		# shellcheck disable=SC1091
		name=$(. "$dir/stack/settings" && echo "$CLUSTER_NAME")
		queue_up
	fi
	for variant in "${variants[@]}"; do
		if [[ $variant == start ]]; then
			start start "$name"
		else
			start "$variant"
		fi
		"$cluster" run "$dir/$variant" scontrol update State=DOWN \
			PartitionName="$("$cluster" run "$dir/$variant" \
				sinfo -h -o %R | head -n 1)"
		submit "$variant" -n 20 >/dev/null # connections, caches
	done
	output=$(submit advise -v -n 1 | head -n 1)
	if [[ $output != *predict:* ]]; then
		echo "bench_submit: predictd did not answer: $output" >&2
		return 1
	fi
	[[ -z ${PREDICT_SOCKET-} ]] || return 0
	for ((i = 0; i < 60; i++)); do
		output=$(submit start -e -v -n 1 | head -n 1)
		[[ $output != *'starts '* ]] || return 0
		sleep 1
	done
	echo "bench_submit: no start was told: $output" >&2
	return 1
}

# Who comes later in a round is slower, whoever it is: the file system still
# digests the files of the others.  So each goes first as often as last.
measure_round() { # NUMBER
	local -A rate
	local turn variant rates

	for ((turn = 0; turn < 5; turn++)); do
		variant=${measured[(turn + $1) % 5]}
		rate[$variant]=$(measure "$variant")
	done
	rates="${rate[none]} ${rate[lua]} ${rate[advise]} ${rate[open]}"
	rates+=" ${rate[start]}"
	echo "$rates" >>"$dir/rates"
	echo "round $1: ${measured[*]}: $rates per second"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
cat >"$dir/slurm.conf" <<END
SlurmctldDebug=error
MaxJobCount=1000000
END
for ((n = 1; n <= starts; n++)); do
	((n == 1)) || all_down
	all_up
	for ((round = 1; round <= rounds; round++)); do
		measure_round "$round"
	done
done
echo "bar submit_none_per_s $(column 1)"
echo "bar submit_advise_per_s $(column 3)"
echo "bar submit_ratio_lua $(ratio 2)"
echo "bar submit_ratio_advise $(ratio 3)"
echo "bar submit_start_ratio $(start_ratio)"
# What advise adds to a submission, less none.
echo "bar submit_added_us $(awk '{ printf "%.1f\n", 1e6 / $3 - 1e6 / $1 }' \
	"$dir/rates" | median)"
