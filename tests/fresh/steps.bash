# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2016,SC2317
# steps.bash - README's "Install it" on one host, step by step
#
# Commands and lines of configuration are those of README's code blocks.  What
# README leaves to the admin (an address, restarts) is done here.  Who has this
# defines the filter `adapt`: README's commands as they are on that system.
# systemd runs there.

# shellcheck disable=SC2034 # the exit status of who has this
failed=0
id=0 # of the last job
conf=/etc/slurm/slurm.conf
spredict=${spredict:-/usr/local/bin/spredict}
readme=${readme:-README.md}

check() { # NAME COMMAND...
	local name=$1

	shift
	if "$@" >/tmp/check.out 2>&1; then
		echo "ok install_$name"
	else
		echo "not ok install_$name"
		sed 's/^/# /' /tmp/check.out
		failed=1
	fi
}

# readme STEP [BLOCK]: the code of a step; blocks are separated by text or by an
# empty line, and count from 1
readme() {
	awk -v step="$1" -v block="${2:-1}" '
	/^## / { here = $0 == "## Install it" }
	here && /^ ?[0-9]+\. \*\*/ { at = $1 + 0; count = 0; code = 0 }
	here && at == step {
		if ($0 ~ /^        [^ ]|^            /) {
			count += !code
			code = 1
			if (count == block)
				print substr($0, 9)
		} else {
			code = 0
		}
	}' "$readme" | adapt
}

# follow STEP [BLOCK]: run that code, as root's shell would
follow() {
	local code

	code=$(readme "$@")
	[ -n "$code" ] || { echo "not ok: README has no step $*"; exit 1; }
	printf '    %s\n' "${code//$'\n'/$'\n'    }"
	bash -euc "$code" || { echo "not ok install_step_$1: it fails"; exit 1; }
	echo "ok install_step_$1"
}

until_true() { # SECONDS COMMAND...
	local end=$((SECONDS + $1))

	shift
	until "$@" >/dev/null 2>&1; do
		((SECONDS < end)) || return 1
		sleep 0.2
	done
}

# set_key FILE KEY VALUE
set_key() {
	sed -i "/^#\?$2=/d" "$1"
	echo "$2=$3" >>"$1"
}

# A site before us: nothing here is of README.
site_up() {
	# Slurm finds no host when there is nothing but the loopback.
	ip link set lo up
	ip link add site0 type veth peer name site1
	ip address add 192.0.2.1/24 dev site0
	ip link set site0 up
	ip link set site1 up
	hostname ctl
	printf '%s\n' "127.0.0.1 localhost" "192.0.2.1 ctl" >/etc/hosts
	useradd --create-home alice
	install -d -o slurm -g slurm /var/lib/slurm/slurmctld /var/log/slurm
	cat >"$conf" <<-END
	ClusterName=walk
	SlurmctldHost=ctl
	SlurmUser=slurm
	AuthType=auth/munge
	StateSaveLocation=/var/lib/slurm/slurmctld
	SlurmdSpoolDir=/var/lib/slurm/slurmd
	SlurmctldLogFile=/var/log/slurm/slurmctld.log
	SlurmdLogFile=/var/log/slurm/slurmd.log
	SlurmctldPidFile=/run/slurmctld.pid
	SlurmdPidFile=/run/slurmd.pid
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	JobAcctGatherType=jobacct_gather/linux
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core
	SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
	ReturnToService=2
	SlurmdParameters=config_overrides
	NodeName=ctl CPUs=2 State=UNKNOWN
	PartitionName=debug Nodes=ctl Default=YES State=UP
	END
	: >/etc/slurm/plugstack.conf
	systemctl start munge postgresql
	systemctl restart slurmctld slurmd
	until_true 30 eval '[ "$(sinfo -h -o %T)" = idle ]' || {
		sinfo
		tail -n 5 /var/log/slurm/*.log
		exit 1
	}
	check site_runs_jobs job
	check slurmctld_is_slurm pgrep -u slurm slurmctld
}

# job [OPTION]...: alice runs one; what sbatch printed is in /tmp/sbatch.out
job() {
	# shellcheck disable=SC2024 # a file of root's
	(cd /tmp && sudo -u alice sbatch -o /dev/null "$@" --wrap 'sleep 1.5') \
		>/tmp/sbatch.out 2>&1 || { cat /tmp/sbatch.out; return 1; }
	id=$(sed -n 's/.*batch job //p' /tmp/sbatch.out)
	until_true 30 eval 'scontrol show job $id | grep -q JobState=COMPLETED'
}

has_id() { scontrol show job "$id" | grep -q 'AdminComment=predict='; }
predictd_knows() { "$spredict" job "$id" | grep -qi completed; }

# Steps 2 to 11.
site_steps() {
	follow 2
	set_key /etc/slurm-predict/predict.conf Listen 192.0.2.1:7380
	echo "Listen=unix:/run/slurm-predict/predictd.sock" \
		>>/etc/slurm-predict/predict.conf
	follow 3
	follow 4
	check ready until_true 30 curl -sf --unix-socket \
		/run/slurm-predict/predictd.sock http://localhost/readyz
	readme 5 >>/etc/slurm/plugstack.conf
	systemctl restart slurmd
	follow 6
	set_key /etc/slurm-predict/collectord.conf PredictdUrl \
		http://192.0.2.1:7380
	follow 6 2
	check node_listed until_true 60 eval "$spredict nodes | grep -q ctl"
	readme 7 >>"$conf"
	systemctl restart slurmctld
	until_true 30 scontrol ping
	check doctor "$spredict" doctor
	check doctor_json eval "$spredict doctor --json | jq -e '.checks | length > 8'"
	check doctor_of_user sudo -u alice "$spredict" doctor
	# As on a login node: without predictd's sockets.
	check other_host unshare -m sh -c "mount -t tmpfs none /run/slurm-predict &&
		$spredict nodes | grep -q ctl && $spredict doctor |
		grep -q 'http://192.0.2.1:7380 (SlurmctldHost .* is ready'"
	check observe job
	check observe_quiet eval '! grep -q predict: /tmp/sbatch.out'
	check observe_predicts has_id
	check recorded until_true 60 predictd_knows
	check accuracy "$spredict" accuracy --by=application
	sed -i 's/predict_mode=observe/predict_mode=advise/' "$conf"
	scontrol reconfigure
	sleep 1
	check advise job -t 5
	check advise_tells grep -q 'predict: ' /tmp/sbatch.out
	check advise_noted eval 'scontrol show job $id | grep -Eq \
		"AdminComment=predict=[0-9a-f]{16}:p50=[0-9.msh]+,p90="'
	sed -i "s|^PluginDir=.*|$(readme 11)|; s|:\.\.\.$|:$(readme 7 |
		sed -n 's/^PluginDir=.*://p')|" "$conf"
	systemctl restart slurmctld
	until_true 30 scontrol ping
	check place job
	check place_doctor "$spredict" doctor
	check place_loads grep -q 'predict: snapshots of nodes come from' \
		/var/log/slurm/slurmctld.log
	while IFS= read -r line; do
		check "${line// /_}" bash -c "${line/#spredict/$spredict}"
	done <tests/fresh/site-commands
	check nobody_refused eval '! journalctl -u predictd -u collectord | grep refused'
}
