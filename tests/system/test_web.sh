#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_web.sh - the page's files, ETags, and what spredict web refuses
#
# A predictd with a real PostgreSQL, and spredict web as a user who is no
# operator: another user with the right token, a second use, a foreign Host or
# Origin, and requests that are not of the page.  `make check-web` looks at the
# page with a browser.
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
	check no_key "" gives 401
	buy
	check buys "no key" gives 200 '.key | length >= 32'
	key=$(jq -r .key "$body")
	buy
	check second_use "the token works twice" gives 401
	ask_web /v1/nodes -H "X-Predict-Key: $key"
	check passes "" gives 200 '.nodes | length == 1'
	ask_web /v1/jobs/4711 -H "X-Predict-Key: $key"
	check as_the_user "not the user's own job" gives 200 '.job.user_id == 65534'
	ask_web /v1/nodes -H "X-Predict-Key: $key" -H 'Host: localhost.example.org'
	check host_of_key "" gives 403
	for path in /metrics /v1/runs /v1/snapshot /v1/jobs/../runs; do
		ask_web "$path" --path-as-is -H "X-Predict-Key: $key"
		check "not_passed_$path" "" gives 404
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

begin
install -m 755 "$build/libexec/slurm-predict/spredict-web" "$run/"
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
exit $failed
