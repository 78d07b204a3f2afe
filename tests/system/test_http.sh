#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_http.sh - predictd with a real PostgreSQL and a real munged
#
# Who may ask what, what is refused and how; node sets; PostgreSQL going away and coming
# back; predictd killed; two of them on one database; a munged that hangs.
#
# usage: test_http.sh [BUILD]
# shellcheck disable=SC2317 # functions are called by trap and check
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
postgres=$top/contrib/cluster/postgres
build=$(realpath -- "${1:-build}")
dir=$build/http
other=65534 # a user who is nobody's operator
port=$((20000 + $$ % 10000))
failed=0
run='' munged='' predictd='' second=''

finish() {
	local status=$? pid

	for pid in $predictd $second $munged; do
		kill -CONT "$pid" 2>/dev/null || :
		kill "$pid" 2>/dev/null || :
	done
	wait
	"$postgres" down "$dir/postgres" >/dev/null 2>&1 || status=1
	[[ -z $run ]] || rm -rf --one-file-system -- "$run"
	exit "$status"
}

# check NAME WHAT-IS-WRONG COMMAND...: one test
check() {
	local name=$1 wrong=$2

	shift 2
	if "$@"; then
		echo "ok http_$name"
	else
		echo "not ok http_$name - $wrong: $code $(head -c 300 "$body")"
		failed=1
	fi
}

# As root, or as another user, at the Unix socket; over TCP with whatever else
# is given. Sets $code and leaves the reply in $body.
request() {
	code=$(curl -sS --max-time 20 -o "$body" -w '%{http_code}' "$@" \
		2>/dev/null) || code=none
}
ask() { request --unix-socket "$run/$part.sock" "http://localhost$1" "${@:2}"; }
ask_as_other() {
	code=$(setpriv --reuid=$other --regid=$other --clear-groups \
		curl -sS --max-time 20 -w '\n%{http_code}' \
		--unix-socket "$run/$part.sock" "http://localhost$1" "${@:2}")
	echo "${code%$'\n'*}" >"$body"
	code=${code##*$'\n'}
}
ask_tcp() { request "http://127.0.0.1:$port$1" "${@:2}"; }
credential() { munge -S "$run/munge.sock" -s "$1"; }

gives() { # STATUS [FILTER]: that status, and jq's filter holds
	[[ $code == "$1" ]] || return 1
	[[ -z ${2-} ]] || jq -e "$2" "$body" >/dev/null
}
# No reply may tell a stranger more than these words.
bare() { gives "$1" ".errors == [{error: \"$2\"}] and (keys
	== [\"errors\", \"meta\", \"warnings\"])"; }

until_true() { # SECONDS COMMAND...
	local end=$((SECONDS + $1))

	shift
	until "$@"; do
		((SECONDS < end)) || return 1
		sleep 0.1
	done
}
is_ready() { ask /readyz && gives 200; }
store_is() { ask /readyz && gives 200 ".store_up == $1"; }

write_conf() { # NAME LINE...
	local name=$1

	shift
	printf '%s\n' "Listen=unix:$run/$name.sock" "Database=\"$conninfo\"" \
		"MungeSocket=$run/munge.sock" "SqlDir=$top/sql" \
		SlurmNodesInterval=0 "DebugLevel=debug" "LogFile=$dir/$name.log" "$@" \
		>"$dir/$name.conf"
	chmod 600 "$dir/$name.conf"
}

# start NAME: a predictd in the foreground, its pid in $started
start() {
	"$build/sbin/predictd" -D -f "$dir/$1.conf" 2>>"$dir/$1.err" &
	started=$!
}

run_json() { # JOBID UID STATE
	jq -cn --argjson id "$1" --argjson uid "$2" --arg state "$3" \
		--argjson now "$(date +%s)" '{
		cluster: "little", job_id: $id, user_id: $uid, user: "somebody",
		partition: "main", job_name: "solver", nodes: 2, tasks: 4,
		cpus: 4, node_list: "n[1-2]", submitted_at_s: ($now - 101),
		started_at_s: ($now - 99), state: $state, limit_s: 600,
		ended_at_s: (if $state == "RUNNING" then null
			     else $now - 7.25 end)}'
}
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
	check metrics_end "no EOF" test "$(tail -n 1 "$body")" = '# EOF'
	ask_tcp /openapi.json
	check openapi_for_anybody "" gives 200 '.openapi | startswith("3.")'
}

test_munge() {
	local proof

	proof="Authorization: MUNGE $(credential 'GET /v1/nodes')"
	ask_tcp /v1/nodes -H "$proof"
	check munge "" gives 200 '.nodes | type == "array"'
	ask_tcp /v1/nodes -H "$proof"
	check munge_replayed "a credential is good twice" bare 401 unauthorized
	ask_tcp /v1/nodes -H "Authorization: MUNGE $(credential 'GET /v1/jobs/1')"
	check munge_for_other_path "" bare 401 unauthorized
	ask_tcp /v1/nodes -H 'Authorization: MUNGE nonsense:'
	check munge_nonsense "" bare 401 unauthorized
	proof=$(setpriv --reuid=$other --regid=$other --clear-groups \
		munge -S "$run/munge.sock" -s 'POST /v1/runs')
	ask_tcp /v1/runs -H "Authorization: MUNGE $proof" -d '{}'
	check munge_uid "the uid is not that of the credential" \
		bare 403 forbidden
	proof=$(credential 'POST /v1/runs')
	ask_tcp /v1/runs -H "Authorization: MUNGE $proof" \
		-d "{\"runs\":[$(run_json 4001 0 COMPLETED)]}"
	check munge_collector "" gives 200 '.stored == 1'
}

# token CLAIMS [ALGORITHM [KEY]]
token() {
	python3 - "$1" "${2-HS256}" "${3-$run/jwt.key}" <<-'END'
		import base64, hashlib, hmac, json, sys

		def encoded(data):
		    return base64.urlsafe_b64encode(data).rstrip(b"=")

		claims, algorithm, key = sys.argv[1:]
		header = json.dumps({"alg": algorithm, "typ": "JWT"})
		text = encoded(header.encode()) + b"." + encoded(claims.encode())
		signature = hmac.new(open(key, "rb").read(), text, hashlib.sha256)
		if algorithm == "none":
		    print(text.decode() + ".")
		else:
		    print((text + b"." + encoded(signature.digest())).decode())
	END
}

# ask_token CLAIMS [ALGORITHM [KEY]]: report a run with that token
ask_token() {
	ask_tcp /v1/runs -H "Authorization: Bearer $(token "$@")" \
		-d "{\"runs\":[$(run_json 4002 0 COMPLETED)]}"
}

test_tokens() {
	local now root

	now=$(date +%s)
	root="{\"sun\":\"root\",\"exp\":$((now + 60))}"
	ask_token "$root"
	check token "" gives 200 '.stored == 1'
	ask_token "{\"sun\":\"nobody\",\"exp\":$((now + 60))}"
	check token_of_another_user "" bare 403 forbidden
	ask_tcp /v1/nodes -H "X-SLURM-USER-TOKEN: $(token \
		"{\"sun\":\"nobody\",\"exp\":$((now + 60))}")"
	check token_of_slurm "" gives 200
	ask_token "$root" none
	check token_alg_none "" bare 401 unauthorized
	ask_token "$root" HS256 "$run/other.key"
	check token_wrong_key "" bare 401 unauthorized
	ask_token "{\"sun\":\"root\",\"exp\":$((now - 1))}"
	check token_expired "" bare 401 unauthorized
	ask_token "{\"sun\":\"root\",\"exp\":$((now + 999)),\"iat\":$((now + 900))}"
	check token_future "" bare 401 unauthorized
	ask_token "{\"sun\":\"no-such-user\",\"exp\":$((now + 60))}"
	check token_unknown_user "" bare 401 unauthorized
	ask_tcp /v1/nodes -H 'Authorization: Basic bm9ib2R5Og=='
	check other_scheme "" bare 401 unauthorized
	code=$(SLURM_JWT=$(token "$root") "$build/bin/spredict" \
		--url="http://127.0.0.1:$port" nodes 2>&1) && code=0
	check token_of_spredict "" test "$code" = 0
	chmod 0644 "$run/jwt.key"
	ask_token "$root"
	check token_key_open "" gives 503
	check token_key_checked "predictd --check does not see it" \
		grep -q 'tokens.*all users may use it' \
		<("$build/sbin/predictd" --check -f "$dir/predictd.conf" || :)
	chmod 0600 "$run/jwt.key"
}

test_proxy() {
	local proxy=(--interface 127.0.0.2)

	ask_tcp /v1/nodes "${proxy[@]}" -H 'X-Forwarded-User: nobody'
	check proxy "" gives 200
	ask_tcp /v1/runs "${proxy[@]}" -H 'X-Forwarded-User: nobody' -d '{}'
	check proxy_user "" bare 403 forbidden
	ask_tcp /v1/nodes "${proxy[@]}" -H 'X-Forwarded-User: root'
	check proxy_root "" bare 401 unauthorized
	ask_tcp /v1/nodes "${proxy[@]}"
	check proxy_without_user "" bare 401 unauthorized
	ask_tcp /v1/nodes -H 'X-Forwarded-User: nobody'
	check proxy_address "anybody may name a user" bare 401 unauthorized
}

# One process for all: to start twenty may take longer than the other waits.
others_get_ahead() {
	local -a urls=()

	for _ in {1..20}; do urls+=(http://localhost/v1/nodes); done
	curl -sSf --max-time 20 --unix-socket "$run/$part.sock" "${urls[@]}" \
		>/dev/null && [[ ! -e $dir/hung ]]
}
connected() { [[ -n $(ss -Htn state established "dport = :$port") ]]; }

test_munged_hangs() {
	local proof

	rm -f "$dir/hung"
	proof=$(credential 'GET /v1/nodes')
	kill -STOP "$munged"
	(ask_tcp /v1/nodes -H "Authorization: MUNGE $proof"
		echo "$code" >"$dir/hung") &
	until_true 10 connected
	check munged_hangs_alone "20 others did not get ahead of it" \
		others_get_ahead
	wait $!
	check munged_hangs_closed "$(cat "$dir/hung")" \
		grep -q '503\|none' "$dir/hung"
	kill -CONT "$munged"
	ask_tcp /v1/nodes \
		-H "Authorization: MUNGE $(credential 'GET /v1/nodes')"
	check munged_back "" gives 200
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
	ask /v1/accuracy
	check accuracy "" gives 200 '.accuracy | type == "array"'
	ask '/v1/accuracy?by=all'
	check accuracy_by "" gives 200 '(.accuracy | type == "array") and
		(.accuracy[0] | .group == "all" and .runs >= 1)'
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

test_killed() {
	# Give what waits the moment it needs to be stored.
	sleep 1
	kill -9 "$predictd"
	wait "$predictd" 2>/dev/null || :
	start predictd
	predictd=$started
	check starts_again "" until_true 15 is_ready
	ask "/v1/predictions/$remembered"
	check remembers "" gives 200
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
	write_conf predictd "Listen=127.0.0.1:$port" "${auth[@]}" "Operators=$other"
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
	write_conf predictd "Listen=127.0.0.1:$port" "${auth[@]}" "SlurmConf=$dir/slurm.conf"
	kill -HUP "$predictd"
	check slurm_user "" until_true 5 \
		grep -q "slurmctld runs as uid $other " "$dir/predictd.log"
	ask_as_other /v1/predictions -d '{"job":{"user_id":0}}'
	check slurm_user_predicts "" gives 200
	write_conf predictd "SocketMode=0600"
	kill -HUP "$predictd"
	check reload_restart "" until_true 5 \
		grep -q 'take a restart: Listen SocketMode TokenKey Proxy$' "$dir/predictd.log"
}

# As a user who opens as many connections as it gets.
test_crowd() {
	local open='
import socket, sys
got, connections = 0, []
for i in range(100):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(5)
    s.connect(sys.argv[1])
    connections.append(s)
    try:
        s.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        got += s.recv(100).startswith(b"HTTP/1.1 200")
    except OSError:
        pass
print(got)'

	ask /livez
	check crowd "not 64 of 100" test "$(setpriv --reuid=1234 --regid=1234 \
		--clear-groups /usr/bin/python3 -c "$open" "$run/predictd.sock")" = 64
	ask /livez
	check crowd_leaves_room "" gives 200
}

holds() { jq -e "$1" >/dev/null; }
greedy() { /usr/bin/python3 "$here/http_greedy.py" "$run/predictd.sock" "$@"; }

# One user uses up its budget; root is served as before.
test_budget() {
	local counts

	head -c 98305 /dev/zero >"$dir/large"
	ask_as_other /v1/predictions --data-binary "@$dir/large"
	check user_too_large "" gives 413 '.errors[0].error | contains("98304")'
	ask_as_other /v1/predictions -d "{\"job\":{\"user_id\":$other}}"
	check user_keeps_nothing "it has an id" gives 200 '.prediction.id == ""'

	ask_as_other /v1/predictions \
		-d "{\"job\":{\"user_id\":$other,\"cluster\":\"little\"}}"
	check known_cluster "" gives 200
	ask_as_other /v1/predictions \
		-d "{\"job\":{\"user_id\":$other,\"cluster\":\"invented\"}}"
	check invented_cluster "" bare 400 "cluster: invented is not known here"

	counts=$(greedy 1235 predictions)
	check budget_predictions "$counts" holds \
		'.["200"] >= 50 and .["429"] >= 1' <<<"$counts"
	ask /v1/predictions -d '{"dry_run":true,"job":{"user_id":0}}'
	check budget_is_anothers "" gives 200

	coproc greedy 1236 bodies
	read -r -u "${COPROC[0]}" counts
	check budget_bodies "$counts" holds \
		'.open == 10 and .["429"] == 10' <<<"$counts"
	ask /v1/predictions -d '{"dry_run":true,"job":{"user_id":0}}'
	check bodies_leave_room "" gives 200
	echo >&"${COPROC[1]}"

	# Over TCP without a credential; one that is good costs nothing.
	counts=$(curl -sS --interface 127.0.0.9 -o /dev/null -w '%{http_code}\n' \
		"http://127.0.0.1:$port/livez?[1-400]" | sort | uniq -c)
	check budget_of_address "$counts" grep -q ' 429$' <<<"$counts"
	for _ in {1..5}; do
		ask_tcp /v1/nodes -H "Authorization: MUNGE $(credential \
			'GET /v1/nodes')"
		check budget_of_other_address "" gives 200
	done

	counts=$(greedy 1237 headers)
	check headers_have_a_deadline "$counts s" \
		test "$counts" -ge 9 -a "$counts" -le 15
	ask /metrics
	check refusals_counted "" grep -q \
		'^predict_http_refused_total{reason="deadline"} [1-9]' "$body"
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

((EUID == 0)) || {
	echo "not ok http - needs root, to be several users"
	exit 1
}
rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
run=$(mktemp -d /run/predict-http.XXXXXX)
chmod 755 "$run"
body=$dir/body
code=
part=predictd
conninfo=$("$postgres" up "$dir/postgres")

(umask 077 && head -c 1024 /dev/urandom >"$run/munge.key")
(umask 077 && head -c 32 /dev/urandom >"$run/jwt.key" &&
	head -c 32 /dev/urandom >"$run/other.key")
munged --foreground --force --key-file="$run/munge.key" \
	--socket="$run/munge.sock" --pid-file="$run/munged.pid" \
	--log-file="$dir/munged.log" --seed-file="$run/munged.seed" \
	>/dev/null 2>&1 &
munged=$!
auth=("TokenKey=$run/jwt.key" Proxy=127.0.0.2)
write_conf predictd "Listen=127.0.0.1:$port" "${auth[@]}"
write_conf second "Topology=$dir/topology.conf"
start predictd
predictd=$started
until_true 10 test -S "$run/predictd.sock" -a -S "$run/munge.sock"

test_not_migrated
test_predictions
test_refusals
test_munge
test_tokens
test_proxy
test_munged_hangs
test_runs
test_second_predictd
test_sets
test_postgres_away
test_killed
test_reload
test_crowd
test_budget
test_end
exit $failed
