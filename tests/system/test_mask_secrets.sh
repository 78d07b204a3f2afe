#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_mask_secrets.sh - secrets never come in, and those in a database go
#
# What is sent to predictd with a secret is stored, shown and logged without it.
# Rows with secrets, as an older version stored them, are counted, and masked by
# predictd --mask-secrets: killed in the middle, twice in a row, with no row
# lost and no other prediction changed.
#
# usage: test_mask_secrets.sh [BUILD]
# shellcheck disable=SC2317 # functions are called by trap and check
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
test=mask_secrets
# shellcheck source=predictd.bash
. "$here/predictd.bash"
begin

# Put together here, so that no key lies in the tree.
key="ghp_$(head -c 600 /dev/urandom | tr -dc 'A-Za-z0-9' | head -c 36)"
word="Horse$RANDOM!Cart$RANDOM"
pin=48151623

db() { psql -X -q -At -v ON_ERROR_STOP=1 "$conninfo" "$@"; }
not() { ! "$@"; }
mask() {
	"$build/sbin/predictd" -f "$dir/predictd.conf" --mask-secrets "$@" \
		>"$body" 2>&1
}
says() { grep -qE -- "$1" "$body"; }

# All that the database holds, and all that it holds but texts.
dump() {
	pg_dump --data-only --schema=predict "$conninfo" |
		grep -v '^\\\(un\)\?restrict '
}
clean() { [[ $(dump | grep -cE "ghp_|$word|$pin|jane@example") == 0 ]]; }
numbers() {
	db -c "SELECT md5(string_agg(md5(row(run_id, change, job_id, user_id,
			nodes, started_at, ended_at, state)::text), '' ORDER BY run_id))
		FROM predict.runs"
	db -c "SELECT count(*), sum(median_s) FROM predict.predictions"
}
check_says() { # WORDS: the row of --check
	"$build/sbin/predictd" -f "$dir/predictd.conf" --check >"$body" 2>&1
	says "^$1"
}

# predicted NAME N: what is predicted for a job of that name, of a user whose
# runs ended days ago
predicted() {
	ask /v1/predictions -d "$(jq -cn --arg name "$1" --argjson n "$2" '{
		dry_run: true, job: {user_id: 7, cluster: "little", name: $name,
		arguments: ["./\($name)", "-n", "\($n)"], nodes_min: 1}}')"
	jq -cS '.prediction | [.application, .basis, .runs,
		(.median_s, .quantile_s | . * 100 | round)]' "$body"
}
serve() {
	start predictd
	predictd=$started
	check "ready$1" "not ready" until_true 60 is_ready
	body=$dir/body
}
stop() {
	kill "$predictd"
	wait "$predictd"
	predictd=''
}

write_conf predictd
"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate 2>"$dir/migrate.log"

# --- Nothing comes in ---------------------------------------------------------

serve _first
ask /v1/imports -d "$(run_json 1 0 COMPLETED | jq -c --arg key "$key" \
	--arg word "$word" '.job_name = "a-\($key)" |
	.application = "fit-\($key)" | .parameters = {n: 4} | .traits =
	"model=a repo=\($key) to=jane@example.org password=\($word)" |
	del(.cluster) | {cluster: "little", columns: keys_unsorted,
	rows: [[.[]]], last: true}')"
check import "not stored" gives 200 '.stored == 1'
ask /v1/runs -d "{\"runs\":[$(run_json 2 0 COMPLETED | jq -c --arg key "$key" \
	'.job_name = "b-\($key)"')]}"
check run "not stored" gives 200 '.stored == 1'
script="#!/bin/bash
export GITHUB_PAT=$key
mysql -u me -p$word shop
srun ./fit --repo \$GITHUB_PAT --password '$word' --pin $pin --rounds 12"
for route in predictions explanations bundle?tasks=10; do
	ask "/v1/$route" -d "$(jq -cn --arg script "$script" --arg key "$key" '{
		job: {user_id: 0, cluster: "little", name: "c-\($key)",
		script: $script, arguments: ["job.sh", "--token", $key]}}')"
	check "${route%%\?*}" "it shows a secret" not \
		grep -qE "$key|$word|$pin" "$body"
done
ask "/v1/explanations" -d "$(jq -cn --arg script "$script" \
	'{job: {user_id: 0, cluster: "little", name: "d", script: $script}}')"
check understood "not the application and its parameter" gives 200 \
	'.application == "fit" and .parameters == {rounds: 12}'
ask "/v1/jobs/$key"
check refusal "it repeats the secret" not grep -q "$key" "$body"
sleep 1 # what is predicted is stored a little later
stop
check stored_clean "the database holds a secret" clean
check log_clean "the log holds a secret" not \
	grep -qE "$key|$word|$pin" "$dir/predictd.log"

# --- What an older version stored ---------------------------------------------

# Many runs without secrets, of an application of its own.
db >/dev/null <<END
INSERT INTO predict.clusters (name) VALUES ('little') ON CONFLICT DO NOTHING;
INSERT INTO predict.applications (name) VALUES ('lake'), ('solve'),
	('fit-$key'), ('x=jane@example.org'), ('x=***');
INSERT INTO predict.imports (sent) VALUES (0);
INSERT INTO predict.runs (cluster_id, application_id, job_id, array_job_id,
	array_task_id, user_id, user_name, account, partition, job_name, nodes,
	tasks, cpus, limit_s, node_list, submitted_at, started_at,
	ended_at, state, exit_code, exit_signal, parameter_names,
	parameter_values, import_id, traits)
SELECT cluster_id, application_id, 1000 + i, 0, 0,
	CASE application WHEN 'lake' THEN 7 ELSE 0 END, 'user', '', 'main',
	CASE i % 20 WHEN 1 THEN 'x-ghp_' || upper(md5(i::text)) || 'wXyZ'
		ELSE 'job' END, 1,
	1, 1, 600, 'n1', t, t, t + (5 + i % 40) * interval '1 s', 'COMPLETED', 0,
	0,
	CASE i % 20 WHEN 3 THEN '{n,pin}'::text[] WHEN 4 THEN '{pin}'
		ELSE '{n}' END,
	CASE i % 20 WHEN 3 THEN ARRAY[i % 40, $pin] WHEN 4 THEN ARRAY[$pin]
		ELSE ARRAY[i % 40] END::double precision[], import_id,
	CASE i % 20 WHEN 5 THEN 'model=a password=$word' WHEN 6 THEN
		'arg1=$key' WHEN 7 THEN 'pAb1${RANDOM}Xy=shop' WHEN 8 THEN
		'to=jane@example.org' ELSE 'model=a' END
FROM (SELECT i, now() - interval '30 days' + i * interval '9 min' AS t,
		CASE WHEN i % 20 IN (2) THEN 'job' WHEN i % 20 IN (0, 9, 10, 11)
		THEN 'lake' WHEN i % 400 = 12 THEN 'fit-$key'
		WHEN i % 400 = 13 THEN 'x=jane@example.org'
		ELSE 'solve' END AS application
	FROM generate_series(1, 4000) i) r
JOIN predict.applications a ON a.name = coalesce(nullif(application, 'job'),
	'solve')
CROSS JOIN predict.clusters CROSS JOIN predict.imports
WHERE imports.import_id = (SELECT max(import_id) FROM predict.imports);
INSERT INTO predict.predictions (prediction_id, origin, made_at, mode,
	cluster_id, user_id, account, partition, job_name, application_id,
	nodes, tasks, cpus, assumed_nodes, nodes_known, basis, model, median_s,
	runs, stage, parameter_names, parameter_values, traits, outside)
SELECT lpad(to_hex(i), 16, '0'), 1, now(), 'advise', cluster_id, 0, '', 'main',
	'p-$key', application_id, 1, 1, 1, '', 0, 'history', 'last', i, 3,
	'submission', '{pin}', '{$pin}', 'repo=$key', 'pin $key'
FROM generate_series(1, 20000) i, predict.clusters, predict.applications
WHERE applications.name = 'fit-$key';
INSERT INTO predict.traces (cluster_id, job_id, mpi_run, user_id, ranks,
	application_id)
SELECT cluster_id, 1, 'a', 0, 2, application_id
FROM predict.clusters, predict.applications
WHERE applications.name = 'fit-$key';
-- However the database writes times.
ALTER DATABASE predict SET DateStyle = 'SQL, DMY';
ALTER DATABASE predict SET TimeZone = 'Asia/Kolkata';
END
check there "no secret in the test's database" not clean
serve _before
first=$(predicted lake 5; predicted lake 17)
stop
serve _again
before=$(predicted lake 5; predicted lake 17)
stop
check control "a restart alone: '$first' has become '$before'" \
	test "$first" = "$before"
numbers >"$dir/numbers"
dump >"$dir/dump"
check check_finds "--check says nothing" check_says 'warning +secrets +the database holds some'

mask
check counts "no count" says '^runs +key of a service +[0-9]+$'
check counts_forms "forms are missing" says '^runs +mail address +200$'
check counts_applications "no names" says '^applications +key of a service +1$'
check counts_backup "nothing said of --yes" says 'Nothing is changed; --yes'
check counts_no_value "it shows a secret" not says "$key|$word|$pin|jane@"
check counts_only "it has changed something" cmp -s "$dir/dump" <(dump)
mask --dry-run --yes=predict
check dry_run "no count" says '^runs +key of a service +[0-9]+$'
check other_name "no refusal" not mask --yes=other
check other_name_only "it has changed something" cmp -s "$dir/dump" <(dump)

# --- Killed in the middle, then done ------------------------------------------

killed=0
for delay in .1 .2 .4 .8; do
	"$build/sbin/predictd" -f "$dir/predictd.conf" --mask-secrets \
		--yes=predict >"$dir/killed" 2>&1 &
	sleep "$delay"
	kill -9 $! 2>/dev/null && killed=$((killed + 1))
	wait $! 2>/dev/null
	numbers >"$dir/numbers.$delay"
	check "kept_$delay" "a row or a number is lost" \
		cmp "$dir/numbers" "$dir/numbers.$delay"
done
check killed "it was never killed" test "$killed" -gt 1
check middle "all is done already" not clean
# Its application waits for the trace, and for a prediction that is stored;
# others can be used meanwhile.
coproc db 2>&1
holder=$COPROC_PID
echo "BEGIN;
INSERT INTO predict.predictions (prediction_id, origin, made_at, mode,
	cluster_id, user_id, account, partition, job_name, application_id,
	nodes, tasks, cpus, assumed_nodes, nodes_known, basis, model, runs,
	stage)
SELECT 'late', 1, now(), 'advise', cluster_id, 0, '', 'main', 'p',
	application_id, 1, 1, 1, '', 0, 'history', 'last', 3, 'submission'
FROM predict.clusters, predict.applications
WHERE applications.name = 'fit-$key';
SELECT count(*) FROM (SELECT FROM predict.traces FOR UPDATE) t;" >&"${COPROC[1]}"
read -r held <&"${COPROC[0]}"
check held "$held rows of traces are locked" test "$held" = 1
mask --yes=predict &
masking=$!
waits() {
	[[ $(db -c "SELECT count(*) FROM pg_stat_activity
		WHERE application_name = 'predictd --mask-secrets'
		AND wait_event_type = 'Lock'") == 1 ]]
}
check waits "it changes no trace" until_true 120 waits
check others_free "all applications are locked" db -c "SELECT name
	FROM predict.applications WHERE name = 'lake' FOR KEY SHARE NOWAIT"
echo "COMMIT;" >&"${COPROC[1]}"
eval "exec ${COPROC[1]}>&-"
wait "$holder"
check masks "it fails" wait "$masking"
check no_orphan "a prediction lacks its application" test 1 = \
	"$(db -c "SELECT count(*) FROM predict.predictions
		JOIN predict.applications USING (application_id)
		WHERE prediction_id = 'late'")"
db -c "DELETE FROM predict.predictions WHERE prediction_id = 'late'"
check warns "no word of backups" says 'Make a backup first; keys found here'
check reach "no word of WAL" says "WAL"
check no_value "it shows a secret" not says "$key|$word|$pin|jane@"
numbers >"$dir/numbers.done"
check kept "a row or a number is lost" cmp "$dir/numbers" "$dir/numbers.done"
check clean "secrets are left" clean
check name_is_one "two names of an application" test 1 = \
	"$(db -c "SELECT count(*) FROM predict.applications
		WHERE name LIKE 'x=%'")"
check name_has_runs "its runs have another" test 10 = \
	"$(db -c "SELECT count(*) FROM predict.runs JOIN predict.applications
		USING (application_id) WHERE name LIKE 'x=%'")"
check other_values "more than secrets is gone" test '200|200' = \
	"$(db -c "SELECT count(*) FILTER (WHERE traits = 'model=a password=***'),
		count(*) FILTER (WHERE parameter_names = '{n,pin}' AND
			parameter_values = ARRAY[job_id % 40, 0]::float8[] AND
			job_id % 20 = 3)
		FROM predict.runs WHERE job_id > 1000")"
check check_clean "--check finds some" check_says 'ok +secrets +the newest rows of the database hold none'
dump >"$dir/dump"
check again "it fails" mask --yes=predict
check again_none "it finds some" not says '^(runs|predictions|applications) '
check again_same "it changes something" cmp -s "$dir/dump" <(dump)
serve _after
after=$(predicted lake 5; predicted lake 17)
check same_predictions "'$before' has become '$after'" test "$before" = "$after"
stop
exit "$failed"
