#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_migrate.sh - both ways to the schema end alike, and no row is lost
#
# A new database gets schema.sql, an older one the steps that it lacks: schema,
# grants and roles are compared by pg_dump.  Databases with rows from step 17
# (release 0.1.0) and 28 are upgraded, and migrations are killed in the middle
# of a step.
#
# usage: test_migrate.sh [BUILD]
# shellcheck disable=SC2317 # functions are called by trap and check
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
test=migrate
# shellcheck source=predictd.bash
. "$here/predictd.bash"
begin
body=$dir/said # what is shown of a check that fails
host=${conninfo%% *}
host=${host#host=}

db() { psql -X -q -At -v ON_ERROR_STOP=1 -h "$host" -U postgres -d "$@"; }

# migrate DATABASE FOLDER: as README has it, with that folder of SQL
migrate() {
	echo "SqlDir=$2" >"$dir/$1.conf"
	"$build/sbin/predictd" -f "$dir/$1.conf" --migrate="host=$host \
user=postgres dbname=$1 options='-c role=predict_owner'" >"$body" 2>&1
}

# The owner may create roles, as in README.
create() {
	db postgres -c 'CREATE ROLE predict_owner CREATEROLE' 2>/dev/null
	db postgres -c "CREATE DATABASE $1 OWNER predict_owner ENCODING 'UTF8'
		TEMPLATE template0"
}

# Lines that differ each time are those of newer releases of pg_dump.
dump() {
	{
		pg_dump -h "$host" -U postgres --schema-only "$1"
		pg_dumpall -h "$host" -U postgres --roles-only
		db postgres -c "SELECT datacl FROM pg_database
			WHERE datname = '$1'"
	} | grep -v '^\\\(un\)\?restrict '
}

# The days of measurements are no part of the schema.
drop_days() {
	db "$1" -c "DO \$\$
		DECLARE day regclass;
		BEGIN
			FOR day IN SELECT oid FROM pg_class
					WHERE relispartition AND relkind = 'r' LOOP
				EXECUTE 'DROP TABLE ' || day;
			END LOOP;
		END \$\$"
}
same_schema() { diff "$dir/$1.dump" <(dump "$2") >"$body"; }

# The roles of the server, away.
forget() {
	db postgres -c "DROP DATABASE $1"
	db postgres -c 'DROP ROLE predict_daemon, predict_reader, predict_owner'
}

# steps_until LAST: a folder with the first steps only
steps_until() {
	local file

	mkdir -p "$dir/until_$1/steps"
	for file in "$top"/sql/steps/*.sql; do
		[[ $(basename "$file") > $(printf %04d $(($1 + 1))) ]] ||
			cp "$file" "$dir/until_$1/steps"
	done
}

# Something in each table of step 17.
fill() {
	db "$1" <<'END'
SET search_path = predict;
SELECT create_measurement_days(2) > 0;
INSERT INTO clusters (name) VALUES ('c1'), ('c2');
INSERT INTO applications (name) VALUES ('solver'), ('über');
INSERT INTO nodes (cluster_id, name) VALUES (1, 'n1'), (1, 'n2'), (2, 'n1');
INSERT INTO imports (sent, change) VALUES (2, NULL), (1, nextval('run_changes'));
INSERT INTO runs (change, cluster_id, application_id, job_id, array_job_id,
	array_task_id, user_id, user_name, account, partition, job_name,
	prediction_id, nodes, tasks, cpus, limit_s, node_list, started_at,
	ended_at, state, exit_code, exit_signal, nodes_known, cpu_load,
	parameter_names, parameter_values, import_id)
SELECT CASE WHEN i > 3 THEN nextval('run_changes') END, 1 + i % 2, 1 + i % 2, i,
	0, 0, 1000 + i % 3, 'u', 'a', 'p', 'it''s', 'p' || i, 2, 4, 4,
	CASE i WHEN 4 THEN 'Infinity' ELSE 600.5 END, 'n[1-2]',
	'2026-11-01 10:00+00', '2026-11-01 10:01:07.25+00', 'COMPLETED', 0, 0,
	2, .75, '{m,n}', '{-1.5,7e10}', CASE WHEN i <= 3 THEN 1 END
FROM generate_series(1, 12) i;
INSERT INTO run_shares (cluster_id, job_id, node_id, started_at, ended_at,
	cpu_s, exit_code, exit_signal, tasks)
SELECT 1, i, 1, '2026-11-01 10:00+00', '2026-11-01 10:01+00', 59.5, 0, 0, 2
FROM generate_series(1, 12) i;
INSERT INTO run_profiles (change, cluster_id, job_id, node_id, started_at,
	ended_at, source, tasks, busy_s, peer_names, peer_messages, peer_bytes,
	peer_count)
SELECT nextval('run_changes'), 1, i, 1, '2026-11-01 10:00+00',
	'2026-11-01 10:01+00', 1, 2, 30.25, '{n2}', '{100}', '{NULL}', 1
FROM generate_series(1, 5) i;
INSERT INTO predictions (prediction_id, stage, origin, made_at, mode,
	cluster_id, user_id, account, partition, job_name, application_id,
	nodes, tasks, cpus, assumed_nodes, nodes_known, basis, model, median_s,
	quantile, quantile_s, runs, knots_s, evidence_job_ids,
	evidence_runtimes_s, evidence_weights, candidate_models,
	candidate_medians_s)
SELECT 'p' || i, s, 7, '2026-11-01 09:59+00', 'advise', 1, 1001, 'a', 'p', 'j', 1,
	2, 4, 4, 'n[1-2]', 2, 'history', 'avg2', 66, .9, 80, 3, '{1,2}',
	'{1}', '{60}', '{1}', '{avg2,limit}', '{66,NULL}'
FROM generate_series(1, 12) i, unnest('{submission,start}'::text[]) s;
INSERT INTO measurements (node_id, measured_at, cpu_load, cpu_available)
SELECT 1, date_trunc('day', now()) + i * interval '5 s', i / 100.0, .5
FROM generate_series(0, 999) i;
INSERT INTO link_measurements (from_node_id, to_node_id, measured_at, latency_s)
SELECT 1, 2, date_trunc('day', now()) + i * interval '1 min', 1e-4
FROM generate_series(0, 9) i;
INSERT INTO measurements_5min (node_id, began_at, samples, cpu_load)
SELECT 1, date_trunc('day', now()), 60, .25;
END
}

# The rows of all tables, in the columns that there are now, as statements.
select_rows() {
	db "$1" -c "SELECT format('SELECT %L, ROW(%s)::text FROM predict.%I
			ORDER BY 2;', relname, string_agg(quote_ident(attname),
			', ' ORDER BY attnum), relname)
		FROM pg_class c JOIN pg_attribute ON attrelid = c.oid
		WHERE relnamespace = 'predict'::regnamespace AND attnum > 0
		AND relkind IN ('r', 'p') AND NOT relispartition
		AND NOT attisdropped AND relname <> 'schema_steps'
		GROUP BY relname ORDER BY relname" >"$dir/$1.select"
	db "$1" -f "$dir/$1.select" >"$dir/$1.rows"
}
same_rows() {
	(($(wc -l <"$dir/$1.rows") > 50)) &&
		db "$1" -f "$dir/$1.select" | diff "$dir/$1.rows" - >"$body"
}
# Nothing is known of predictions from before step 29.
rows_say_nothing() {
	[[ $(db "$1" -c "SELECT count(*), count(*) FILTER (WHERE unbounded = 0
			AND num_nonnulls(outside, unlike, unlike_runs,
			unlike_shortest_s, unlike_longest_s) = 0)
		FROM predict.prediction_details") == '24|24' ]]
}
steps_are() {
	[[ $(db "$1" -c "SELECT string_agg(step::text, ' ' ORDER BY step)
		FROM predict.schema_steps") == "$2" ]]
}
not() { ! "$@"; }
is_quiet() { ! grep -q 'has changed' "$body"; }

# interrupt DATABASE BLOCKER LAST: a migration that waits for BLOCKER's lock
# after step LAST is killed
interrupt() {
	local pid

	coproc { db "$1" -c 'BEGIN' -c "$2" -c '\echo locked' -f -; }
	read -r -u "${COPROC[0]}" _
	echo "SqlDir=$top/sql" >"$dir/$1.conf"
	"$build/sbin/predictd" -f "$dir/$1.conf" --migrate="host=$host \
user=postgres dbname=$1 options='-c role=predict_owner'" >"$dir/$1.log" 2>&1 &
	pid=$!
	check "waits_$1" "no migration that waits" until_true 20 waits "$1"
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	eval "exec ${COPROC[1]}>&-" # its transaction ends, and is rolled back
	wait "$COPROC_PID" 2>/dev/null
	check "in_the_middle_$1" "not at step $3" until_true 20 steps_end "$1" "$3"
}
waits() {
	[[ $(db postgres -c "SELECT count(*) FROM pg_stat_activity
		WHERE datname = '$1' AND wait_event_type = 'Lock'") == 1 ]]
}
# The server has noticed that its client is gone.
steps_end() {
	[[ $(db postgres -c "SELECT count(*) FROM pg_stat_activity
		WHERE datname = '$1'") == 0 ]] || return
	if (($2)); then
		[[ $(db "$1" -c 'SELECT max(step) FROM predict.schema_steps') == "$2" ]]
	else
		[[ $(db "$1" -c "SELECT to_regnamespace('predict') IS NULL") == t ]]
	fi
}

last=$(find "$top/sql/steps" -name '0*.sql' | wc -l)
all=$(seq -s ' ' "$last")
steps_until 17
steps_until 28
steps_until "$last"
cp "$top/sql/roles.sql" "$top/sql/schema.sql" "$dir/until_28"
cp "$top/sql/roles.sql" "$dir/until_$last"

# --- Both ways ----------------------------------------------------------------

create whole
check whole "no migration" migrate whole "$top/sql"
check recorded "not as steps 28 to $last" steps_are whole \
	"$(seq -s ' ' 28 "$last")"
dump whole >"$dir/whole.dump"
forget whole
create whole
migrate whole "$dir/until_$last"
check by_steps "not in $last steps" steps_are whole "$all"
check same "something differs" same_schema whole whole
forget whole

# --- Upgrades -----------------------------------------------------------------

create old
migrate old "$dir/until_17"
check old "not at step 17" steps_are old "$(seq -s ' ' 17)"
fill old >/dev/null || check filled "no rows for step 17" false
select_rows old
check upgraded "no migration" migrate old "$top/sql"
check upgraded_steps "not in single steps" steps_are old "$all"
check upgraded_rows "something differs" same_rows old
check again "no migration" migrate old "$top/sql"
check again_quiet "it warns" is_quiet
check again_rows "something differs" same_rows old

write_conf predictd "Database=\"host=$host user=postgres dbname=old\""
sed -i '/dbname=predict"/d' "$dir/predictd.conf"
start predictd
predictd=$started
check serves "not ready" until_true 20 is_ready
kill "$predictd"
wait "$predictd"
predictd=''
drop_days old
check upgraded_schema "something differs" same_schema whole old

# A step after them comes in both ways, and only once.
cp -r "$top/sql" "$dir/later"
echo 'ALTER TABLE predict.nodes ADD later integer;' \
	>"$dir/later/steps/$(printf %04d $((last + 1)))_later.sql"
create fresh
check later "no migration" migrate fresh "$dir/later"
check later_recorded "not as 28 to $((last + 1))" steps_are fresh \
	"$(seq -s ' ' 28 $((last + 1)))"
check later_again "no migration" migrate fresh "$dir/later"
dump fresh >"$dir/fresh.dump"
check later_old "no migration" migrate old "$dir/later"
check later_same "something differs" same_schema fresh old
check newer "older programs accept it" not migrate fresh "$top/sql"
echo '-- edited' >>"$dir/later/schema.sql"
migrate fresh "$dir/later"
check edited "an edited schema.sql is not noticed" not is_quiet

# --- Interrupted --------------------------------------------------------------

create broken
migrate broken "$dir/until_17"
fill broken >/dev/null
select_rows broken
interrupt broken 'LOCK predict.run_profiles IN ACCESS SHARE MODE' 19
check resumed "no migration" migrate broken "$dir/until_28"
check resumed_steps "not in single steps" steps_are broken "$(seq -s ' ' 28)"
check resumed_rows "something differs" same_rows broken

create empty
interrupt empty 'CREATE SCHEMA predict' 0
check begun_again "no migration" migrate empty "$dir/until_28"
check begun_recorded "not as step 28" steps_are empty 28

# From step 28, both ways, with rows.
fill empty >/dev/null
for name in broken empty; do
	select_rows "$name"
	check "later_$name" "no migration" migrate "$name" "$dir/later"
	check "later_rows_$name" "something differs" same_rows "$name"
	check "unbounded_$name" "old predictions say" rows_say_nothing "$name"
	drop_days "$name"
	check "later_schema_$name" "something differs" same_schema fresh "$name"
done
exit "$failed"
