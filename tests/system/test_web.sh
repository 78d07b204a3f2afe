#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_web.sh - the page's files, ETags, and what spredict web and mcp refuse
#
# A predictd with a real PostgreSQL, and spredict web as a user who is no
# operator: another user with the right token, a second use, a foreign Host or
# Origin, and requests that are not of the page.  `make check-web` looks at the
# page with a browser.  spredict mcp: what its tools return is what the commands
# print; messages and arguments that are none.
#
# usage: test_web.sh [BUILD]
# shellcheck disable=SC2317 # functions are called by trap and check
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
test=web
# shellcheck source=predictd.bash
. "$here/predictd.bash"

has_header() { grep -qiE "^$1: $2"$'\r?$' "$dir/headers"; }
is_same() { cmp -s "$body" "$top/predictor/web/$1"; }

test_files() {
	local path file type tag

	while read -r path file type; do
		ask_tcp "$path" -D "$dir/headers"
		check "file_$file" "" gives 200
		check "same_$file" "another text" is_same "$file"
		check "type_$file" "another type" \
			has_header content-type "$type(; charset=utf-8)?"
		check "sniff_$file" "no nosniff" \
			has_header x-content-type-options nosniff
		check "policy_$file" "no policy" has_header \
			content-security-policy "default-src 'none'; .*frame-ancestors 'none'"
	done <<-'END'
	/ index.html text/html
	/style.css style.css text/css
	/predict.js predict.js text/javascript
	/icon.svg icon.svg image/svg\+xml
	END
	tag=$(sed -nE 's/^etag: (.*)\r/\1/Ip' "$dir/headers")
	: >"$body" # curl leaves it alone without one
	ask_tcp /icon.svg -H "If-None-Match: W/$tag"
	check known "sent again" gives 304
	check known_empty "a body" test ! -s "$body"
	ask_tcp /icon.svg -H 'If-None-Match: "0123456789abcdef"'
	check other_tag "not sent" gives 200
	for path in /index.html /web/predict.js '/..%2fopenapi.json' \
		/predict.js/ //style.css; do
		ask_tcp "$path" --path-as-is
		check "no_file_$path" "" bare 404 "no such path"
	done
	ask_tcp /v1/queue
	check queue_of_stranger "" bare 401 unauthorized
}

# Its ETag stays while the reply does.
test_tags() {
	local tag

	ask /v1/nodes -D "$dir/headers"
	tag=$(sed -nE 's/^etag: (.*)\r/\1/Ip' "$dir/headers")
	ask /v1/nodes -H "If-None-Match: $tag"
	check same_reply "sent again" gives 304
	ask /v1/measurements -d "{\"cluster\":\"little\",\"measurements\":
		[{\"node\":\"n7\",\"time_s\":$(date +%s),\"cpu_load\":0}]}"
	ask /v1/nodes -H "If-None-Match: $tag"
	check new_reply "not sent" gives 200 '.nodes[0].node == "n7"'
}

# A client may decline what its role shows.
test_plain() {
	post() { ask /v1/runs -d "{\"runs\":[$(run_json "$@")]}"; }

	post 4711 $other RUNNING
	check run_stored "" gives 200
	ask /v1/jobs/4711
	check operator_sees "" gives 200
	ask /v1/jobs/4711 -H 'X-Predict-Role: user'
	check plain_does_not "" bare 404 "no such job"
}

# Start spredict web as $other; sets $web, $address and $token.
start_web() {
	setpriv --reuid=$other --regid=$other --clear-groups \
		"$run/spredict-web" --url="unix:$run/$part.sock" \
		>"$dir/web.out" 2>&1 &
	second=$!
	until_true 60 grep -q '#token=' "$dir/web.out"
	web=$(sed -nE 's|.*(http://[^/]*)/#.*|\1|p' "$dir/web.out")
	token=$(sed -nE 's|.*#token=||p' "$dir/web.out")
}
ask_web() { # PATH ARGUMENT...: as its user
	code=$(setpriv --reuid=$other --regid=$other --clear-groups \
		curl -sS --max-time 20 -w '\n%{http_code}' "$web$1" "${@:2}" \
		2>/dev/null) || :
	echo "${code%$'\n'*}" >"$body"
	code=${code##*$'\n'}
}
buy() { ask_web /session -X POST -H "X-Predict-Token: $token" "$@"; }

test_spredict_web() {
	local key host=${web#http://}

	check hint "no ssh line" grep -q "ssh -L ${host#*:}:$host " "$dir/web.out"
	request "$web/session" -X POST -H "X-Predict-Token: $token"
	check other_user "root was answered" gives none
	buy -H 'Host: example.org'
	check foreign_host "" gives 403
	buy -H 'Origin: http://example.org'
	check foreign_origin "" gives 403
	buy -H 'Sec-Fetch-Site: cross-site'
	check foreign_site "" gives 403
	ask_web /session -X POST -H 'X-Predict-Token: wrong'
	check wrong_token "" gives 401
	ask_web /v1/nodes
	check no_key "" gives 401 '.errors[0].code == "unauthorized"'
	buy
	check buys "no key" gives 200 '.key | length >= 32'
	key=$(jq -r .key "$body")
	buy
	check second_use "the token works twice" gives 401
	ask_web /v1/accuracy -H "X-Predict-Key: $key"
	check passes "" gives 200 '.accuracy | type == "array"'
	ask_web /v1/nodes -H "X-Predict-Key: $key"
	check nodes_unknown "what Slurm hides is not known, and they are shown" \
		gives 403 '.errors[0].code == "forbidden"'
	ask_web /v1/jobs/4711 -H "X-Predict-Key: $key"
	check as_the_user "not the user's own job" gives 200 '.job.user_id == 65534'
	ask_web /v1/nodes -H "X-Predict-Key: $key" -H 'Host: localhost.example.org'
	check host_of_key "" gives 403
	for path in /metrics /v1/runs /v1/snapshot /v1/jobs/../runs; do
		ask_web "$path" --path-as-is -H "X-Predict-Key: $key"
		check "not_passed_$path" "" gives 404 \
			'.errors[0].code == "not_found"'
	done
	ask_web /v1/predictions -H "X-Predict-Key: $key" -d '{}'
	check no_post "" gives 403
	ask_web / -i
	check page "" grep -q '<main' "$body"
	check page_kept "may be stored" grep -qi '^cache-control: no-store' \
		"$body"
	check silent "it logged" test "$(wc -l <"$dir/web.out")" = 4
	kill "$second"
	wait "$second" 2>/dev/null || :
	second=
}

# spredict as $other, and replies of its mcp to lines of text.
spredict() {
	setpriv --reuid=$other --regid=$other --clear-groups env \
		PREDICTD_URL="$url" "$run/spredict" "$@" 2>/dev/null
}
mcp() { # LINE...
	code=0
	printf '%s\n' "$@" | setpriv --reuid=$other --regid=$other \
		--clear-groups env PREDICTD_URL="$url" SPREDICT="$program" \
		"$run/spredict-mcp" >"$body" 2>&1 || code=$?
}
message() { # METHOD PARAMS
	jq -cn --arg method "$1" --argjson params "$2" \
		'{jsonrpc: "2.0", id: 7, method: $method, params: $params}'
}
call() { # TOOL ARGUMENTS
	message tools/call "{\"name\":\"$1\",\"arguments\":$2}"
}
replies() { [[ $code == 0 ]] && jq -es "$1" "$body" >/dev/null; }
# The tool's text is what the command prints.
is_output() { # ARGUMENT...
	spredict --json "$@" >"$dir/printed" || :
	[[ -s $dir/printed ]] && replies ".[0].result | .isError == false and
		(.content[0].text | fromjson) == $(cat "$dir/printed")"
}

test_mcp_protocol() {
	local list='.[0].result.tools'

	mcp "$(message initialize '{"protocolVersion":"2024-11-05"}')" \
		'{"jsonrpc":"2.0","method":"notifications/initialized"}' \
		"$(message ping '{}')" \
		"$(message initialize '{"protocolVersion":"1999-01-01"}')"
	check mcp_versions "" replies 'length == 3 and .[1].result == {} and
		.[0].result.protocolVersion == "2024-11-05" and
		.[2].result.protocolVersion == "2025-06-18" and
		(.[0].result | .capabilities.tools == {} and
			(.serverInfo.version | test("^[0-9.]+")))'
	mcp "$(message tools/list '{}')"
	check mcp_list "" replies "([${list}[].name] ==
		[\"predict\", \"job\", \"queue\", \"report\"]) and
		all(${list}[]; .annotations.readOnlyHint and
			.inputSchema.additionalProperties == false)"
}

test_mcp_tools() {
	printf '#!/bin/sh\nsleep 3\n' >"$run/job.sh"
	ask /v1/runs -d "{\"runs\":[$(run_json 4712 $other COMPLETED)]}"
	mcp "$(call job '{"job_id":"4712"}')"
	check mcp_job "" is_output job 4712
	mcp "$(call report '{"by":"day","since":"now-2days"}')"
	check mcp_report "" is_output report --by=day --since=now-2days
	check mcp_report_rows "" replies \
		'.[0].result.content[0].text | fromjson | .report[0].runs == 1'
	mcp "$(call predict '{"script":"#!/bin/sh\nsleep 3\n","nodes":"2",
		"job_name":"--help"}' | tr -d '\n')"
	spredict --json predict --suggest --nodes=2 --job-name=--help \
		"$run/job.sh" >"$dir/printed" || :
	check mcp_predict "$(cat "$dir/printed")" replies \
		".[0].result.content[0].text | fromjson | .errors == [] and
		(.prediction | del(.id, .made_at_s)) ==
		$(jq -c '.prediction | del(.id, .made_at_s)' "$dir/printed")"
	url=unix:/nowhere/predictd.sock
	mcp "$(call job '{"job_id":"4711"}')"
	check mcp_no_predictd "" replies '.[0].result | .isError and
		(.content[0].text | fromjson | .errors | length) == 1'
	url=unix:$run/$part.sock
	printf '#!/bin/sh\nexec cat /dev/zero\n' >"$run/endless"
	chmod 755 "$run/endless"
	program=$run/endless
	mcp "$(call job '{"job_id":"4711"}')"
	check mcp_endless "" replies '.[0].result | .isError and
		(.content[0].text | contains("too long"))'
	program=/nowhere/spredict
	mcp "$(call job '{"job_id":"4711"}')"
	check mcp_no_spredict "" replies '.[0].result.isError'
	program=$run/spredict
}

# Each is refused with its code, and the next message has a reply.
test_mcp_refusals() {
	local name wanted line tool given

	while read -r name wanted line; do
		case $line in
		call\ *)
			read -r _ tool given <<<"$line"
			line=$(call "$tool" "$given")
			;;
		bytes) line=$'\xff' ;;
		long) line="[\"$(head -c 1000000 /dev/zero | tr '\0' 7)\"]" ;;
		deep) line=$(head -c 100000 /dev/zero | tr '\0' '[') ;;
		esac
		mcp "$line" "$(message ping '{}')"
		check "mcp_refuses_$name" "${line:0:80}" replies "length == 2 and
			.[0].error.code == $wanted and
			(.[0].error.message | length < 200) and
			.[1].result == {}"
	done <<-'END'
	option -32602 call job {"job_id":"--help"}
	lines -32602 call job {"job_id":"7\n8"}
	number -32602 call job {"job_id":7}
	no_id -32602 call job {}
	list -32602 call job ["7"]
	words -32602 call predict {"script":"x","nodes":"2\u0020--url=x"}
	control -32602 call predict {"script":"x","job_name":"a\u001bb"}
	zero -32602 call predict {"script":"a\u0000b"}
	half -32602 {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"predict","arguments":{"script":"\ud800"}}}
	truth -32602 call queue {"me":1}
	limit -32602 call queue {"limit":501}
	by -32602 call report {"by":"user"}
	argument -32602 call queue {"url":"http://192.0.2.1:1"}
	tool -32602 call import {}
	method -32601 {"jsonrpc":"2.0","id":1,"method":"resources/list"}
	params -32602 {"jsonrpc":"2.0","id":1,"method":"ping","params":[]}
	version -32600 {"jsonrpc":"1.0","id":1,"method":"ping"}
	id -32600 {"jsonrpc":"2.0","id":{},"method":"ping"}
	batch -32600 [{"jsonrpc":"2.0","id":1,"method":"ping"}]
	text -32600 "ping"
	json -32700 {"jsonrpc":
	constant -32700 {"jsonrpc":"2.0","id":NaN,"method":"ping"}
	bytes -32700 bytes
	deep -32700 deep
	long -32600 long
	END
}

begin
install -m 755 "$build/libexec/slurm-predict/spredict-web" \
	"$build/libexec/slurm-predict/spredict-mcp" "$build/bin/spredict" "$run/"
url=unix:$run/$part.sock program=$run/spredict
touch "$dir/web.out"
write_conf predictd "Listen=127.0.0.1:$port"
"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate 2>"$dir/migrate.log"
start predictd
predictd=$started
check ready "not ready" until_true 60 is_ready
test_files
test_plain
test_tags
start_web
test_spredict_web
test_mcp_protocol
test_mcp_tools
test_mcp_refusals
exit $failed
