#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_rehearse.sh - a day of a made-up log in a real slurmctld, with and
# without predict_plan
#
# Runs alone: its slurmctld has little time for a day.
#
# usage: test_rehearse.sh BUILD
#
# The order by limits is had in two ways, by priorities that the driver
# gives and by the site factors that job_submit/predict sets: the schedules
# must agree, and must not be that of the stock order.  The select plugin's
# predict_plan_reserve changes it again.  Then with a
# reservation of the whole machine and every fifth job heterogeneous: bars
# of what must not happen to any job.  Then a site's slurm.conf, and jobs of
# a log that belong together.
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:?usage: test_rehearse.sh BUILD}")
dir=$build/rehearse-test
rehearse=$here/../../predictor/backtest/rehearse/rehearse
export REHEARSE_PARTS=$build/lib/rehearse

test=rehearse
# shellcheck source=checks.bash
. "$here/checks.bash"

# check NAME WHAT-IS-WRONG COMMAND...: one test
# figure POLICY COLUMN: of the table of all jobs
figure() {
	awk -v policy="$1" -v column="$2" '
		$1 == "policy" { all = 1 }
		!NF { all = 0 }
		all && index($0, policy " ") == 1 {
			# "simulated easy" is two words.
			print $(column + NF - 9)
		}' "$dir/table"
}

near() { # A B SHARE
	awk -v a="$1" -v b="$2" -v share="$3" 'BEGIN {
		d = a > b ? a - b : b - a
		exit !(a != "" && b != "" && d <= share * b)
	}'
}
refuses() { ! "$rehearse" "$@" >"$dir/out" 2>&1; }
differ() { ! cmp -s <(cut -d' ' -f2 "$1") <(cut -d' ' -f2 "$2"); }
many() { ((jobs > 50)); }
all_done() {
	[[ $(figure "$1" 9) == 0.0 ]] &&
		(($(wc -l <"$dir/kept/$1.1/jobs") == jobs + 1))
}

rm -rf "$dir"
mkdir -p "$dir"
"$here/../bench/sample_swf.py" 3000 7 >"$dir/sample.swf"

check no_log "it goes on" refuses --swf="$dir/none.swf"
check no_policy "it goes on" refuses --swf="$dir/sample.swf" --policy=fastest
check no_policy_says "$(<"$dir/out")" grep -q 'fastest: no such policy' \
	"$dir/out"

late=''
[[ ! -e $build/lib/select/select_cons_tres.so ]] ||
	late=plan=5,24:predict_plan_reserve=20
"$rehearse" --swf="$dir/sample.swf" --days=1 --policy=easy --policy=stock \
	--policy=limit-order=5,24 --policy=plan=5,24 ${late:+--policy="$late"} \
	--policy=stock:bf_min_age_reserve=72000 --svg="$dir/queue.svg" \
	--keep="$dir/kept" >"$dir/table"
sed 's/^/# /' "$dir/table"

jobs=$(awk '{ print $1; exit }' "$dir/table")
check jobs "$jobs jobs" many
for policy in easy stock limit-order=5,24 plan=5,24; do
	check "${policy%%=*}" "jobs are lost or missing" all_done "$policy"
done
plan=$(figure plan=5,24 2) order=$(figure limit-order=5,24 2)
check plan_is_the_order "wait $plan and $order" near "$plan" "$order" .05
easy=$(figure easy 2) simulated=$(figure 'simulated easy' 2)
check simulator "wait $easy and $simulated" near "$easy" "$simulated" .3
check plan_orders "predict_plan changes nothing" differ \
	"$dir/kept/easy.1/jobs" "$dir/kept/plan=5,24.1/jobs"
if [[ $late ]]; then
	check reserve_all "jobs are lost or missing" all_done "$late"
	check reserve "predict_plan_reserve changes nothing" differ \
		"$dir/kept/plan=5,24.1/jobs" "$dir/kept/$late.1/jobs"
fi
own=stock:bf_min_age_reserve=72000
check own_parameters "$(cat "$dir"/kept/stock*/slurm.conf)" test \
	"$(grep -l ,bf_min_age_reserve=72000 "$dir"/kept/*/slurm.conf)" == \
	"$dir/kept/$own.1/slurm.conf"
check own_all "jobs are lost or missing" all_done "$own"
# After each end the main scheduler has its turn, as in life.
started() { grep -c "$1" "$dir/kept/easy.1/slurmctld.log"; }
main_sched=$(started 'sched: Allocate') backfill=$(started '_start_job: Started')
check main_scheduler "it started $main_sched, backfill $backfill" \
	test $((2 * main_sched)) -gt "$backfill"
check picture "there is none" grep -q '<polyline' "$dir/queue.svg"

# --- What must not happen -----------------------------------------------------

# overrun FOLDER: jobs that ran within two hours from noon on
overrun() {
	awk 'NR > 1 && $2 < 50400 && $3 > 43201.5 { n++ } END { print n + 0 }' \
		"$dir/$1/plan=42,2.1/jobs"
}
# harm NAME: of all policies
harm() {
	awk -v name="$1" '$1 == name { n += $2 } END { print n + 0 }' \
		"$dir"/traps/*/figures
}

"$rehearse" --swf="$dir/sample.swf" --days=1 --policy=plan=42,2 \
	--keep="$dir/free" >/dev/null
"$rehearse" --swf="$dir/sample.swf" --days=1 --policy=easy \
	--policy=plan=42,2 ${late:+--policy="${late/5,24/42,2}"} \
	--reserve=0.5,2 --het=5 --keep="$dir/traps" \
	>"$dir/table"
grep ' ended early' "$dir/table" | sed 's/^/# /'
check het "no job was heterogeneous" test "$(harm het)" -gt 20
check noon "the machine is idle without the reservation, too" \
	test "$(overrun free)" -gt 0
check reserved "$(overrun traps) jobs ran" test "$(overrun traps)" == 0
check same_jobs "jobs are missing" test "$(wc -l <"$dir/traps/plan=42,2.1/jobs")" \
	== $((jobs + 1))
for bar in early_kills:early_kills reservations_overrun:reservation_overrun \
	het_cut:het_cut; do
	value=$(harm "${bar#*:}")
	check "no_${bar%%:*}" "there were $value" test "$value" == 0
	echo "bar plan_${bar%%:*} $value"
done
check bad_reserve "it goes on" refuses --swf="$dir/sample.swf" --reserve=noon

# --- A site's slurm.conf ------------------------------------------------------

# Every fourth job is of queue 2, which is named in the header, and has half of
# the nodes and a limit of six hours.
awk 'NR == 1 { print "; Queue: 2 short" }
	/^;/ { print; next }
	{ $15 = NR % 4 ? 1 : 2; print }' "$dir/sample.swf" >"$dir/two.swf"
cat >"$dir/slurm.conf" <<-'END'
ClusterName=big
SlurmUser=slurm
StateSaveLocation=/nonexistent
AccountingStorageType=accounting_storage/slurmdbd
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=bf_interval=30,bf_continue,\
bf_window=2880
PriorityType=priority/multifactor
PriorityWeightAge=1000 # by age
PriorityWeightFairshare=10000
Include nodes.conf
END
cat >"$dir/nodes.conf" <<-'END'
NodeName=DEFAULT Sockets=2 CoresPerSocket=4 RealMemory=64000
NodeName=c[1-4] NodeAddr=10.1.0.[1-4] Gres=gpu:2 Feature=gpu
NodeName=c[5-8] NodeAddr=10.1.0.[5-8] Weight=5
PartitionName=long Nodes=ALL Default=YES MaxTime=UNLIMITED QOS=big
PartitionName=short Nodes=c[1-4] MaxTime=06:00:00 AllowAccounts=a
END
"$rehearse" --swf="$dir/two.swf" --slurm-conf="$dir/slurm.conf" --days=1 \
	--policy=stock --keep="$dir/site" >"$dir/table" 2>"$dir/out"
figures=$dir/site/stock.1/figures
site_jobs=$(($(wc -l <"$dir/site/stock.1/jobs") - 1))
refused=$(awk '$1 == "refused" { print $2 }' "$figures")
check site_misses "$(<"$dir/out")" \
	grep -q 'no PriorityWeightFairshare=10000' "$dir/out"
check site_conf "$(<"$dir/site/site.conf")" grep -q \
	'^SchedulerParameters=bf_interval=30,bf_continue,bf_window=2880$' \
	"$dir/site/site.conf"
check site_lines "of nodes or partitions" test "$(grep -ciE \
	'gres|10\.1\.|qos|allowacc|fairshare|slurmuser' "$dir/site/site.conf")" == 0
check site_cpus "$(head -n 1 "$dir/site/stock.1/jobs")" \
	grep -qx 'cpus 64' "$dir/site/stock.1/jobs"
check site_refused "$refused jobs" test "$refused" -gt 0
check site_jobs "$site_jobs and $refused of $jobs" \
	test $((site_jobs + refused)) == "$jobs"
check site_limit "a job of more than 6 h is in its partition" awk \
	'$9 ~ /^q2/ && $5 > 21600 { bad = 1 } END { exit bad }' \
	"$dir/site/stock.1/jobs"
# CPUs of the queue that are busy when one of its jobs starts.
most=$(awk '$9 ~ /^q2/ { s[++n] = $2; e[n] = $3; c[n] = $6 }
	END {
		for (i = 1; i <= n; i++) {
			busy = 0
			for (k = 1; k <= n; k++)
				if (s[k] <= s[i] && e[k] > s[i])
					busy += c[k]
			if (busy > most) most = busy
		}
		print most + 0
	}' "$dir/site/stock.1/jobs")
check site_partition "$most CPUs of 32" test "$most" -gt 0 -a "$most" -le 32
check site_by_partition "the report does not" grep -q '^q2/p1, ' "$dir/table"
# --- Jobs of a log that belong together ---------------------------------------

# of FOLDER RUNTIME FIELD: submit, start or end of the job with that run time
of() {
	awk -v runtime="$2" -v field="$3" '
		BEGIN { n["submit"] = 1; n["start"] = 2; n["end"] = 3 }
		NR > 1 && $4 == runtime { printf "%d\n", $n[field] }
	' "$dir/$1/stock.1/jobs"
}
figure_of() { awk -v n="$2" '$1 == n { print $2 }' "$dir/$1/stock.1/figures"; }
# The most tasks (run times of 500 to 599 s) at a time.
tasks_most() {
	awk 'NR > 1 && $4 >= 500 && $4 < 600 { s[++n] = $2; e[n] = $3 }
		END {
			for (i = 1; i <= n; i++) {
				now = 0
				for (k = 1; k <= n; k++)
					now += s[k] <= s[i] && e[k] > s[i]
				if (now > most) most = now
			}
			print most + 0
		}' "$dir/order/stock.1/jobs"
}

# sacct_line ID RAWID TIME RUNTIME CPUS QOS SUBMITLINE
sacct_line() {
	local at=2026-05-04T10:${3}:00

	printf '%s|%s|u7|1007|%s|%s|%s|%s|%d|60|%s|COMPLETED|%s\n' "$1" "$2" \
		"$6" "$at" "$at" "$(date -d "$at UTC + $4 seconds" -u +%FT%T)" \
		"$4" "$5" "$7"
}
{
	echo "JobID|JobIDRaw|User|UID|QOS|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|State|SubmitLine"
	sacct_line 100 100 00 1000 4 normal "sbatch a.sh"
	for task in 3 4 5 6 7 8; do
		sacct_line "200_$task" $((task == 8 ? 200 : 198 + task)) 01 \
			$((500 + 10 * task)) 2 normal "sbatch -a 3-8%2 b.sh"
	done
	sacct_line 300+0 300 02 700 4 normal "sbatch c.sh"
	sacct_line 300+1 301 02 690 2 normal "sbatch c.sh"
	sacct_line 310 310 03 301 2 high "sbatch --dependency=afterok:100 d.sh"
	sacct_line 311 311 04 302 2 normal "sbatch -d afterany:200:310 e.sh"
	sacct_line 312 312 05 303 2 normal "sbatch -d afterok:200_4 f.sh"
	sacct_line 313 313 06 304 2 normal "sbatch -d singleton g.sh"
	sacct_line 314 314 07 305 2 normal "sbatch -d after:100+10 h.sh"
} >"$dir/order.sacct"
TZ=UTC "$rehearse" --sacct="$dir/order.sacct" --cpus=16 --policy=stock \
	--keep="$dir/order" >"$dir/table"
head -n 4 "$dir/table" | sed 's/^/# /'
check order_says "$(head -n 3 "$dir/table")" grep -q '^of the log: 6 tasks of' \
	"$dir/table"
check order_left_out "$(head -n 3 "$dir/table")" grep -q "^left out: .* QOS," \
	"$dir/table"
check array "$(tasks_most) tasks at a time" test "$(tasks_most)" == 2
check array_order "a later task starts first" test \
	"$(of order 530 start)" -le "$(of order 580 start)"
check log_het "its components do not start together" test \
	"$(of order 700 start | uniq | wc -l)" == 1
check log_het_parts "there are not two" test "$(of order 700 start | wc -l)" == 2
check after_job "it does not wait for it" test "$(of order 301 start)" -ge \
	"$(of order 1000 end)"
check after_array "it does not wait for its last task" test \
	"$(of order 302 start)" -ge "$(of order 580 end)"
check after_task "it does not wait for it" test "$(of order 303 start)" -ge \
	"$(of order 540 end)"
check after_task_only "it waits for more" test "$(of order 303 start)" -lt \
	"$(of order 580 end)"
check after_start "it does not wait for ten minutes" test \
	"$(of order 305 start)" -ge $(($(of order 1000 start) + 600))
check dependency_no_wait "what it depends on counts as waiting" test \
	$(($(of order 302 start) - $(of order 302 submit))) -lt 120
check order_all "jobs are lost" test "$(figure_of order early_kills)" == 0

# What it cannot use is left out, and said; a job without a limit has the
# longest, so that nothing can start in front of job 3.
cat >"$dir/odd.swf" <<-'END'
; MaxProcs: 8
1 0 0 900 4 -1 -1 4 1200 -1 1 1 1 1 1 -1 -1 -1
2 10 0 901 9 -1 -1 9 3600 -1 1 1 1 1 1 -1 -1 -1
3 300 0 902 8 -1 -1 8 3600 -1 1 2 1 1 1 -1 -1 -1
4 400 0 103 4 -1 -1 4 -1 -1 1 3 1 1 1 -1 -1 -1
5 500 0 0 1 -1 -1 1 600 -1 1 1 1 1 1 -1 -1 -1
6 500 -1 -1 1 -1 -1 1 600 -1 5 1 1 1 1 -1 -1 -1
END
"$rehearse" --swf="$dir/odd.swf" --policy=stock --keep="$dir/odd" >"$dir/table"
check odd_left_out "$(head -n 3 "$dir/table")" grep -q \
	'^left out: 1 jobs larger than the machine, 2 jobs of the log that ' \
	"$dir/table"
check odd_said "$(head -n 3 "$dir/table")" grep -q \
	'^jobs not as in the log: 1 without a limit, ' "$dir/table"
check odd_jobs "jobs are lost" test "$(wc -l <"$dir/odd/stock.1/jobs")" == 4
check odd_limit "job 4 starts in front of job 3" test \
	"$(of odd 103 start)" -ge "$(of odd 902 end)"

# Queue 2 preempts queue 1; job 3 depends on job 2, and the user of job 4
# submits it 700 s after the end of that.
cat >"$dir/preempt.swf" <<-'END'
; MaxProcs: 8
1 0 0 3001 8 -1 -1 8 3600 -1 1 1 1 1 1 -1 -1 -1
2 600 0 502 4 -1 -1 4 3600 -1 1 2 1 1 2 -1 -1 -1
3 700 0 203 8 -1 -1 8 3600 -1 1 3 1 1 1 -1 2 -1
4 800 0 104 1 -1 -1 1 600 -1 1 2 1 1 2 -1 2 700
; Queue: 1 low
; Queue: 2 high
END
for mode in REQUEUE SUSPEND,GANG; do
	cat >"$dir/slurm.conf" <<-END
	NodeName=n[1-8] CPUs=1
	PreemptMode=$mode
	PreemptType=preempt/partition_prio
	PartitionName=low Nodes=ALL Default=YES MaxTime=UNLIMITED PriorityTier=1
	PartitionName=high Nodes=ALL MaxTime=UNLIMITED PriorityTier=10
	SelectTypeParameters=CR_CPU
	END
	name=preempt_${mode%,*}
	"$rehearse" --swf="$dir/preempt.swf" --slurm-conf="$dir/slurm.conf" \
		--policy=stock --keep="$dir/$name" >"$dir/table" 2>"$dir/out"
	check "$name" "$(<"$dir/table")" grep -q ', 1 preempted$' "$dir/table"
	check "${name}_starts" "job 2 waits for job 1" test \
		"$(of "$name" 502 start)" -lt "$(of "$name" 3001 end)"
	check "${name}_ends" "job 1 has not run for its time" test \
		"$(figure_of "$name" early_kills)" == 0
	check "${name}_think" "$(of "$name" 104 submit) s" test \
		"$(of "$name" 104 submit)" -ge $(($(of "$name" 502 end) + 699))
	check "${name}_after" "job 3 does not wait for job 2" test \
		"$(of "$name" 203 submit)" -ge "$(of "$name" 502 end)"
done
check preempt_again "job 1 does not run again" test \
	"$(of preempt_REQUEUE 3001 start)" -gt "$(of preempt_REQUEUE 502 start)"
# --- A site's shares and QOS --------------------------------------------------

# has_accounting: the programs that it needs; slurmdbd of Debian 13 refuses
# its MariaDB
has_accounting() {
	local program

	for program in mariadbd mariadb-install-db slurmdbd; do
		PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null ||
			return 1
	done
}
is_broken() {
	grep -qs '_check_mysql_concat_is_sane' "$dir/out"
}
# The first N starts of a rehearsal, and of these those of a user
starts_of() { # N USER
	awk 'NR > 1 { print $2, $7 }' "$dir/shares/stock.1/jobs" | sort -n |
		awk -v n="$1" -v user="$2" 'NR <= n && $2 == user { k++ }
			END { print k + 0 }'
}

# How many jobs start before the last one of the log, which runs for 598 s
qos_place() {
	awk 'NR > 1 { s[++n] = $2; if ($4 == 598) last = $2 }
		END {
			for (i = 1; i <= n; i++)
				k += s[i] < last
			print k + 0
		}' "$dir/shares/stock.1/jobs"
}

# Two accounts with shares of 1 and 4 submit forty jobs of the whole machine;
# the last one has a QOS of more priority.
{
	echo "JobID|User|UID|Account|QOS|Submit|Start|End|TimelimitRaw|AllocCPUS|State"
	for ((i = 0; i < 40; i++)); do
		user=$((i % 2 + 1))
		qos=normal
		((i < 39)) || qos=high
		at=2026-05-04T10:00:$(printf %02d $i)
		printf '%s|v%s|100%s|a%s|%s|%s|%s|2026-05-04T10:10:%02d|15|8|COMPLETED\n' \
			$((100 + i)) $user $user $user $qos "$at" "$at" \
			$((i < 39 ? i : 37))
	done
} >"$dir/shares.sacct"
cat >"$dir/dump.cfg" <<-'END'
# To edit this file start with a cluster line for the new cluster
Cluster - 'big':Fairshare=1:QOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1
Account - 'a1':Description='a1':Organization='a1':Fairshare=1:GrpTRES=cpu=8,gres/gpu=2
Account - 'a2':Description='a2':Organization='a2':Fairshare=4:GrpTRES=gres/gpu=0
Parent - 'a1'
User - 'v1':DefaultAccount='a1':Fairshare=1
Parent - 'a2'
User - 'v2':DefaultAccount='a2':Fairshare=1:QOS='+high'
END
cat >"$dir/qos.txt" <<-'END'
Name|Priority|GraceTime|Preempt|PreemptMode|UsageFactor|GrpTRES|MaxTRESPU
normal|0|00:00:00||cluster|1.000000||
high|1000|00:00:30|normal|cluster|1.000000|cpu=64,gres/gpu=8|gres/gpu=2
END
cat >"$dir/slurm.conf" <<-'END'
NodeName=n[1-8] CPUs=1
PartitionName=all Nodes=ALL Default=YES MaxTime=UNLIMITED AllowQos=normal,high
SelectTypeParameters=CR_CPU
PriorityType=priority/multifactor
PriorityDecayHalfLife=7-0
PriorityWeightFairshare=10000
PriorityWeightQOS=100000
AccountingStorageEnforce=associations,limits,qos
END
check no_conf "it goes on" refuses --sacct="$dir/shares.sacct" --cpus=8 \
	--associations="$dir/dump.cfg"
if ! has_accounting; then
	echo "# shares are not tested: no slurmdbd, or no MariaDB"
elif ! TZ=UTC "$rehearse" --sacct="$dir/shares.sacct" --cpus=8 \
	--slurm-conf="$dir/slurm.conf" --associations="$dir/dump.cfg" \
	--qos="$dir/qos.txt" --policy=stock --keep="$dir/shares" \
	>"$dir/table" 2>"$dir/out" && is_broken; then
	echo "# shares are not tested: this slurmdbd cannot use this MariaDB"
else
	check shares_all "$(<"$dir/out")" test \
		"$(wc -l <"$dir/shares/stock.1/jobs")" == 41
	check shares "$(starts_of 15 1002) of 15 are of account a2" test \
		"$(starts_of 15 1002)" -ge 10
	check shares_of_few "$(starts_of 15 1001) of 15 are of account a1" test \
		"$(starts_of 15 1001)" -ge 2
	check qos "$(qos_place) jobs start before the one of the high QOS" test \
		"$(qos_place)" -le 2
	check shares_said "$(head -n 3 "$dir/table")" test \
		"$(grep -c '^left out' "$dir/table")" == 0
fi
((failed)) || rm -rf "$dir"
exit $failed
