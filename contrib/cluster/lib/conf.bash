# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# conf.bash - the files in DIR/etc: slurm.conf, hosts, munge.key
#
# Inside the namespaces DIR is also mounted at $base/dir, which is short (a
# socket's path has at most 107 bytes) and open to every user (DIR may be below
# a home directory that is not).  The files name that place.

# conf_slurm_dir: where this machine's Slurm has its own plugins
conf_slurm_dir()
{
	local plugin

	for plugin in /usr/lib/*/slurm-wlm/select_cons_tres.so \
		/usr/lib/*/slurm/select_cons_tres.so \
		/usr/lib{64,}/slurm/select_cons_tres.so \
		/usr/local/lib/slurm/select_cons_tres.so; do
		if [[ -e $plugin ]]; then
			dirname "$plugin"
			return 0
		fi
	done
	die "cannot find Slurm's plugins"
}

conf_defaults()
{
	local top=$base/dir

	cat <<END
ClusterName=$name
SlurmctldHost=ctl
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$base/munge.sock
CredType=cred/munge
StateSaveLocation=$top/state
SlurmdSpoolDir=$top/node/%n/spool
TmpFS=$top/node/%n
SlurmctldPidFile=$top/run/slurmctld.pid
SlurmdPidFile=$top/node/%n/slurmd.pid
SlurmctldLogFile=$top/log/slurmctld.log
SlurmdLogFile=$top/log/slurmd-%n.log
SlurmctldDebug=info
SlurmdDebug=info
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=5
SlurmdParameters=config_overrides
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
ReturnToService=2
MinJobAge=300
SlurmdTimeout=15
SlurmctldTimeout=15
KillWait=3
InactiveLimit=0
DefMemPerCPU=100
NodeName=n[1-$nodes] CPUs=$cpus RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=n[1-$nodes] Default=YES State=UP
PartitionName=debug Nodes=n[1-$nodes] State=UP
END
	if [[ -n $plugins ]]; then
		local first=
		[[ $select == off ]] || first=$base/plugins/select:
		echo "PluginDir=$first$base/plugins:$(conf_slurm_dir)"
	fi
	if [[ -e $dir/etc/plugstack.conf ]]; then
		echo "PlugStackConfig=$top/etc/plugstack.conf"
	fi
}

# conf_slurm FILE...: slurm.conf; a default goes when a FILE sets the same key,
# because Slurm complains of keys that it sees twice
conf_slurm()
{
	local extra

	echo "# written by cluster up"
	extra=$( (($# == 0)) || awk 1 "$@")
	conf_defaults | awk -v extra="$extra" '
		function key(line) {
			sub(/^[ \t]*/, "", line)
			if (line ~ /^(partition|node)name=/)
				sub(/[ \t].*/, "", line)
			else
				sub(/[ \t]*=.*/, "", line)
			return line
		}
		BEGIN {
			n = split(tolower(extra), line, "\n")
			for (i = 1; i <= n; i++)
				if (line[i] !~ /^[ \t]*(#|$)/)
					set[key(line[i])] = 1
		}
		!(key(tolower($0)) in set)'
	echo "$extra"
}

conf_hosts()
{
	local i

	echo "127.0.0.1 localhost"
	echo "::1 localhost ip6-localhost ip6-loopback"
	echo "$prefix.1 ctl"
	for ((i = 1; i <= nodes; i++)); do
		echo "$prefix.$((10 + i)) n$i"
	done
}

# conf_write PLUGSTACK FILE...: fill DIR/etc
conf_write()
{
	local plugstack=$1

	shift
	rm -f "$dir/etc/plugstack.conf"
	[[ -z $plugstack ]] || cp -- "$plugstack" "$dir/etc/plugstack.conf"
	conf_hosts >"$dir/etc/hosts"
	: >"$dir/etc/resolv.conf" # nobody asks a name server
	conf_slurm "$@" >"$dir/etc/slurm.conf"
	chmod 644 "$dir"/etc/*
	rm -f "$dir/etc/munge.key"
	(umask 077 && head -c 128 /dev/urandom >"$dir/etc/munge.key")
}
