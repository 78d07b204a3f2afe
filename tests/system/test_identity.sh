#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_identity.sh - who a client is, and what each may use
#
# predictd with a real munged: MUNGE credentials, JSON Web Tokens, the names
# that a proxy sends; a munged that hangs; connections, requests and bodies of
# one user or address.
#
# usage: test_identity.sh [BUILD]
# shellcheck disable=SC2317 # functions are called by trap and check
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:-build}")
test=identity
# shellcheck source=predictd.bash
. "$here/predictd.bash"

credential() { munge -S "$run/munge.sock" -s "$1"; }

# --- Proofs -------------------------------------------------------------------

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
	ask_tcp /v1/applications -H "X-SLURM-USER-TOKEN: $(token \
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

	ask_tcp /v1/applications "${proxy[@]}" -H 'X-Forwarded-User: nobody'
	check proxy "" gives 200
	ask_tcp /v1/runs "${proxy[@]}" -H 'X-Forwarded-User: nobody' -d '{}'
	check proxy_user "" bare 403 forbidden
	ask_tcp /v1/nodes "${proxy[@]}" -H 'X-Forwarded-User: root'
	check proxy_root "" bare 401 unauthorized
	ask_tcp /v1/nodes "${proxy[@]}" -H 'X-Forwarded-User: mail'
	check proxy_slurm_user "" bare 401 unauthorized
	ask_tcp /v1/nodes "${proxy[@]}" -H 'X-Forwarded-User: games'
	check proxy_never "" bare 401 unauthorized
	ask_tcp /v1/nodes "${proxy[@]}" -H 'X-Forwarded-User: daemon'
	check proxy_operator "an operator may be named" gives 200
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

# --- Budgets ------------------------------------------------------------------

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

	# Not in $dir, which others may not be able to read.
	head -c 98305 /dev/zero >"$run/large"
	# curl fails where the reply and the end come while it still sends.
	ask_as_other /v1/predictions -H 'Expect: 100-continue' \
		--data-binary "@$run/large"
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
	# Who proves who he is goes on from that address.
	for _ in {1..5}; do
		ask_tcp /v1/nodes --interface 127.0.0.9 -H \
			"Authorization: MUNGE $(credential 'GET /v1/nodes')"
		check budget_of_address_proved "" gives 200
	done
	for _ in {1..5}; do
		ask_tcp /v1/nodes -H "Authorization: MUNGE $(credential \
			'GET /v1/nodes')"
		check budget_of_other_address "" gives 200
	done

	counts=$(greedy 1237 headers)
	check headers_have_a_deadline "$counts s" \
		test "$counts" -ge 9 -a "$counts" -le 15
	is_counted() {
		ask /metrics
		grep -q '_http_refused_total{.*reason="deadline"} [1-9]' "$body"
	}
	check refusals_counted "" until_true 60 is_counted
}

# --- Set up -------------------------------------------------------------------

begin
(umask 077 && head -c 1024 /dev/urandom >"$run/munge.key")
(umask 077 && head -c 32 /dev/urandom >"$run/jwt.key" &&
	head -c 32 /dev/urandom >"$run/other.key")
munged --foreground --force --key-file="$run/munge.key" \
	--socket="$run/munge.sock" --pid-file="$run/munged.pid" \
	--log-file="$dir/munged.log" --seed-file="$run/munged.seed" \
	>/dev/null 2>&1 &
munged=$!
write_conf predictd "Listen=127.0.0.1:$port" "TokenKey=$run/jwt.key" \
	Proxy=127.0.0.2 SlurmUser=mail ProxyNever=games Operators=daemon
"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate 2>"$dir/migrate.log"
start predictd
predictd=$started
check ready "" until_true 15 is_ready
until_true 10 test -S "$run/munge.sock"

test_munge
test_tokens
test_proxy
test_munged_hangs
test_crowd
test_budget
# Neither tokens nor MUNGE credentials, though all else is logged.
check no_proof_logged "" test -z "$(grep -l 'eyJ\|MUNGE:' "$dir"/predictd.*)"
exit $failed
