#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_traces.sh - traces: from files on a node to questions about
# other placements
#
# Real predictd, PostgreSQL and collectord; the files are made here.  Who may
# post and read, which traces are kept, what a kill loses, what a replay says.
#
# usage: test_traces.sh [BUILD]
# shellcheck disable=SC2317 # functions are called by trap and check
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
test=traces
# shellcheck source=predictd.bash
. "$here/predictd.bash"

blocks=$here/trace_blocks.py
collector=

sql() { psql -XAtq "$conninfo" -c "$1"; }
sql_is() { [[ $(sql "$1") == "$2" ]]; }
post() { "$blocks" block "$@" >"$dir/block" && ask /v1/traces -d @"$dir/block"; }
start_predictd() {
	start predictd
	predictd=$started
	until_true 20 is_ready
}

# traced JOB: its run of 91.75 s, and a trace of four ranks of work
# 2 : 5 : 4 : 3 on two nodes, which explains 90 s
traced() {
	local rank work=(36 90 72 54)

	ask /v1/runs -d "{\"runs\":[$(run_json "$1" "$other" COMPLETED)]}"
	gives 200 || return 1
	for rank in 0 1 2 3; do
		"$blocks" file "$rank" 4 "${work[rank]}" |
			post "$1" "$other" 00ff "$rank" 4 n$((1 + rank / 2)) 0 last
		gives 200 .kept || return 1
	done
}

whatif() { # AS BODY
	"$1" /v1/whatif -d "$2"
}

says_gain() { jq -e '.whatif.gain | . > 0.62 and . < 0.63' "$body" >/dev/null; }

# --- The tests ----------------------------------------------------------------

test_access() {
	check stores "a trace is not stored" traced 11
	"$blocks" file 0 4 36 | post 11 "$other" 00ff 0 4 n1 0 last
	check twice "a block that was there" gives 200 .kept
	check once "it was stored twice" sql_is \
		'SELECT count(*) FROM predict.trace_blocks' 4
	ask_as_other /v1/traces -d @- <"$dir/block"
	check user_posts "a user may post" bare 403 forbidden
	ask /v1/traces -d '{"cluster":"little"}'
	check bad_block "a bad block" gives 400
	ask "/v1/traces?job_id=11&cluster=little"
	check operator_reads "an operator reads no trace" gives 200 \
		'.traces[0] | .ranks[2].node == "n2" and .application != ""
		 and (.runtime_s | . > 91 and . < 92)'
	ask_as_other "/v1/traces?job_id=11"
	check owner_reads "its owner reads no trace" gives 200 \
		'.traces | length == 1'
	other=65533 ask_as_other "/v1/traces?job_id=11"
	check stranger_reads "a stranger reads it" bare 404 \
		"there is no such trace"
	ask "/v1/traces?job_id=12"
	check no_trace "a trace of no job" gives 404
	ask /v1/traces
	check no_job "a trace without a job" gives 400
	ask "/v1/traces?job_id=11&cluster=little"
	application=$(jq -r '.traces[0].application | @uri' "$body")
	ask "/v1/traces?job_id=11&application=$application"
	check job_or_application "both in one question" gives 400
	ask_as_other "/v1/traces?application=$application&ranks=4"
	check by_application "no trace of the application" gives 200 \
		'.traces[0].job_id == 11'
	ask_as_other "/v1/traces?application=$application&ranks=5"
	check by_ranks "a trace of another number of ranks" gives 404
	other=65533 ask_as_other "/v1/traces?application=$application"
	check by_application_other "another user sees it" gives 404
}

# Four ranks on the two cores of n1 take 7.5 for 5; 1.75 s more stay.
test_whatif() {
	local all='{"job_id":11,"place":"n1:4","conditions":"then"}'

	whatif ask_as_other "$all"
	check whatif "no answer" gives 200 '.whatif | .gain > 0.67
		and .gain < 0.672 and .ranks == ["n1", "n1", "n1", "n1"]
		and (.there_s | . > 136.7 and . < 136.8) and .whole
		and .low_s < .there_s and .high_s > 1.02 * .there_s * 91.75 / 90
		and .denser and .factor > 1.01 and .factor < 1.03'
	other=65533 whatif ask_as_other "$all"
	check whatif_stranger "a stranger is answered" gives 404
	whatif ask '{"job_id":11,"best":true,"conditions":"then"}'
	check whatif_best "no best placement" gives 200 '.whatif.gain >= 1'
	whatif ask '{"job_id":11,"nodes":"n1","place":"n1:4"}'
	check whatif_two "two questions at once" gives 400
	whatif ask '{"job_id":11,"nodes":"n1","fast":true}'
	check whatif_unknown "an unknown field" gives 400
	whatif ask '{"job_id":11,"place":"n1:3"}'
	check whatif_ranks "three of four ranks" gives 422
	whatif ask '{"job_id":11,"place":"n1:2,n3:2"}'
	check whatif_now_unknown "a node that was not measured" gives 422 \
		'.errors[0].error | contains("not measured")'

	# n1 as fast as then, n3 at half the speed: 4 and 3 take 8 there.
	ask /v1/measurements -d "$(jq -cn --argjson now "$(date +%s)" '{
		cluster: "little", measurements: [
		{node: "n1", cpu: 1}, {node: "n2", cpu: 1}, {node: "n3", cpu: .5}
		] | map({node, time_s: $now, cpu_load: 0, cpu_available: .cpu,
			cpu_available_now: .cpu, cpu_speed: 1,
			memory_available_mb: 1000})}')"
	check measured "not measured" gives 200
	whatif ask '{"job_id":11,"place":"n1:2,n3:2"}'
	check whatif_now "no answer for now" gives 200 \
		'.whatif.gain | . > 0.62 and . < 0.63'
	PREDICTD_URL=unix:$run/predictd.sock "$build/bin/spredict" whatif \
		--json --cluster=little --place=n1:2,n3:2 11 >"$body" 2>&1 || :
	check spredict "spredict says another thing" \
		says_gain
	PREDICTD_URL=unix:$run/predictd.sock "$build/bin/spredict" critical \
		--cluster=little 11 >"$body" 2>&1
	check critical "spredict critical fails" [ $? = 0 ]
}

# Jobs of the traced application on n1 and n3, which has a twentieth of a CPU.
order() { ask "/v1/order?prediction=$1&nodes=n%5B1,3%5D"; }
order_says() {
	order "$1"
	gives 200 "$2"
}
predicted() { # MODE TASKS
	ask /v1/predictions -d "{\"mode\":\"$1\",\"job\":{\"cluster\":\"little\",
		\"user_id\":$other,\"name\":\"solver\",\"nodes_min\":2,
		\"nodes_max\":2,\"tasks\":$2}}"
	jq -r .prediction.id "$body"
}
test_order() {
	local id

	id=$(predicted act 4)
	ask "/v1/order?prediction=$id&nodes=n%5B1,9%5D"
	check order_now_unknown "a node that was not measured" gives 200 \
		'.state == "computing" and (has("ranks") | not)'
	ask /v1/measurements -d "$(jq -cn --argjson now "$(date +%s)" '{
		cluster: "little", measurements: [{node: "n3", time_s: ($now + 1),
		cpu_load: 0, cpu_available: .05, cpu_available_now: .05,
		cpu_speed: 1, memory_available_mb: 1000}]}')"
	# Work 2 : 5 : 4 : 3, of which 4 and 3 would be on n3.
	check order "no order" until_true 20 order_says "$id" '.state == "ready"
		and .mode == "act" and .gain > 1.32 and .gain < 1.34
		and .ranks == ["n3", "n1", "n1", "n3"]'
	id=$(predicted advise 4)
	order "$id"
	check order_at_once "the next job has to wait" gives 200 \
		'.state == "ready" and .mode == "advise"'
	id=$(predicted observe 4)
	order "$id"
	check order_observe "an order that nobody may see" gives 200 \
		'.state == "none"'
	id=$(predicted act 3)
	order "$id"
	check order_uneven "three ranks on two nodes" gives 200 \
		'.state == "none"'
	order 0123456789abcdef
	check order_no_prediction "an order of no job" gives 404
	ask "/v1/order?prediction=$id"
	check order_no_nodes "an order on no nodes" gives 400
	ask_as_other "/v1/order?prediction=$id&nodes=n1,n3"
	check order_user "a user may ask" bare 403 forbidden
}

test_kept() {
	traced 12 && traced 13
	ask "/v1/traces?job_id=11"
	check oldest_of_three "the third newest is kept" gives 404
	ask "/v1/traces?job_id=12"
	check newest_two "one of the newest two is gone" gives 200
	"$blocks" file 0 4 2 | post 11 "$other" 00ff 0 4 n1 1 last
	check late "a block of a trace that was dropped" gives 200 '.kept | not'

	# Of 20 blocks of 64 KiB that hardly shrink, of a MiB, 15 fit.
	local stored=0

	while IFS= read -r line; do
		printf '%s' "$line" >"$dir/one"
		ask /v1/traces -d @"$dir/one"
		gives 200 .kept || break
		stored=$((stored + 1))
	done < <("$blocks" many 20 100 7 a n1 65536)
	check quota_all "a block is not stored" [ "$stored" = 20 ]
	check quota "more than TraceQuota is kept" sql_is \
		'SELECT sum(bytes) <= 1048576 AND sum(bytes) > 900000
		 FROM predict.traces' t
	check quota_oldest "not the oldest are gone" sql_is \
		'SELECT max(job_id) FROM predict.traces
		 WHERE dropped AND user_id = 7' 104
	ask "/v1/traces?job_id=12"
	check quota_others "another user lost a trace" gives 200
}

enough_acknowledged() { [[ -n $(sed -n 20p "$dir/acknowledged") ]]; }

# Blocks are posted all the time, and predictd is killed.
test_killed() {
	local n

	"$blocks" many 200 +300 8 b n1 65536 >"$dir/many"
	sql 'DELETE FROM predict.traces WHERE user_id = 7'
	: >"$dir/acknowledged"
	sed -i 's/TraceQuota=1/TraceQuota=100/' "$dir/predictd.conf"
	kill "$predictd"
	wait "$predictd" || :
	start_predictd
	(
		n=0
		while IFS= read -r line && ((n < 200)); do
			printf '%s' "$line" >"$dir/one"
			code=$(curl -sS --max-time 5 -o /dev/null \
				-w '%{http_code}' --unix-socket \
				"$run/predictd.sock" http://localhost/v1/traces \
				-d @"$dir/one" 2>/dev/null) || break
			[[ $code == 200 ]] || break
			echo "$n" >>"$dir/acknowledged"
			n=$((n + 1))
		done <"$dir/many"
	) &
	until_true 20 enough_acknowledged
	kill -9 "$predictd"
	wait "$predictd" 2>/dev/null || :
	wait $! || :
	start_predictd
	n=$(wc -l <"$dir/acknowledged")
	check killed_early "it was killed after all" [ "$n" -lt 200 ]
	check killed "a block that was acknowledged is gone" sql_is \
		"SELECT count(*) >= $n FROM predict.trace_blocks b
		 JOIN predict.traces t USING (trace_id) WHERE t.job_id = 300
		 AND block < $n" t
}

event() { # KIND JOB TIME
	printf '%s\n' "event=$1" "job=$2" "user=$other" "time=$3" \
		cluster=little node=n1 profile=trace end=1 >"$run/.event"
	mv "$run/.event" "$spool/events/$(date +%s.%6N)-$1-$2"
}
stored() { # JOB COUNT
	sql_is "SELECT count(*) FROM predict.trace_blocks b JOIN predict.traces t
		USING (trace_id) WHERE t.job_id = $1" "$2"
}
start_collector() {
	"$build/sbin/collectord" -D -f "$dir/collectord.conf" \
		2>>"$dir/collectord.err" &
	collector=$!
	second=$collector
}

# The files of a job on its node, over the death of collectord.
test_collector() {
	local rank folder ended

	spool=$run/spool
	printf '%s\n' "PredictdUrl=unix:$run/predictd.sock" ClusterName=little NodeName=n1 \
		"Spool=$spool" ProbeInterval=0 ProbeScheduler=no Profile=no \
		DebugLevel=debug "LogFile=$dir/collectord.log" \
		ScontrolPath=/bin/false SqueuePath=/bin/false \
		>"$dir/collectord.conf"
	start_collector
	check collector "collectord does not start" \
		until_true 10 test -d "$spool/users/traces"
	folder=$spool/users/traces/400
	mkdir "$folder"
	chown "$other" "$folder"
	chmod 770 "$folder"
	event start 400 "$(date +%s)"
	for rank in 0 1; do
		"$blocks" file "$rank" 2 1.5 200000 >"$folder/0abc.$rank"
		chown "$other" "$folder/0abc.$rank"
	done
	echo secret >"$run/secret"
	ln -s "$run/secret" "$folder/0abc.2"
	# Each is four blocks, cut within the last one.
	check while_running "not sent while the job runs" \
		until_true 30 stored 400 8
	kill -9 "$collector"
	wait "$collector" 2>/dev/null || :
	# As the SPANK plugin leaves it.
	chown 0 "$folder"
	chmod 700 "$folder"
	ended=$(date +%s)
	mv "$folder" "$folder-$other-$ended"
	event end 400 "$ended"
	start_collector
	check removed "the files stay" \
		until_true 40 eval '[[ -z $(ls "$spool/users/traces" "$spool/users/removed" |
			grep -v :) ]]'
	check all_once "not each block once" stored 400 8
	check complete "the trace is not complete" sql_is \
		'SELECT complete FROM predict.trace_details WHERE job_id = 400' t
	kill "$collector"
	wait "$collector" || :
	second=
	check rights "predict_daemon may not store a trace" sql_is "SET ROLE
		predict_daemon; SELECT predict.put_trace_block('little', 9,
		'a', 1, 1, 0, 'n1', 0, true, 0, 0, '', 1048576)" t
	check no_rights "predict_daemon may delete one" [ -z "$(sql 'SET ROLE
		predict_daemon; DELETE FROM predict.traces RETURNING 1' \
		2>/dev/null)" ]
}

begin
write_conf predictd TraceQuota=1
"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate 2>"$dir/migrate.log"
start_predictd
test_access
test_whatif
test_order
test_kept
test_killed
test_collector
kill "$predictd"
wait "$predictd" || failed=1
predictd=
exit "$failed"
