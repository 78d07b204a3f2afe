# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# commands.bash - what `cluster COMMAND` does; one function for each

# up_options OPTION...: set the settings, $confs and $plugstack
up_options()
{
	while (($#)); do
		[[ $1 == --keep-state || $# -ge 2 ]] ||
			die "up: $1 needs a value"
		case $1 in
		--nodes) nodes=$2 ;;
		--cpus) cpus=$2 ;;
		--cap) cap=$2 ;;
		--weight) weight=$2 ;;
		--name) name=$2 ;;
		--conf) confs+=("$2") ;;
		--plugin-dir) plugins=$(realpath -m -- "$2") ;;
		--select) select=$2 ;;
		--plugstack) plugstack=$2 ;;
		--wrap) wrap=$2 ;;
		--keep-state) keep_state=1 && shift && continue ;;
		*) die "up: no option '$1'" ;;
		esac
		shift 2
	done
	count --nodes "$nodes" 1 200
	count --cpus "$cpus" 1 256
	count --cap "$cap" 0 25600
	count --weight "$weight" 1 10000
	[[ $name =~ ^[a-z][a-z0-9_-]{0,30}$ ]] || die "bad name '$name'"
	[[ -z $plugins || -d $plugins ]] || die "no directory $plugins"
	[[ $select == off || ($select == on && -d $plugins/select) ]] ||
		die "--select is on or off, and on needs PATH/select"
	local file
	for file in ${plugstack:+"$plugstack"} ${confs[@]+"${confs[@]}"}; do
		[[ -r $file ]] || die "cannot read $file"
	done
}

# up_subnet: choose a free one. 198.18.0.0/15 is for tests of network devices:
# nobody's real network. The route keeps packets that lost their way at home,
# and adding it is also the reservation.
up_subnet()
{
	local i

	for ((i = 0; i < 256; i++)); do
		prefix=198.18.$i
		subnet=$prefix.0/24
		if ip route add unreachable "$subnet" 2>/dev/null; then
			resource route "$subnet"
			return 0
		fi
	done
	die "no free subnet: are there 256 clusters?"
}

up_directories()
{
	((keep_state)) || rm -rf "$dir/state" "$dir/node"
	rm -rf "$dir/log" "$dir/run"
	mkdir -p "$dir"/{etc,log,run,state,node}
	base=$(mktemp -d /run/little.XXXXXX)
	resource base "$base"
	chmod 755 "$base" "$dir" "$dir"/{etc,log,run,state,node}
	mkdir "$base"/{dir,plugins,empty}
}

# shellcheck disable=SC2034 # state_save and others read them
cmd_up()
{
	local name=little nodes=4 cpus=4 cap=40 weight=100
	local base='' subnet='' prefix=''
	local plugins='' select=off wrap='' plugstack='' confs=() keep_state=0
	local machine

	need_root
	(($#)) || die "up: which DIR?"
	dir=$(realpath -m -- "$1")
	shift
	up_options "$@"
	if [[ -f $dir/run/resources ]]; then
		! machine_pid ctl >/dev/null || die "$dir is up already"
		down
	fi
	up_directories
	up_subnet
	state_save
	cap_make_all
	conf_write "$plugstack" ${confs[@]+"${confs[@]}"}
	for machine in $(machines); do
		machine_hold "$machine"
	done
	for machine in $(machines); do
		machine_wait "$machine"
	done
	machine_bridge
	# shellcheck disable=SC2046 # names have no blanks
	machine_plug $(machines | tail -n +2)
	start_munged
	start_slurmctld
	for machine in $(machines | tail -n +2); do
		start_slurmd "$machine" &
	done
	ctld_wait
	# shellcheck disable=SC2046
	nodes_wait $(machines | tail -n +2)
}

# end_gently: let all daemons end by themselves, at most 20 s: those that count
# what they run, for coverage, write it then
end_gently()
{
	local machine first

	for machine in $(machines); do
		first=$(machine_pid "$machine") || continue
		# shellcheck disable=SC2046 # numbers
		kill $(machine_pids "$machine" | grep -vx "$first") \
			2>/dev/null ||
			true
	done
	wait_for 20 all_ended || true
}

# all_ended: is nothing left in the machines but their first processes?
all_ended()
{
	local machine

	for machine in $(machines); do
		(($(machine_pids "$machine" | wc -l) <= 1)) || return 1
	done
}

# down: end the cluster in $dir. What was made last goes first.
down()
{
	local kind value pid file

	if [[ -n ${CLUSTER_GENTLE-} ]] && machine_pid ctl >/dev/null; then
		# shellcheck disable=SC1091
		. "$dir/run/settings"
		end_gently
	fi
	for file in "$dir"/run/*.pid; do
		machine=${file##*/}
		pid=$(machine_pid "${machine%.pid}") || continue
		machine_off "$pid"
	done
	while read -r kind value; do
		case $kind in
		cgroup) cap_remove "$value" ;;
		route) ip route del unreachable "$value" 2>/dev/null || true ;;
		base)
			[[ $value == /run/little.* ]] || die "bad base $value"
			rm -rf --one-file-system -- "$value"
			;;
		esac
	done < <(tac "$dir/run/resources")
	rm -f "$dir/run/resources" "$dir/run/settings" "$dir"/run/*.pid
}

cmd_down()
{
	need_root
	(($# == 1)) || die "down: which DIR?"
	dir=$(realpath -m -- "$1")
	[[ -f $dir/run/resources ]] || return 0
	down
}

# user_option ARG...: take -u USER from the front; sets $become and $skip
user_option()
{
	become=()
	skip=0
	[[ ${1:-} == -u ]] || return 0
	(($# >= 2)) || die "-u needs a user"
	skip=2
	local gid
	if gid=$(id -g -- "$2" 2>/dev/null); then
		become=(setpriv "--reuid=$2" "--regid=$gid" --init-groups --)
	elif [[ $2 =~ ^[0-9]+$ ]]; then
		become=(setpriv "--reuid=$2" "--regid=$2" --clear-groups --)
	else
		die "no user '$2'"
	fi
}

# inside MACHINE CMD...: replace this shell by CMD there, as a user would see it
inside()
{
	local machine=$1

	shift
	(($#)) || die "which command?"
	[[ $machine == ctl ]] || cap_join "$machine"
	export SLURM_CONF=$base/dir/etc/slurm.conf
	export MUNGE_SOCKET=$base/munge.sock
	enter "$machine" ${become[@]+"${become[@]}"} "$@"
}

cmd_run()
{
	local become skip

	user_option "$@"
	shift "$skip"
	state_open "$@"
	shift
	inside ctl "$@"
}

cmd_node()
{
	local become skip

	user_option "$@"
	shift "$skip"
	state_open "$@"
	(($# >= 2)) || die "which node?"
	check_node "$2"
	shift
	inside "$@"
}

# The name in argv[0] by which `load` knows its own.
load_name=cluster-load

cmd_load()
{
	local node pid word k

	state_open "$@"
	(($# == 3)) || die "usage: cluster load DIR NODE K"
	node=$2
	check_node "$node"
	count K "$3" 0 1000
	for pid in $(machine_pids "$node"); do
		{ read -r -d '' word <"/proc/$pid/cmdline"; } 2>/dev/null ||
			continue
		[[ $word != "$load_name" ]] ||
			kill -9 "$pid" 2>/dev/null || true
	done
	for ((k = 0; k < $3; k++)); do
		spawn "$node" bash -c \
			"exec -a $load_name bash -c 'while :; do :; done'"
	done
}

cmd_stop_node()
{
	local pid

	state_open "$@"
	check_node "${2:-}"
	pid=$(machine_pid "$2") || die "$2 is off already"
	machine_off "$pid"
	machine_unplug "$2"
}

cmd_start_node()
{
	state_open "$@"
	check_node "${2:-}"
	! machine_pid "$2" >/dev/null || die "$2 is on already"
	machine_unplug "$2"
	machine_hold "$2"
	machine_wait "$2"
	machine_plug "$2"
	start_slurmd "$2"
	nodes_wait "$2"
}

cmd_restart_ctld()
{
	local pid signal=TERM

	[[ ${1:-} != -9 ]] || { signal=KILL && shift; }
	state_open "$@"
	if pid=$(ctld_pid); then
		kill "-$signal" "$pid"
		wait_for 60 test ! -e "/proc/$pid" ||
			die "slurmctld does not end"
	fi
	start_slurmctld
	ctld_wait
	wait_for 20 nodes_known ||
		die "nodes do not answer: see $dir/log/slurmctld.log"
}

cmd_pids()
{
	local machine pid

	state_open "$@"
	for machine in $(machines); do
		for pid in $(machine_pids "$machine"); do
			printf '%s %s %s\n' "$machine" "$pid" \
				"$(tr '\0' ' ' 2>/dev/null \
					<"/proc/$pid/cmdline")"
		done
	done
}

cmd_env()
{
	state_open "$@"
	printf 'export %s=%q\n' SLURM_CONF "$base/dir/etc/slurm.conf" \
		MUNGE_SOCKET "$base/munge.sock" \
		CLUSTER_DIR "$dir" CLUSTER_BASE "$base" CLUSTER_NAME "$name" \
		CLUSTER_NODES "$nodes" CLUSTER_SUBNET "$subnet"
}
