#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_select.sh - what the select plugin costs the scheduler of a
# large cluster
#
# Two slurmctld in turn, one with Slurm's own select/cons_tres, one with our
# plugin before it and a snapshot of nodes of all kinds: 10,000 nodes that can
# be allocated but do not exist (State=CLOUD), 2,000 queued jobs of four kinds.
# They take turns at starting the queue, and the ratio of each round is taken by
# itself, so that other work on the machine disturbs both alike. A cycle's time
# is sdiag's; CPU time of slurmctld over the whole round is printed as well.
# Before that both are up side by side and take submissions in small batches.
#
# usage: bench_select.sh BUILD [ROUNDS [NODES [JOBS]]]
# shellcheck disable=SC2317 # functions are called by trap
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cluster=$here/../../contrib/cluster/cluster
build=$(realpath -- "${1:?usage: bench_select.sh BUILD [ROUNDS [NODES [JOBS]]]}")
rounds=${2:-3}
nodes=${3:-10000}
jobs=${4:-2000}
dir=$build/bench-select
BATCHES=15
server=

finish() {
	local status=$? variant

	[[ -z $server ]] || kill "$server" 2>/dev/null || :
	for variant in stock ours; do
		"$cluster" down "$dir/$variant" >/dev/null 2>&1 || status=1
	done
	[[ -z ${sockets-} ]] || rm -rf "$sockets"
	((status)) || rm -rf "$dir"
	exit "$status"
}

on() { "$cluster" run "$dir/$1" "${@:2}"; }

# A snapshot in which no node is like the next, and each job is known.
write_snapshot() {
	echo 'snapshot 3 abc 1 0 1700000000000 little'
	seq -f 'c%.0f' 1 "$nodes" | LC_ALL=C sort | awk -v jobs="$jobs" '
		BEGIN { srand(7) }
		{
			a = int(3000 + rand() * 7001)
			b = int(3000 + rand() * 7001)
			print "n", $1, int(rand() * 250), a, b, b, 100, \
				int(rand() * 4000), 10000, 64000, \
				int(1e6 * (1 + rand())), 50000, 400
		}
		END {
			for (i = 0; i < jobs; i++)
				printf "j %016x 2 2 32 0 0 600 500000 100000 " \
					"5000 1000000 100000 0 0 0 0 0\n", i + 1
			print "end", NR + jobs
		}'
}

write_conf() { # EXTRA-PARAMETERS
	cat <<-END
	SlurmctldDebug=$1
	SlurmctldParameters=$2
	SchedulerParameters=default_queue_depth=100,max_sched_time=49,sched_interval=3,sched_min_interval=1000000,bf_interval=300,max_array_tasks=3000
	MaxArraySize=4000
	MessageTimeout=100
	ResumeProgram=/bin/true
	SuspendProgram=/bin/true
	SuspendTime=INFINITE
	ResumeTimeout=60000
	ResumeRate=0
	NodeName=c[1-$nodes] CPUs=16 RealMemory=64000 State=CLOUD
	PartitionName=cloud Nodes=c[1-$nodes] State=DOWN MaxTime=60
	END
}

controller() { # VARIANT: its process
	"$cluster" pids "$dir/$1" | awk '$3 ~ /slurmctld$/ { print $2; exit }'
}
cpu_ticks() { awk '{ print $14 + $15 }' "/proc/${pid[$1]}/stat"; }
rss_kb() { awk '/^VmRSS/ { print $2 }' "/proc/${pid[$1]}/status"; }

queue() { # VARIANT: the jobs, in four arrays
	local shape id number=0

	for shape in '-N1 --exclusive' '-N2-4 --exclusive' '-n 40' \
		'-N4 -n8 --mem-per-cpu=1000'; do
		# shellcheck disable=SC2086 # several words
		id=$(on "$1" sbatch --parsable -p cloud -t 10 $shape \
			-o /dev/null --array "1-$((jobs / 4))" --wrap true)
		on "$1" scontrol update "jobid=$id" \
			"admincomment=predict=$(printf %016x $((++number)))"
	done
}

# cycles_us VARIANT: the time of all cycles of the main scheduler so far
cycles_us() {
	on "$1" sdiag | awk '/Main schedule/ { main = 1 }
		/Backfilling/ { main = 0 }
		main && /Total cycles:/ { n = $3 }
		main && /Mean cycle:/ { us = $3 }
		END { print n * us }'
}

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# A fresh slurmctld each time: to cancel jobs on nodes that do not exist
# is slow.
start() { # VARIANT
	"$cluster" up "$dir/$1" --nodes 1 --cap 0 --name little \
		--plugin-dir "$build/lib" --conf "$dir/$1.conf" \
		--select "$([[ $1 == ours ]] && echo on || echo off)"
	pid[$1]=$(controller "$1")
	[[ $1 == stock ]] || for _ in {1..200}; do
		! grep -q 'new snapshot' "$dir/ours/log/slurmctld.log" || break
		sleep 0.1
	done
	on "$1" scontrol setdebug error
}

# How fast a file system makes files after others were removed changes from
# minute to minute, and with the folder.
submissions() {
	local variant batch turn

	for variant in "${variants[@]}"; do start "$variant"; done
	for ((batch = 1; batch <= BATCHES; batch++)); do
		for turn in 0 1; do
			variant=${variants[(turn + batch) % 2]}
			rate[$variant]=$(on "$variant" \
				"$build/bin/submit-jobs" -n 300 |
				sed -n 's/.* per_s \([0-9.]*\) .*/\1/p')
		done
		echo "${rate[ours]} ${rate[stock]}" >>"$dir/rates"
	done
	for variant in "${variants[@]}"; do "$cluster" down "$dir/$variant"; done
}

round() { # VARIANT
	local before_ticks before_us waiting=1

	start "$1"
	queue "$1"
	before_ticks=$(cpu_ticks "$1")
	before_us=$(cycles_us "$1")
	on "$1" scontrol update partitionname=cloud state=up
	for ((waiting = 1; waiting > 0;)); do
		sleep 0.5
		waiting=$(on "$1" squeue -h -r -t PD -o %i | wc -l)
	done
	ticks[$1]=$(($(cpu_ticks "$1") - before_ticks))
	cycle[$1]=$(($(cycles_us "$1") - before_us))
	rss[$1]=$(rss_kb "$1")
	[[ $1 == stock ]] ||
		bytes=$(sed -n 's/.*new snapshot: .* \([0-9]*\) bytes.*/\1/p' \
			"$dir/ours/log/slurmctld.log" | tail -n 1)
	"$cluster" down "$dir/$1"
}

ratios() { # FILE COLUMN COLUMN
	awk -v a="$2" -v b="$3" '$a > 0 && $b > 0 { printf "%.3f\n", $a / $b }' \
		"$dir/$1" | median
}
column() { awk -v n="$2" '{ print $n }' "$dir/$1" | median; } # FILE COLUMN

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
sockets=$(mktemp -d /tmp/select.XXXXXX)
chmod 755 "$sockets"
write_snapshot >"$dir/snapshot"
"$here/../system/snapshots.py" "$sockets/predictd.sock" "$dir/snapshot" \
	>"$dir/server.out" &
server=$!
declare -A pid ticks cycle rate rss

write_conf error predict_mode=off >"$dir/stock.conf"
write_conf debug2 "predict_url=unix:$sockets/predictd.sock,predict_place=on" \
	>"$dir/ours.conf"
variants=(stock ours)
submissions
echo "submissions per second: ours $(column rates 1), stock $(column rates 2)"
for ((i = 1; i <= rounds; i++)); do
	for turn in 0 1; do
		round "${variants[(turn + i) % 2]}"
	done
	row="${cycle[ours]} ${cycle[stock]} ${ticks[ours]} ${ticks[stock]}"
	echo "$row" >>"$dir/rounds"
	echo "round $i: us in the scheduler, CPU ticks (ours, stock each): $row"
done
echo "memory in kB: ours ${rss[ours]}, stock ${rss[stock]}"
echo "CPU time of slurmctld, ours to stock: $(ratios rounds 3 4)"
echo "bar select_cycle_ratio $(ratios rounds 1 2)"
echo "bar select_snapshot_mb $(awk -v b="$bytes" 'BEGIN { printf "%.2f", b / 1e6 }')"
echo "bar select_rpc_ratio $(ratios rates 2 1)"
