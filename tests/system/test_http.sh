#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_http.sh - predictd's routes, with a real PostgreSQL
#
# Who may ask what, what is refused and how; node sets; PostgreSQL going away
# and coming back; predictd killed; two of them on one database.
#
# usage: test_http.sh [BUILD]
# shellcheck disable=SC2317 # functions are called by trap and check
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
test=http
# shellcheck source=predictd.bash
. "$here/predictd.bash"

store_is() { ask /readyz && gives 200 ".store_up == $1"; }
post_run() { ask /v1/runs -d "{\"runs\":[$(run_json "$@")]}"; }

# --- The tests ----------------------------------------------------------------

test_not_migrated() {
	ask /readyz
	check not_ready "ready without a history" gives 503 '.ready == false'
	ask /v1/predictions -d '{"job":{"user_id":0}}'
	check not_predicted "predicted without a history" gives 503
	ask /livez
	check live "not live" gives 200 .live
	"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate \
		2>"$dir/migrate.log"
	check ready "not ready after --migrate" until_true 15 is_ready
	check migrate_again "a second --migrate fails" \
		"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate \
		2>>"$dir/migrate.log"
	echo "SqlDir=$top/sql" >"$dir/migrate.conf"
	check migrate_without_database "--migrate=CONNINFO needs Database" \
		"$build/sbin/predictd" -f "$dir/migrate.conf" \
		--migrate="$conninfo" 2>>"$dir/migrate.log"
}

test_predictions() {
	local id

	ask /v1/predictions -d '{"job":{"user_id":0,"name":"solver",
		"script":"#!/bin/sh\nsolver -n 8000\n","limit_s":600}}'
	check predicts "no prediction" gives 200 \
		'.prediction.basis == "limit" and .prediction.id != ""
		 and .prediction.median_s <= 600'
	id=$(jq -r .prediction.id "$body")
	ask "/v1/predictions/$id"
	check shows "not shown" gives 200 ".prediction.id == \"$id\""
	ask_as_other "/v1/predictions/$id"
	check hides "shown to others" bare 404 "no such prediction"
	ask /v1/predictions -d '{"dry_run":true,"job":{"user_id":0}}'
	check dry_run "a dry run has an id" gives 200 '.prediction.id == ""'
	ask_as_other /v1/predictions -d "{\"job\":{\"user_id\":$other}}"
	check own_job "a user may not ask for own jobs" gives 200
	ask_as_other /v1/predictions -d '{"job":{"user_id":0}}'
	check others_job "a user may ask for others' jobs" bare 403 forbidden
	ask_as_other /v1/predictions -d '{"job":{"user_id":0}}'
	check refusal_logged "not once" test "$(grep -c \
		"warning: request /v1/predictions of uid $other refused" \
		"$dir/predictd.log")" = 1
	remembered=$id
}

test_refusals() {
	ask /v2/nodes
	check no_path "" bare 404 "no such path"
	ask /v1/nodes -X DELETE
	check no_method "" bare 405 "method not allowed"
	ask /v1/predictions -d '{"job":'
	check bad_json "" gives 400 '.errors[0].error != ""'
	ask /v1/predictions -d '{"job":{"user_id":"root"}}'
	check bad_type "the field is not named" gives 400 \
		'.errors[0].error | contains("user_id")'
	head -c 1048577 /dev/zero >"$dir/large"
	ask /v1/predictions --data-binary "@$dir/large"
	check too_large "" gives 413
	ask_as_other /v1/runs -d '{}'
	check users_report_nothing "" bare 403 forbidden
	ask_as_other /v1/measurements -d '{}'
	check users_measure_nothing "" bare 403 forbidden
	ask_tcp /v1/nodes
	check tcp_stranger "" bare 401 unauthorized
	ask_tcp /metrics
	check metrics_for_anybody "" gives 200
	check metrics_text "" is_metrics_text 25
	check metrics_process "" has_line '^process_resident_memory_bytes.* [1-9]'
	ask_tcp /metrics -H 'Authorization: Bearer of-another-server'
	check metrics_foreign_token "" gives 200
	ask_tcp /v1/runs -H 'Sec-Fetch-Site: cross-site' -d '{}'
	check other_site "" gives 403
	ask_tcp /metrics -H 'Accept: application/openmetrics-text'
	check metrics_end "no EOF" test "$(tail -n 1 "$body")" = '# EOF'
	check openmetrics_text "" is_metrics_text 25
	ask_tcp /openapi.json
	check openapi_for_anybody "" gives 200 '.openapi | startswith("3.")'
}

# More families than that, all well formed.
is_metrics_text() {
	local families

	families=$(python3 "$here/metrics_text.py" "$body") &&
		((families > $1))
}
has_line() { grep -qE "$1" "$body"; }

# The disk of a node's spool is full: metrics and people see it.
test_full_spool() {
	ask /v1/measurements -d "{\"cluster\":\"little\",\"measurements\":
		[{\"node\":\"n7\",\"time_s\":$(date +%s),\"cpu_load\":0,
		\"spool_free_mb\":0.0625,\"spool_failed\":3}]}"
	check full_spool_measured "" gives 200 '.taken == 1'
	ask /metrics
	check full_spool_metric "no node with a full spool" \
		has_line '_nodes_spool_full{.*} 1$'
	check full_spool_lost "not 3 files" has_line '_spool_failed{.*} 3$'
	PREDICTD_URL=unix:$run/$part.sock "$build/bin/spredict" nodes >"$body"
	check full_spool_shown "$(<"$body")" \
		has_line '^little +n7 .*spool full, 3 files of the spool lost'
}

test_runs() {
	post_run 4711 0 RUNNING
	check run_stored "" gives 200 '.stored == 1'
	ask /v1/jobs/4711
	check running_job "" gives 200 '.job.state == "RUNNING" and
		.job.elapsed_s >= 99 and .job.elapsed_s < 130 and
		.job.runtime_s == null'
	post_run 4711 0 COMPLETED
	check run_ended "" gives 200
	ask "/v1/jobs/4711?cluster=little"
	check ended_job "" gives 200 '.job.state == "COMPLETED" and
		(.job.runtime_s - 91.75 | fabs) < 0.001'
	ask "/v1/jobs/4711?cluster=big"
	check job_of_other_cluster "" bare 404 "no such job"
	ask_as_other /v1/jobs/4711
	check job_of_other_user "" bare 404 "no such job"
	post_run 4712 $other COMPLETED
	ask_as_other /v1/jobs/4712
	check own_run "" gives 200 '.job.user_id == 65534'
	ask /v1/runs -d "{\"runs\":[$(run_json 1 0 COMPLETED),
		$(run_json 0 0 COMPLETED)]}"
	check bad_run "the index is not in the reply" gives 400 \
		'.errors[0].error | contains("runs[1]")'
	ask /v1/applications
	check applications "" gives 200 '.total >= 1 and
		(.applications[0] | has("median_s") and has("alike_factor") and .cluster == "little")'
	ask /v1/explanations -d '{"version":1,"job":{"user_id":65534,"name":"x",
		"script":"#!/bin/sh\nhostname\nsrun ./heat3d -n 640 $Q\n"}}'
	check explanation "" gives 200 '.application == "heat3d" and
		.parameters.n == 640 and .unknown == "$Q" and
		(.commands | length) == 2 and .commands[1].line == 3 and
		.commands[1].used and (.commands[0].used | not)'
	ask "/v1/applications?cluster=elsewhere"
	check applications_elsewhere "" gives 200 '.total == 0'
	ask /v1/measurements -d "{\"cluster\":\"little\",\"measurements\":
		[{\"node\":\"n1\",\"time_s\":$(date +%s),\"cpu_load\":1.5}]}"
	check measurement "" gives 200 '.taken == 1'
	ask /v1/nodes
	check nodes "" gives 200 '.nodes[0] | .node == "n1" and
		.cluster == "little" and .fresh and .cpu_load == 1.5'
	test_full_spool
	ask /v1/accuracy
	check accuracy "" gives 200 '.accuracy | type == "array"'
	ask '/v1/accuracy?by=all'
	check accuracy_by "" gives 200 '(.accuracy | type == "array") and
		(.accuracy[0] | .group == "all" and .runs >= 1)'
}

# Twelve runs of an hour, and a limit of half an hour: the job is cut there.
test_limit_too_low() {
	local id

	for id in {4740..4751}; do run_json "$id" 0 COMPLETED; done |
		jq -cs '{ runs: [.[] | .job_name = "patience" |
			.limit_s = 7200 | .started_at_s -= 4000 |
			.submitted_at_s -= 4000 | .ended_at_s -= 490.75] }' |
		ask /v1/runs -d @-
	check long_runs "" gives 200 '.stored == 12'
	ask_patience() {
		ask /v1/predictions -d "{\"dry_run\":true,\"job\":{
			\"user_id\":0,\"cluster\":\"little\",
			\"partition\":\"main\",\"name\":\"patience\",
			\"nodes_min\":2,\"tasks\":4,\"limit_s\":$1}}"
	}
	patience_is() { ask_patience "$1" && gives 200 "$2"; }
	check limit_fits "an hour, and nothing is over the limit" \
		until_true 10 patience_is 7200 '.prediction |
		.similar_runs == 12 and .over_limit == 0 and
		.median_s > 3200 and .median_s < 4000'
	ask_patience 1800
	check limit_too_low "not the limit, with 12 of 12 over it" gives 200 \
		'.prediction | .similar_runs == 12 and .over_limit == 12 and
		 .median_s > 1700 and .quantile_s <= 1800 and
		 .limit_chance > 0.5'
}

# Five runs of one class of a benchmark say little of another, and a run of that
# changes nothing for the first.
test_new_class() {
	local id job

	ask_class() { # CLASS DRY
		ask /v1/predictions -d "{\"dry_run\":$2,\"job\":{\"user_id\":0,
			\"cluster\":\"little\",\"limit_s\":7200,\"script\":
			\"#!/bin/sh\\nsrun ./ep.$1.x\\n\"}}"
	}
	class_runs() { # JOBID CLASS SECONDS
		ask_class "$2" false
		id=$(jq -r .prediction.id "$body")
		job=$(run_json "$1" 0 COMPLETED | jq -c ".prediction_id = \"$id\" |
			.ended_at_s = .started_at_s + $3")
		ask /v1/runs -d "{\"runs\":[$job]}"
	}
	class_is() { ask_class "$1" true && gives 200 ".prediction | $2"; }
	for id in {4761..4765}; do class_runs "$id" A 24; done
	check class_known "not 24 s" until_true 10 class_is A \
		'.median_s > 22 and .median_s < 26 and (has("outside") | not)'
	check class_new "the 90 % is called known" class_is W \
		'.extrapolated and .unbounded and .similar_runs == 0 and
		 .outside == "none with name=ep.W.x"'
	ask_class W false
	beyond=$(jq -r .prediction.id "$body")
	ask /v1/queue -d "{\"jobs\":[{\"prediction_id\":\"$beyond\"}]}"
	check class_queue "its 90 % is known" gives 200 '.jobs[0] |
		.unbounded and .median_s > 0 and .quantile_s == null'
	class_runs 4766 W 8
	check class_ran "still new" until_true 10 class_is W \
		'has("unbounded") | not'
	check class_kept "moved by another class" class_is A \
		'.median_s > 22 and .median_s < 26'
}

test_second_predictd() {
	start second
	second=$started
	part=second
	check second_ready "" until_true 15 is_ready
	ask /v1/jobs/4711
	check second_knows "a history is not shared" gives 200
	part=predictd
	post_run 4720 0 COMPLETED
	part=second
	check second_learns "runs of the other are not learned" \
		until_true 10 eval 'ask /v1/jobs/4720; gives 200'
	kill "$second"
	wait "$second" || :
	check second_ended "its socket is still there" \
		test ! -e "$run/second.sock"
	second=
	part=predictd
}

# Six nodes as of now, on two switches or none: m1 and m4 are free, the others
# a little busy; between m1, m2, m3 and m4, m5, m6 links are slow.
post_tree() {
	jq -n --argjson now "$(date +%s)" '{ cluster: "tree",
		measurements: [range(1; 7) as $i | range(6) as $ago |
			{ node: "m\($i)", time_s: ($now - $ago),
			  cpu_load: (if $i % 3 == 1 then 0 else 0.25 end),
			  cpu_available: (if $i % 3 == 1 then 1 else 0.8 end) }]
			| sort_by(.time_s),
		links: [range(1; 7) as $i | range(1; 7) as $j |
			select($i != $j) | { from: "m\($i)", to: "m\($j)",
			  time_s: $now } + if ($i <= 3) == ($j <= 3)
			  then { bandwidth_bps: 9e8, latency_s: 1e-4 }
			  else { bandwidth_bps: 3e7, latency_s: 9e-4 } end] }' |
		ask /v1/measurements -d @-
}
ask_sets() { # MEMBERS-OF-JOB [COUNT]
	ask /v1/predictions -d "{\"dry_run\":true,\"sets\":${2-8},\"job\":{
		\"user_id\":0,\"cluster\":\"tree\",\"nodes_min\":2 $1}}"
}
have_sets() { ask_sets '' && gives 200 '.sets | type == "array"'; }
snapshot_has() {
	ask '/v1/snapshot?cluster=tree' && grep -q "$1" "$body"
}

test_sets() {
	printf 'SwitchName=%s Nodes=%s\n' a 'm[1-3]' b 'm[4-6]' \
		>"$dir/topology.conf"
	start second
	second=$started
	part=second
	check sets_ready "" until_true 15 is_ready
	post_tree
	check sets_measured "" gives 200 '.taken == 66'
	check sets "no node sets" until_true 10 have_sets
	check sets_within_leaves "" gives 200 '[.sets[].nodes] ==
		["m[1-2]", "m[4-5]", "m[3,6]"]'
	check sets_worth "" gives 200 '.sets[0].ratio == 1 and
		.sets[1].ratio == 1 and .sets[2].ratio > 2 and
		.sets[0].bandwidth_bps > 8e8 and .sets[2].bandwidth_bps < 4e7
		and .sets[0].cpu_available < 0.9 and .sets[0].median_s == null
		and ([.sets[].stale] | add) == 0'
	check sets_links "" until_true 10 snapshot_has '^p 0 1 '
	ask_sets ',"required_nodes":"m4","excluded_nodes":"m5"'
	check sets_required "" gives 200 '.sets[0].nodes == "m[4,6]" and
		all(.sets[].nodes; test("4") and (test("5") | not))'
	ask_sets '' 1
	check sets_one "" gives 200 '[.sets[].nodes] == ["m[1-2]"]'
	ask /v1/predictions -d '{"dry_run":true,"job":{"user_id":0}}'
	check sets_not_asked "" gives 200 'has("sets") | not'

	# The switches are gone: the free ones are the best.
	: >"$dir/topology.conf"
	kill -HUP "$second"
	check sets_flat "" until_true 10 snapshot_has '^n m1 - '
	post_tree
	ask_sets ''
	check sets_flat_best "" gives 200 '.sets[0].nodes == "m[1,4]"'
	kill "$second"
	wait "$second" || :
	second=
	part=predictd
}

test_postgres_away() {
	"$postgres" kill "$dir/postgres"
	check store_down "" until_true 10 store_is false
	ask /v1/predictions -d '{"job":{"user_id":0,"name":"solver"}}'
	check predicts_without_store "" gives 200
	remembered_without_store=$(jq -r .prediction.id "$body")
	post_run 4730 0 COMPLETED
	check refuses_without_store "acknowledged what is not stored" gives 503
	"$postgres" start "$dir/postgres"
	check recovers "" until_true 15 store_is true
	post_run 4730 0 COMPLETED
	check stores_again "" gives 200
}

# What `spredict job` and `spredict queue` show of the prediction of a
# new class, which has had runs since.
beyond_is_kept() {
	ask "/v1/predictions/$beyond"
	gives 200 '(.prediction | .unbounded and
		.outside == "none with name=ep.W.x") and
		(.waiting_prediction | .unbounded | not)' &&
		ask /v1/queue -d "{\"jobs\":[{\"prediction_id\":\"$beyond\"}]}" &&
		gives 200 '.jobs[0] | .median_s > 0 and .quantile_s > 0'
}

test_killed() {
	check beyond "its 90 % is known" beyond_is_kept
	# Give what waits the moment it needs to be stored.
	sleep 1
	kill -9 "$predictd"
	wait "$predictd" 2>/dev/null || :
	start predictd
	predictd=$started
	check starts_again "" until_true 15 is_ready
	ask "/v1/predictions/$remembered"
	check remembers "" gives 200
	check remembers_beyond "its 90 % is known" beyond_is_kept
	ask "/v1/predictions/$remembered_without_store"
	check remembers_later "made while PostgreSQL was away" gives 200
	ask /v1/jobs/4730
	check remembers_runs "" gives 200 '.job.job_id == 4730'
	check refuses_twice "two predictd on one socket" \
		test "$("$build/sbin/predictd" -D -f "$dir/predictd.conf" \
			>/dev/null 2>&1 || echo $?)" = 1
	ask /livez
	check first_goes_on "" gives 200
}

test_reload() {
	ask_as_other /v1/jobs/4711
	check reload_before "" gives 404
	write_conf predictd "Listen=127.0.0.1:$port" "Operators=$other"
	kill -HUP "$predictd"
	check reload "" until_true 5 eval 'ask_as_other /v1/jobs/4711; gives 200'
	write_conf predictd "Nonsense=1"
	kill -HUP "$predictd"
	check reload_refused "" until_true 5 \
		grep -q 'not reloaded: .*:8: .*Nonsense' "$dir/predictd.log"
	ask_as_other /v1/jobs/4711
	check reload_refused_changes_nothing "" gives 200
	# slurmctld's user, without a word of it in predict.conf.
	echo "SlurmUser=$other" >"$dir/slurm.conf"
	write_conf predictd "Listen=127.0.0.1:$port" "SlurmConf=$dir/slurm.conf"
	kill -HUP "$predictd"
	check slurm_user "" until_true 5 \
		grep -q "slurmctld runs as uid $other " "$dir/predictd.log"
	ask_as_other /v1/predictions -d '{"job":{"user_id":0}}'
	check slurm_user_predicts "" gives 200
	write_conf predictd "SocketMode=0600"
	kill -HUP "$predictd"
	check reload_restart "" until_true 5 \
		grep -q 'take a restart: Listen SocketMode$' "$dir/predictd.log"
}


test_end() {
	local begin took

	begin=$(date +%s%N)
	kill "$predictd"
	check ends_well "exit status" wait "$predictd"
	took=$((($(date +%s%N) - begin) / 1000000))
	predictd=
	check ends_soon "$took ms" test $took -lt 5000
	check ends_clean "its socket is still there" \
		test ! -e "$run/predictd.sock"
	write_conf predictd "PidFile=$run/predictd.pid"
	check background "" "$build/sbin/predictd" -f "$dir/predictd.conf"
	predictd=$(cat "$run/predictd.pid")
	check background_serves "" until_true 10 is_ready
	check background_fails "errors are not in the reply" \
		test "$("$build/sbin/predictd" -f "$dir/predictd.conf" \
			2>/dev/null || echo $?)" = 1
	kill "$predictd"
	check background_ends "" until_true 10 test ! -e "$run/predictd.pid"
	predictd=
	check no_password_logged "" test -z "$(grep -l 'conninfo\|postgres dbname' \
		"$dir"/*.log)"
}

# --- Set up -------------------------------------------------------------------

begin
write_conf predictd "Listen=127.0.0.1:$port"
write_conf second "Topology=$dir/topology.conf"
start predictd
predictd=$started
until_true 10 test -S "$run/predictd.sock"

test_not_migrated
test_predictions
test_refusals
test_runs
test_limit_too_low
test_new_class
test_second_predictd
test_sets
test_postgres_away
test_killed
test_reload
test_end
exit $failed
