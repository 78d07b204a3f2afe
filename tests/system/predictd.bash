# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# predictd.bash - a predictd on a PostgreSQL of its own, and requests to it
#
# For tests of HTTP, which set $test, source this, and call begin.
# tests use the variables, trap calls functions
# shellcheck disable=SC2034,SC2317

top=$here/../..
postgres=$top/contrib/cluster/postgres
dir=$build/$test
other=65534 # a user who is nobody's operator
port=$((20000 + $$ % 10000))
failed=0
run='' munged='' predictd='' second=''
body=$dir/body
code=
part=predictd

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
		echo "ok ${test}_$name"
	else
		echo "not ok ${test}_$name - $wrong: $code $(head -c 300 "$body")"
		failed=1
	fi
}

# As root, or as another user, at the Unix socket; over TCP with whatever else
# is given.  Sets $code and leaves the reply in $body.
request() {
	code=$(curl -sS --max-time 20 -o "$body" -w '%{http_code}' "$@" \
		2>/dev/null) || code=none
}
ask() { request --unix-socket "$run/$part.sock" "http://localhost$1" "${@:2}"; }
ask_tcp() { request "http://127.0.0.1:$port$1" "${@:2}"; }
ask_as_other() {
	code=$(setpriv --reuid=$other --regid=$other --clear-groups \
		curl -sS --max-time 20 -w '\n%{http_code}' \
		--unix-socket "$run/$part.sock" "http://localhost$1" "${@:2}")
	echo "${code%$'\n'*}" >"$body"
	code=${code##*$'\n'}
}

gives() { # STATUS [FILTER]: that status, and jq's filter holds
	[[ $code == "$1" ]] || return 1
	[[ -z ${2-} ]] || jq -e "$2" "$body" >/dev/null
}
# No reply may tell a stranger more than these words.
bare() { gives "$1" "(.errors | length) == 1 and .errors[0].error == \"$2\"
	and (.errors[0].code | test(\"^[a-z_]+\$\")) and (keys
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

# Folders, and an empty PostgreSQL; all of it ends with the test.
begin() {
	((EUID == 0)) || {
		echo "not ok $test - needs root, to be several users"
		exit 1
	}
	rm -rf "$dir"
	mkdir -p "$dir"
	trap finish EXIT
	trap 'exit 1' INT TERM
	run=$(mktemp -d "/run/predict-$test.XXXXXX")
	chmod 755 "$run"
	conninfo=$("$postgres" up "$dir/postgres")
}
