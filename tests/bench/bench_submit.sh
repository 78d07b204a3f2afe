#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_submit.sh - what the plugin costs a slurmctld that takes
# many submissions
#
# One client submits held jobs as fast as it can: to a slurmctld without a
# job_submit plugin, to one with an empty job_submit/lua, and to one with our
# plugin in advise mode and a real predictd behind it. The three are up side by
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
variants=(none lua advise)
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

start() {
	"$cluster" up "$dir/$1" --nodes 1 --cap 0 --name "$1" \
		--plugin-dir "$build/lib" --conf "$dir/slurm.conf" >/dev/null
	"variant_$1" >>"$dir/$1/etc/slurm.conf"
	"$cluster" restart-ctld "$dir/$1" >/dev/null
}

submit() { # VARIANT ARGUMENT...
	"$cluster" run "$dir/$1" "$build/bin/submit-jobs" "${@:2}"
}

# measure VARIANT: submissions per second
measure() {
	submit "$1" -n "$jobs" -i | sed -n 's/.* per_s \([0-9.]*\) .*/\1/p'
}

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
column() { awk -v n="$1" '{ print $n }' "$dir/rates" | median; }
ratio() {
	awk -v n="$1" '{ printf "%.3f\n", $n / $1 }' "$dir/rates" | median
}

all_up() {
	local variant output

	if [[ -n ${PREDICT_SOCKET-} ]]; then
		socket=$PREDICT_SOCKET
	else
		"$stack" up "$dir/stack" "$build" --nodes 1 --cap 0 >/dev/null
		# shellcheck disable=SC1091,SC2154
		socket=$(. "$dir/stack/settings" && echo "$run/predictd.sock")
	fi
	for variant in "${variants[@]}"; do
		start "$variant"
		submit "$variant" -n 20 >/dev/null # connections, caches
	done
	output=$(submit advise -v -n 1 | head -n 1)
	if [[ $output != *predict:* ]]; then
		echo "bench_submit: predictd did not answer: $output" >&2
		return 1
	fi
}

# Who comes later in a round is slower, whoever it is: the file system still
# digests the files of the others.  So each goes first as often as last.
measure_round() { # NUMBER
	local -A rate
	local turn variant rates

	for ((turn = 0; turn < 3; turn++)); do
		variant=${variants[(turn + $1) % 3]}
		rate[$variant]=$(measure "$variant")
	done
	rates="${rate[none]} ${rate[lua]} ${rate[advise]}"
	echo "$rates" >>"$dir/rates"
	echo "round $1: ${variants[*]}: $rates per second"
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
# What advise adds to a submission, less none.
echo "bar submit_added_us $(awk '{ printf "%.1f\n", 1e6 / $3 - 1e6 / $1 }' \
	"$dir/rates" | median)"
