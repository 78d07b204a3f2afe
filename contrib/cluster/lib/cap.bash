# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# cap.bash - the CPU group of a node: how much it may use, and who is in it
#
# Control groups, v1 or v2, whichever holds the cpu controller here.  A short
# period keeps a capped node smooth; the kernel wants at least 1 ms of quota in
# each.

cap_period_us=5000
cap_min_quota_us=1000

# cap_mounts: directories under which groups are made. v1 has one per
# controller; cpuacct is there for those who want to read a node's CPU time.
cap_mounts()
{
	local mount type options _

	while read -r _ mount type options _; do
		case $type,$options, in
		cgroup,*,cpu,* | cgroup,*,cpuacct,*) echo "$mount" ;;
		cgroup2,*) ! grep -qsw cpu "$mount/cgroup.controllers" ||
			echo "$mount" ;;
		esac
	done </proc/mounts
}

# cap_groups NODE: the directories of its groups that exist
cap_groups()
{
	local mount

	for mount in $(cap_mounts); do
		[[ -d $mount/${base##*/}/$1 ]] && echo "$mount/${base##*/}/$1"
	done
	return 0
}

# cap_limit GROUP: give it its share; 1 if the kernel refuses
cap_limit()
{
	local quota=$((cap * cap_period_us / 100)) period=$cap_period_us

	if ((quota < cap_min_quota_us)); then
		quota=$cap_min_quota_us
		period=$((quota * 100 / cap))
	fi
	if [[ -e $1/cpu.max ]]; then
		echo "$quota $period" >"$1/cpu.max"
	elif [[ -e $1/cpu.cfs_quota_us ]]; then
		echo "$period" >"$1/cpu.cfs_period_us" &&
			echo "$quota" >"$1/cpu.cfs_quota_us"
	fi
}

# cap_weigh GROUP: give it the weight of `up --weight` against other processes
cap_weigh()
{
	if [[ -e $1/cpu.weight ]]; then
		echo "$weight" >"$1/cpu.weight"
	elif [[ -e $1/cpu.shares ]]; then
		echo $((weight * 1024 / 100)) >"$1/cpu.shares"
	fi
}

# cap_make_all: a group for each node, or a word why there are none
cap_make_all()
{
	local mount top node

	for mount in $(cap_mounts); do
		top=$mount/${base##*/}
		resource cgroup "$top"
		mkdir "$top" 2>/dev/null || continue
		if [[ -e $top/cgroup.subtree_control ]]; then
			# Both levels: a controller is handed down step by step.
			echo +cpu 2>/dev/null \
				>"$mount/cgroup.subtree_control" ||
				continue
			echo +cpu 2>/dev/null >"$top/cgroup.subtree_control" ||
				continue
		fi
		cap_weigh "$top" 2>/dev/null || true
		for node in $(machines); do
			[[ $node != ctl ]] || continue
			mkdir "$top/$node" || continue
			((cap == 0)) ||
				cap_limit "$top/$node" 2>/dev/null || true
		done
	done
	if ((cap)) && ! cap_holds; then
		echo "cluster: no CPU caps: the cpu control group is not" \
			"writable here" >&2
	fi
}

# cap_holds: is the first node really limited?
cap_holds()
{
	local group

	for group in $(cap_groups n1); do
		if [[ -e $group/cpu.max ]]; then
			! grep -q ^max "$group/cpu.max" && return 0
		elif [[ -e $group/cpu.cfs_quota_us ]]; then
			! grep -q ^- "$group/cpu.cfs_quota_us" && return 0
		fi
	done
	return 1
}

# cap_join NODE: put this (sub)shell, and what it starts, into the node's groups
cap_join()
{
	local group

	for group in $(cap_groups "$1"); do
		echo "$BASHPID" >"$group/cgroup.procs"
	done
}

# cap_remove TOP: kill what is left in the groups under TOP, remove them
cap_remove()
{
	local group pid

	for group in "$1"/*/; do
		[[ -d $group ]] || continue
		while read -r pid; do
			kill -9 "$pid" 2>/dev/null || true
		done <"$group/cgroup.procs"
		wait_for 5 rmdir "$group" 2>/dev/null ||
			echo "cluster: $group does not go away" >&2
	done
	[[ ! -d $1 ]] || rmdir "$1"
}
