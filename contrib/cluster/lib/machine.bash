# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# machine.bash - virtual machines: the controller `ctl` and the nodes n1, n2...
#
# ctl has a bridge, br0, with address $prefix.1; node nK has eth0 with
# $prefix.(10+K), whose other end, vnK, is a port of the bridge.  They see each
# other and nothing else.

# machine_hold NAME: make its namespaces, without a network yet. Returns
# at once; machine_held succeeds once it is up.
machine_hold()
{
	rm -f "$dir/run/$1.pid"
	(
		close_files
		[[ $1 == ctl ]] || cap_join "$1"
		exec setsid unshare --net --uts --ipc --mount --pid --fork \
			"$here/lib/boot" "$1" "$dir" "$base" "$plugins" \
			</dev/null >>"$dir/log/boot-$1.log" 2>&1
	) &
}

machine_held()
{
	machine_pid "$1" >/dev/null
}

# machine_wait NAME: until it is held
machine_wait()
{
	wait_for 10 machine_held "$1" || {
		tail -n 5 "$dir/log/boot-$1.log" >&2
		die "$1 does not come up: see $dir/log/boot-$1.log"
	}
}

# netns NAME CMD...: CMD in the machine's network and nothing else of it
netns()
{
	local pid

	pid=$(machine_pid "$1") || die "$1 is off"
	shift
	nsenter -t "$pid" --net "$@"
}

# machine_bridge: the controller's network
machine_bridge()
{
	netns ctl ip -batch - <<-END
		link add br0 type bridge
		address add $prefix.1/24 dev br0
		link set br0 up
	END
}

# machine_plug NODE...: connect nodes to the bridge
machine_plug()
{
	local node pid

	for node; do
		pid=$(machine_pid "$node") || die "$node is off"
		echo "link add v$node type veth peer name eth0 netns $pid"
		echo "link set v$node master br0 up"
	done | netns ctl ip -batch -
	for node; do
		netns "$node" ip -batch - <<-END
			address add $prefix.$((10 + ${node#n}))/24 dev eth0
			link set eth0 up
		END
	done
}

# machine_unplug NODE: the link of a node that was powered off. It goes by
# itself, but some time later, and its name is wanted again.
machine_unplug()
{
	netns ctl ip link del "v$1" 2>/dev/null || true
}

# enter NAME CMD...: CMD in all namespaces of the machine, in this directory.
# Its root is taken over, too, because all this may run in a chroot.
enter()
{
	local pid

	pid=$(machine_pid "$1") || die "$1 is off"
	shift
	nsenter -t "$pid" --net --uts --ipc --mount --pid --root \
		env -C "$PWD" -- "$@"
}

# spawn NAME CMD...: start a daemon there, with a clean environment; errors it
# prints go to DIR/log/NAME.err
spawn()
{
	local machine=$1

	shift
	(
		cd /
		close_files
		[[ $machine == ctl ]] || cap_join "$machine"
		enter "$machine" env -i HOME=/root LANG=C \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			setsid -f "$@" </dev/null >/dev/null \
			2>>"$dir/log/$machine.err"
	)
}

# machine_off PID: kill everything in the machine whose first process this is
machine_off()
{
	kill -9 "$1" 2>/dev/null || return 0
	wait_for 10 test ! -e "/proc/$1" ||
		die "process $1 does not die"
}

# machine_pids NAME: the host's pids of all its processes
machine_pids()
{
	local pid proc

	pid=$(machine_pid "$1") || return 0
	for proc in /proc/[0-9]*; do
		if [[ $proc/ns/pid -ef /proc/$pid/ns/pid ]]; then
			echo "${proc#/proc/}"
		fi
	done
}
