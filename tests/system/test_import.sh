#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_import.sh - past jobs into a real PostgreSQL and out again
#
# From files of both formats, and from a real sacct that asks a real slurmdbd
# on a real MariaDB, all of them private.
#
# usage: test_import.sh [BUILD]
# shellcheck disable=SC2317 # functions are called by trap and check
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
postgres=$top/contrib/cluster/postgres
build=$(realpath -- "${1:-build}")
dir=$build/import
port=$((20000 + $$ % 5000 * 2)) # and the next
failed=0
run='' predictd='' pids=()

finish() {
	local status=$? pid

	for pid in $predictd "${pids[@]}"; do
		kill "$pid" 2>/dev/null || :
	done
	wait
	"$postgres" down "$dir/postgres" >/dev/null 2>&1 || status=1
	[[ -z $run ]] || rm -rf --one-file-system -- "$run"
	exit "$status"
}

# expect NAME STATUS PATTERN COMMAND...: its exit status, and that all lines of
# PATTERN (regular expressions) are found in what it prints
expect() {
	local name=$1 status=$2 patterns=$3 got=0 text pattern

	shift 3
	text=$("$@" 2>&1) || got=$?
	if ((got != status)); then
		echo "not ok import_$name - exit status $got, not $status"
		printf '%s\n' "$text" | head -n 20 | sed 's/^/# /'
		failed=1
		return
	fi
	while read -r pattern; do
		grep -qE -- "$pattern" <<<"$text" || {
			echo "not ok import_$name - no line like: $pattern"
			printf '%s\n' "$text" | head -n 20 | sed 's/^/# /'
			failed=1
			return
		}
	done <<<"$patterns"
	echo "ok import_$name"
}
spredict() { "$build/bin/spredict" "$@"; }
sql() { psql -XAtq "$conninfo" -c "$1"; }

# shellcheck source=until.bash
. "$here/until.bash"
is_ready() {
	curl -sf -o /dev/null --unix-socket "$run/socket" http://x/readyz
}

start_predictd() {
	"$build/sbin/predictd" -D -f "$dir/predict.conf" \
		2>>"$dir/predictd.log" &
	predictd=$!
	until_true 15 is_ready
}

make_swf() { # JOBS
	awk -v jobs="$1" 'BEGIN {
		srand(3)
		print "; Computer: a machine"
		print "; UnixStartTime: 1700000000"
		print "; MaxNodes: 32"
		print "; MaxProcs: 256"
		for (i = 1; i <= jobs; i++)
			print i, 60 * i, int(90 * rand()), \
				1 + int(exp(8 * rand())), 8, -1, -1, 8, 7200, \
				-1, rand() < 0.9, i % 17, i % 3, i % 29, 1, \
				-1, -1, -1
	}'
}

# --- Files --------------------------------------------------------------------

test_swf() {
	make_swf 12000 >"$dir/some.log.swf"
	{
		head -n 3000 "$dir/some.log.swf"
		echo "this is no job"
		echo "99999 5 1 -1 8 -1 -1 8 9 -1 5 1 1 1 1 1 -1 -1"
		tail -n +3001 "$dir/some.log.swf"
	} | xz >"$dir/some.log.swf.xz"
	expect dry_run 0 '^spredict: the jobs go to cluster some, named after
12000 jobs would be imported
^1 skipped
^1 bad lines' spredict import swf --dry-run "$dir/some.log.swf.xz"
	expect nothing_yet 0 '^0$' sql 'SELECT count(*) FROM predict.runs'
	expect swf 0 "^12000 jobs: 12000 new, 0 already there
xz:3001: has 4 fields|xz:3001: field 1: 'this' is no number" \
		spredict import swf "$dir/some.log.swf.xz"
	expect swf_again 0 '12000 jobs: 0 new, 12000 already there' \
		spredict import swf "$dir/some.log.swf"
	expect no_doubles 0 '^12000$' sql 'SELECT count(*) FROM predict.runs'
	expect cluster_from_name 0 '^some$' \
		sql 'SELECT name FROM predict.clusters'
	expect part_of_it 0 '^[0-9]+ jobs: [0-9]+ new
^[0-9]+ skipped: they ended at another time' \
		spredict -M part import swf --since 1700100000 \
		--until 1700200000 "$dir/some.log.swf"
}

applications_known() {
	spredict applications | grep -E 'exe2 +[^ ]+ +[1-9]'
}
test_learned() {
	until_true 20 applications_known || :
	expect learned 0 'exe2 +[^ ]+ +[1-9]' spredict applications
}

test_export() {
	expect export 0 '' spredict -M some export swf \
		--output "$dir/export.swf"
	expect exported 0 'MaxJobs: 12000
UnixStartTime: 1700000060
Executable: [0-9]+ exe' cat "$dir/export.swf"
	gzip -k "$dir/export.swf"
	expect round_trip 0 '^12000 jobs: 12000 new' \
		spredict -M again import swf "$dir/export.swf.gz"
	expect same_times 0 '^0$' sql "SELECT count(*) FROM (
		SELECT submitted_at, started_at, ended_at, cpus FROM
			predict.runs JOIN predict.clusters USING (cluster_id)
			WHERE name = 'some'
		EXCEPT ALL
		SELECT submitted_at, started_at, ended_at, cpus FROM
			predict.runs JOIN predict.clusters USING (cluster_id)
			WHERE name = 'again') AS missing"
	spredict -M some export swf --anonymize >"$dir/anonymous.swf"
	expect anonymous 1 '' grep -E 'exe|some|g1' "$dir/anonymous.swf"
}

# Suspended time is no run time, nor waiting.
test_suspended() {
	local file=$dir/suspended.sacct at=2026-04-01T

	printf '%s\n' "JobIDRaw|User|JobName|Submit|Start|End|Elapsed|Suspended|State" \
		"71|u|relax|${at}08:00:00|${at}08:00:07|${at}11:00:07|01:00:00|02:00:00|COMPLETED" \
		>"$file"
	expect suspended 0 '^1 jobs: 1 new' spredict -M rest import sacct "$file"
	expect suspended_swf 0 '^1 0 7 3600 ' spredict -M rest export swf
	# As an older release had stored it
	sql "UPDATE predict.runs SET suspended_s = 0,
		started_at = started_at + interval '2 hours'
		WHERE suspended_s = 7200"
	expect suspended_before 0 '^1 jobs: 0 new, 1 already' \
		spredict -M rest import sacct "$file"
}

# What steps used is kept, and advised from; not where a log has the request in
# its place.
test_use() {
	local file=$dir/use.sacct at=2026-04-02T i job

	echo "JobIDRaw|UID|JobName|Submit|Start|End|State|Timelimit|NNodes|NCPUS|NTasks|ReqMem|TotalCPU|MaxRSS|ConsumedEnergyRaw|TRESUsageInTot" \
		>"$file"
	for i in 1 2 3 4 5 6; do
		job=$((80 + i))
		echo "$job|4$((i > 3))|fit_$((i > 3))|${at}08:00:00|${at}0$i:00:07|${at}0$i:10:07|COMPLETED|60|1|4||8000M|||90000|"
		echo "$job.batch||batch|${at}08:00:00|${at}0$i:00:07|${at}0$i:10:07|COMPLETED||1|4|1||09:50.123|$((i > 3 ? 8000 : 1000 + i))M|5|gres/gpuutil=50"
	done >>"$file"
	expect use 0 '^6 jobs: 6 new' spredict -M used import sacct "$file"
	expect used 0 '^3\|590\|1003\|90000\|0.5$' sql "SELECT count(*),
		max(used_cpu_s), max(used_memory_mb), max(used_energy_j),
		max(used_gpus) FROM predict.runs JOIN predict.clusters
		USING (cluster_id) WHERE name = 'used' AND user_id = 40"
	expect use_report 0 ' 1003M +13 +-t [0-9:]+ --mem=2G -c 1$' \
		spredict -M used report --user 40 --since 2026-04-01
	expect use_is_request 1 '' grep -e --mem < <(
		spredict -M used report --user 41 --since 2026-04-01)
	# As SWF has it: fields 6 (of each processor) and 7 (KiB of each)
	printf '%s\n' '; MaxProcs: 8' '; MaxNodes: 2' \
		'9 0 5 600 4 100 262144 4 3600 -1 1 7 1 2 1 1 -1 -1' \
		>"$dir/used.swf"
	expect use_swf 0 '^1 jobs: 1 new' spredict import swf "$dir/used.swf"
	expect used_swf 0 '^400\|1024$' sql "SELECT used_cpu_s, used_memory_mb
		FROM predict.runs WHERE job_id = 9 AND user_id = 7"
}

test_refusals() {
	expect no_file 1 'nonexistent: No such file' \
		spredict import swf /nonexistent
	expect no_format 2 'format is missing' spredict import
	expect odd_format 2 'the format is sacct or swf' spredict import csv x
	expect odd_time 2 'bad time' spredict import sacct --since soon
	expect garbage 1 'must name the fields of sacct' \
		spredict -M x import sacct "$dir/predict.conf"
	for tool in gzip xz zstd bzip2; do
		"$tool" -c "$dir/some.log.swf" >"$dir/whole"
		expect "whole_$tool" 0 '^12000 jobs would be imported' \
			spredict -M x import swf --dry-run "$dir/whole"
		head -c 20000 "$dir/whole" >"$dir/cut"
		expect "cut_$tool" 1 "cut: the $tool data is truncated or dam" \
			spredict -M x import swf "$dir/cut"
		{ head -c 20000 "$dir/whole" && head -c 90000 /dev/zero; } \
			>"$dir/damaged"
		expect "damaged_$tool" 1 "damaged: the $tool data is" \
			spredict -M x import swf "$dir/damaged"
	done
	expect not_allowed 1 'forbidden|no permission' \
		setpriv --reuid=65534 --regid=65534 --clear-groups \
		env "PREDICTD_URL=$PREDICTD_URL" "$run/bin/spredict" -M x \
		import swf - <"$dir/some.log.swf"
	expect no_export 1 'forbidden: only for operators, whom Operators=' \
		setpriv --reuid=65534 --regid=65534 --clear-groups \
		env "PREDICTD_URL=$PREDICTD_URL" "$run/bin/spredict" export swf
}

# predictd goes away and comes back while an import is under way.
test_outage() {
	local importer before status=0

	make_swf 60000 >"$dir/more.swf"
	before=$(sql 'SELECT count(*) FROM predict.runs')
	spredict import swf "$dir/more.swf" >"$dir/outage.out" 2>&1 &
	importer=$!
	until_true 20 eval '(($(sql "SELECT count(*) FROM predict.runs") >
		before))' || :
	kill -9 "$predictd"
	wait "$predictd" 2>/dev/null || :
	sleep 1
	start_predictd
	wait "$importer" || status=$?
	expect outage 0 '^60000 jobs' cat "$dir/outage.out"
	expect outage_status 0 '^0$' echo "$status"
	expect outage_no_loss 0 "^$((before + 60000))\$" \
		sql 'SELECT count(*) FROM predict.runs'
}

# --- sacct --------------------------------------------------------------------

sacct_config() {
	cat >"$dir/slurmdbd.conf" <<-END
		AuthType=auth/munge
		AuthInfo=socket=$run/munge
		DbdHost=localhost
		DbdAddr=127.0.0.1
		DbdPort=$port
		SlurmUser=root
		LogFile=$dir/slurmdbd.log
		PidFile=$dir/slurmdbd.pid
		StorageType=accounting_storage/mysql
		StorageHost=127.0.0.1
		StoragePort=$((port + 1))
		StorageUser=slurm
		StoragePass=secret
		StorageLoc=acct
	END
	chmod 600 "$dir/slurmdbd.conf"
	cat >"$dir/slurm.conf" <<-END
		ClusterName=little
		SlurmctldHost=localhost
		AuthType=auth/munge
		AuthInfo=socket=$run/munge
		SlurmUser=root
		AccountingStorageType=accounting_storage/slurmdbd
		AccountingStorageHost=127.0.0.1
		AccountingStoragePort=$port
		AccountingStoragePass=$run/munge
	END
}

mysql_query() { mariadb --no-defaults -S "$run/mysql" -u root "$@"; }

start_mariadb() {
	mariadb-install-db --no-defaults --datadir="$dir/mysql" --user=root \
		--auth-root-authentication-method=normal --skip-test-db \
		>"$dir/mysql.log" 2>&1
	mariadbd --no-defaults --datadir="$dir/mysql" --socket="$run/mysql" \
		--bind-address=127.0.0.1 --port=$((port + 1)) --user=root \
		>>"$dir/mysql.log" 2>&1 &
	pids+=($!)
	until_true 30 mysql_query -e 'SELECT 1'
	mysql_query -e "CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'secret';
		GRANT ALL ON *.* TO slurm@'127.0.0.1';
		CREATE USER slurm@localhost IDENTIFIED BY 'secret';
		GRANT ALL ON *.* TO slurm@localhost"
}

# Slurm 24.11 ends where MariaDB 11.8 does not know a query of its first check.
is_broken() {
	grep -q 'fatal: _check_mysql_concat_is_sane' "$dir/slurmdbd.out"
}
sacctmgr_or_broken() { is_broken || sacctmgr -n show cluster; }

# Fails if this slurmdbd cannot use this MariaDB.
start_slurmdbd() {
	dd if=/dev/urandom of="$dir/munge.key" bs=32 count=4 2>/dev/null
	chmod 600 "$dir/munge.key"
	munged -F --key-file="$dir/munge.key" --socket="$run/munge" --force \
		--pid-file="$dir/munge.pid" --log-file="$dir/munge.log" \
		--seed-file="$dir/munge.seed" 2>/dev/null &
	pids+=($!)
	until_true 10 test -S "$run/munge"
	slurmdbd -D >"$dir/slurmdbd.out" 2>&1 &
	pids+=($!)
	until_true 30 sacctmgr_or_broken
	! is_broken || return 1
	sacctmgr -i add cluster little >/dev/null
}

# Jobs of the last ten days, as slurmctld would have reported them.
fill_slurmdbd() {
	awk -v now="$(date +%s)" 'BEGIN {
		srand(5)
		split("relax|nbody_12", names, "|")
		names[3] = "a|b"
		names[4] = "x y"
		lines[1] = "sbatch -N2 relax.sh 8000"
		lines[2] = "srun nbody -n 4000"
		lines[3] = "sbatch --wrap x | y"
		lines[4] = "sbatch --wrap #!/bin/sh\\nx\\ny 5"
		split("3 4 5 6 7 11", states, " ")
		print "INSERT INTO little_job_table (cpus_req, account," \
			"job_name, id_assoc, id_array_job, id_array_task," \
			"id_resv, id_job, id_user, id_group, het_job_id," \
			"het_job_offset, nodelist, nodes_alloc," \
			"`partition`, priority, state, timelimit," \
			"time_submit, time_eligible, time_start, time_end," \
			"time_suspended, tres_alloc, tres_req, submit_line, id_wckey," \
			"state_reason_prev) VALUES"
		for (i = 1; i <= 5000; i++) {
			submit = now - 864000 + int(i * 800000 / 5000)
			start = submit + int(3000 * rand())
			ran = 1 + int(exp(9 * rand()))
			printf "(16, \"chem\", \"%s\", 1, %d, %u, 0, %d," \
				"%d, 100, 0, 0, \"n[1-2]\", 2, \"main\", 1," \
				"%d, 120, %d, %d, %d, %d, %d," \
				"\"1=16,2=32000,4=2\", \"1=16,2=32000,4=2\"," \
				"\"%s\", 0, 0)%s\n", names[i % 4 + 1],
				(i % 10 > 7 ? i - i % 10 + 1 : 0),
				(i % 10 > 7 ? i % 10 : 4294967294), i,
				1000 + i % 7, states[int(6 * rand()) + 1],
				submit, submit, start,
				start + ran, (i % 50 ? 0 : int(ran / 2)),
				lines[i % 4 + 1], (i < 5000 ? "," : ";")
		}
	}' | mysql_query acct
	# A step of each: 1000 s and 100 MiB on each of two nodes
	mysql_query acct -e "INSERT INTO little_step_table (job_db_inx, id_step,
		nodelist, nodes_alloc, state, step_name, task_cnt, time_start,
		time_end, user_sec, sys_sec, tres_alloc, tres_usage_in_max)
		SELECT job_db_inx, 0, nodelist, 2, 3, 'x', 2, time_start,
		time_end, 900, 100, '1=16', '2=104857600' FROM little_job_table"
}

test_sacct() {
	export SLURM_CONF=$dir/slurm.conf SLURM_TIME_FORMAT=relative
	sacct_config
	start_mariadb
	start_slurmdbd || {
		echo "# sacct is not tested: $(tail -n 1 "$dir/slurmdbd.out")"
		return
	}
	fill_slurmdbd
	expect sacct 0 '^5000 jobs: 5000 new, 0 already there' \
		spredict -M little import sacct --since now-12days
	expect sacct_goes_on 0 '^0 jobs: 0 new' \
		spredict -M little import sacct
	expect sacct_again 0 '^5000 jobs: 0 new, 5000 already there' \
		spredict -M little import sacct --since now-12days --restart
	unset SLURM_TIME_FORMAT
	sacct -a -X -P -M little --noconvert -S now-12days -E now \
		--state=CA,CD,F,NF,OOM,TO --format=ALL >"$dir/all.sacct"
	expect sacct_file 0 '^5000 jobs: 0 new, 5000 already there' \
		spredict -M little import sacct "$dir/all.sacct"
	expect sacct_application 0 '^relax.sh\|1250$' sql "SELECT a.name,
		count(*) FROM predict.runs JOIN predict.applications a
		USING (application_id) WHERE job_name = 'relax'
		GROUP BY a.name"
	expect sacct_parameters 0 '^1250$' sql "SELECT count(*)
		FROM predict.runs WHERE job_name = 'a|b'"
	expect sacct_suspended 0 '^100\|t$' sql "SELECT
		count(*) FILTER (WHERE suspended_s > 0) +
		count(*) FILTER (WHERE suspended_s = 0 AND job_id % 50 = 0),
		bool_and(started_at - submitted_at < interval '3000 s')
		FROM predict.runs JOIN predict.clusters USING (cluster_id)
		WHERE name = 'little'"
	expect sacct_use 0 '^5000\|1000\|100$' sql "SELECT count(*),
		avg(used_cpu_s), avg(used_memory_mb) FROM predict.runs
		JOIN predict.clusters USING (cluster_id) WHERE name = 'little'"
	expect sacct_gone 1 'sacct: error' \
		env SLURM_CONF=/nonexistent "$build/bin/spredict" -M little \
		import sacct --restart
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
run=$(mktemp -d /tmp/predict-import.XXXXXX)
chmod 755 "$run"
mkdir "$run/bin" # where any user finds it
cp "$build/bin/spredict" "$run/bin/"
cp -r "$build/libexec" "$run/"
conninfo=$("$postgres" up "$dir/postgres")
printf '%s\n' "Database=\"$conninfo\"" "SqlDir=$top/sql" \
	SlurmNodesInterval=0 \
	"Listen=unix:$run/socket" >"$dir/predict.conf"
"$build/sbin/predictd" -f "$dir/predict.conf" --migrate 2>"$dir/migrate.log"
export PREDICTD_URL=unix:$run/socket XDG_STATE_HOME=$dir
start_predictd

test_swf
test_learned
test_export
test_suspended
test_use
test_refusals
test_outage
test_sacct
exit $failed
