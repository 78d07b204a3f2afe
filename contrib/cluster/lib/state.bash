# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
# state.bash - what a cluster knows about itself between two commands
#
# DIR/run/settings   shell assignments: the options of `up` and what was chosen
# DIR/run/resources  one line for each thing made outside DIR, in order, so that
#                    `down` finds it even if `up` failed half way
# DIR/run/NAME.pid   "pid start-time" of the first process of machine NAME

die()
{
	echo "cluster: $*" >&2
	exit 1
}

need_root()
{
	((EUID == 0)) || die "needs root, for namespaces and CPU groups"
}

# state_open DIR: set $dir and all settings of the cluster there
state_open()
{
	(($# >= 1)) || die "which DIR?"
	need_root
	dir=$(realpath -m -- "$1")
	[[ -f $dir/run/settings ]] || die "no cluster in $1"
	# shellcheck disable=SC1091
	. "$dir/run/settings"
}

# state_save: write the settings down
state_save()
{
	local var

	for var in "${settings[@]}"; do
		printf '%s=%q\n' "$var" "${!var}"
	done >"$dir/run/settings"
}
settings=(name nodes cpus cap base subnet prefix plugins wrap)

# resource KIND VALUE: note that VALUE is there, or is about to be
resource()
{
	echo "$1 $2" >>"$dir/run/resources"
}

# start_time PID: clock ticks after boot at which it started, or nothing. With
# the pid this names a process for good, where a pid alone may be reused.
start_time()
{
	local stat fields

	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
	read -ra fields <<<"${stat##*) }"
	echo "${fields[19]}"
}

# machine_pid NAME: the host's pid of the machine's first process; 1: it is off
machine_pid()
{
	local pid start

	{ read -r pid start <"$dir/run/$1.pid"; } 2>/dev/null || return 1
	[[ -n $start && $(start_time "$pid") == "$start" ]] || return 1
	echo "$pid"
}

# machines: the names of all, the controller first
machines()
{
	local i

	echo ctl
	for ((i = 1; i <= nodes; i++)); do
		echo "n$i"
	done
}

# check_node NAME: fail unless the cluster has it
check_node()
{
	if ! [[ $1 =~ ^n([1-9][0-9]{0,2})$ ]] ||
		((BASH_REMATCH[1] > nodes)); then
		die "no node '$1': there are n1 to n$nodes"
	fi
}

# count NAME VALUE MIN MAX: fail unless VALUE is a whole number in the range
count()
{
	if ! [[ $2 =~ ^(0|[1-9][0-9]{0,5})$ ]] || (($2 < $3 || $2 > $4)); then
		die "$1: '$2' is not a number from $3 to $4"
	fi
}

# close_files: what the caller had open, such as locks and pipes of a make, is
# nothing for a daemon
close_files()
{
	local fd

	for fd in /proc/self/fd/*; do
		fd=${fd##*/}
		# 255 is where bash reads this script.
		((fd <= 2 || fd == 255)) || eval "exec $fd>&-"
	done
}

# wait_for SECONDS CMD...: until CMD succeeds; 1 when the time is over
wait_for()
{
	local end=$((${EPOCHREALTIME/./} + $1 * 1000000))

	shift
	until "$@"; do
		((${EPOCHREALTIME/./} < end)) || return 1
		sleep 0.02
	done
}
