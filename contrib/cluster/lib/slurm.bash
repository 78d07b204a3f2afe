# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# slurm.bash - MUNGE's and Slurm's daemons on the machines

start_munged()
{
	local top=$base/dir

	spawn ctl munged --foreground --key-file="$top/etc/munge.key" \
		--socket="$base/munge.sock" --pid-file="$top/run/munged.pid" \
		--seed-file="$top/run/munged.seed" \
		--log-file="$top/log/munged.log" --num-threads=4 --force
	wait_for 10 test -S "$base/munge.sock" || {
		tail -n 5 "$dir/log/ctl.err" >&2
		die "munged does not start"
	}
}

start_slurmctld()
{
	# shellcheck disable=SC2086 # a command and its options
	spawn ctl $wrap slurmctld -D -f "$base/dir/etc/slurm.conf"
}

# start_slurmd NODE
start_slurmd()
{
	mkdir -p "$dir/node/$1/spool"
	spawn "$1" slurmd -D -N "$1" -f "$base/dir/etc/slurm.conf"
}

# ctld_pid: slurmctld's pid as the host counts it; 1 if there is none. With a
# wrapper it has a child of the same name, so take the oldest.
ctld_pid()
{
	local pid cmd start oldest='' oldest_start

	for pid in $(machine_pids ctl); do
		cmd=$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") || continue
		# setsid and env are there for a moment only.
		[[ $cmd == *"slurmctld -D -f $base/"* && $cmd != setsid* &&
			$cmd != env* ]] || continue
		start=$(start_time "$pid")
		if [[ -n $start &&
			(-z $oldest || start -lt oldest_start) ]]; then
			oldest=$pid
			oldest_start=$start
		fi
	done
	[[ -n $oldest ]] && echo "$oldest"
}

ctld_answers()
{
	SLURM_CONF=$base/dir/etc/slurm.conf enter ctl \
		scontrol ping 2>/dev/null | grep -q 'is UP'
}

# nodes_idle NODE...: do all of them wait for work?
nodes_idle()
{
	local list state

	list=$(IFS=, && echo "$*")
	state=$(SLURM_CONF=$base/dir/etc/slurm.conf enter ctl \
		sinfo -h -n "$list" -o %T 2>/dev/null | sort -u) || return 1
	[[ $state == idle ]]
}

# nodes_known: has every node that is on answered slurmctld?  (`unk` until then)
nodes_known()
{
	local node state

	while read -r node state; do
		[[ $state != unk* ]] || ! machine_pid "$node" >/dev/null ||
			return 1
	done < <(SLURM_CONF=$base/dir/etc/slurm.conf enter ctl \
		sinfo -h -N -o '%N %T' 2>/dev/null)
}

# ctld_settled: does it answer, or has it ended?
ctld_settled()
{
	ctld_answers && return 0
	# The first looks may come before setsid has started it.
	((++ctld_misses > 20)) && ! ctld_pid >/dev/null
}

# ctld_wait: until slurmctld answers (a wrapper such as valgrind takes its time)
ctld_wait()
{
	local limit_s=20

	[[ -z $wrap ]] || limit_s=120
	ctld_misses=0
	if ! wait_for "$limit_s" ctld_settled || ! ctld_answers; then
		tail -n 10 "$dir/log/ctl.err" "$dir/log/slurmctld.log" >&2
		die "slurmctld does not answer: see $dir/log"
	fi
}

# nodes_wait NODE...: until they are idle
nodes_wait()
{
	wait_for 20 nodes_idle "$@" || {
		local node
		for node; do
			nodes_idle "$node" ||
				tail -n 5 "$dir/log/$node.err" \
					"$dir/log/slurmd-$node.log" >&2
		done
		die "not all nodes are idle: see $dir/log"
	}
}
