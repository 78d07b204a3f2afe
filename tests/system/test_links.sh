#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_links.sh - the links of a cluster get known, stay known, and change
#
# Nine nodes, eight of which probe each other at first: soon all pairs are
# known. Then one node dies and the ninth comes up, and a link gets slow; and
# nobody who may not can make a collectord send or take data.
#
# On a busy machine a transfer may take too long, which costs its link the next
# ones: what is to become known is waited for.
#
# Runs long: a node requests the roster again after a minute.
#
# usage: test_links.sh BUILD
set -u -o pipefail

conninfo='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_links.sh BUILD}")
dir=$build/links
probe=4               # seconds between two probes of a node
period=$((9 * probe)) # nine rounds, for eight nodes and a dead one
ask=65                # until each has requested the roster again
failed=0

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status || failed)) || rm -rf "$dir"
	exit $((status || failed))
}

sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }
on_node() { "$cluster" node "$dir/cluster" "$@" </dev/null; }

# result NAME STATUS WHAT-IS-WRONG
result() {
	if (($2 == 0)); then
		echo "ok links_$1"
	else
		echo "not ok links_$1 - $3"
		failed=1
	fi
}

until_true() { # SECONDS COMMAND...
	local end=$((SECONDS + $1))

	shift
	until "$@"; do
		((SECONDS < end)) || return 1
		sleep 1
	done
}

# links NODES AGE WHAT: WHAT of the links among NODES (an SQL list), of which
# `ok` have a latency not older than AGE seconds, and a bandwidth; that may be
# older, as a transfer that took too long (the machine is busy) costs a link the
# next ones
links() {
	sql "WITH links AS (
		SELECT f.name || '>' || t.name AS name,
			extract(epoch FROM now() - max(measured_at)
				FILTER (WHERE latency_s > 0))::int
				AS latency_age,
			extract(epoch FROM now() - max(measured_at)
				FILTER (WHERE bandwidth_bps > 0))::int
				AS bandwidth_age
		FROM nodes f JOIN nodes t ON f.node_id <> t.node_id
		LEFT JOIN link_measurements m ON m.from_node_id = f.node_id
			AND m.to_node_id = t.node_id
		WHERE f.name IN ($1) AND t.name IN ($1)
		GROUP BY f.name, t.name),
	judged AS (SELECT *, bandwidth_age IS NOT NULL
			AND coalesce(latency_age < $2, false) AS ok FROM links)
	SELECT $3 FROM judged"
}
known() { links "$1" "$2" 'count(*) FILTER (WHERE ok)'; }
all_known() { [[ $(known "$1" "$2") == "$3" ]]; }

# Which are not known, and how old their latencies and bandwidths are.
unknown() {
	links "$1" "$2" "coalesce(string_agg(concat_ws(' ', name,
			coalesce(latency_age::text, 'never'),
			coalesce(bandwidth_age::text, 'never')), ', ')
		FILTER (WHERE NOT ok), 'none')"
}

# With forecasts, as whoever asks for node sets sees them.
fresh_links() {
	"$stack" get "$dir" /v1/links | python3 -c 'import json, sys
print(sum(1 for l in json.load(sys.stdin)["links"]
	if l["fresh"] and l["latency_s"] is not None))'
}

eight="'n1','n2','n3','n4','n5','n6','n7','n8'"

test_all_pairs() {
	local took=$SECONDS

	until_true 240 all_known "$eight" 300 56
	result all_pairs $? "after four minutes not known: $(unknown "$eight" 300)"
	took=$((SECONDS - started))
	echo "bar links_known_after_s $took"
	[[ $(fresh_links) -ge 56 ]]
	result fresh_links $? "predictd lists $(fresh_links) fresh links"
}

# The rest stays fresh while one goes and one comes: after both, every pair of
# those alive within two periods.
test_death_and_birth() {
	local alive="'n1','n2','n3','n4','n6','n7','n8'"

	"$cluster" stop-node "$dir/cluster" n5
	"$stack" start "$dir" collectord n9
	until_true $((ask + 4 * period)) all_known "$alive,'n9'" \
		$((2 * period)) 56
	result newcomer $? "not fresh: $(
		unknown "$alive,'n9'" $((2 * period)))"
	sleep $((period))
	until_true $((2 * period)) all_known "$alive" $((2 * period)) 42
	result survivors $? "not fresh: $(
		unknown "$alive" $((2 * period)))"
}

# Comes last: links that have just got slow owe much for their transfers.
test_reshaped() {
	local since

	since=$(date +%s)
	on_node n3 tc qdisc add dev eth0 root tbf rate 20mbit burst 32k \
		latency 30ms
	until_true $((8 * period)) slow_known "$since"
	result reshaped $? "links of n3 are still believed to be fast: $(
		speeds "$since")"
	on_node n3 tc qdisc del dev eth0 root
}
speeds() { # SINCE: the newest measurements of links from n3
	sql "SELECT DISTINCT ON (to_node_id) round(bandwidth_bps / 1e6)
		FROM link_measurements m
		JOIN nodes f ON f.node_id = from_node_id
		WHERE f.name = 'n3' AND bandwidth_bps > 0
		AND m.measured_at > to_timestamp($1)
		ORDER BY to_node_id, measured_at DESC" | tr '\n' ' '
}
slow_known() {
	local -a found

	read -ra found <<<"$(speeds "$1")"
	((${#found[@]} == 7)) || return 1
	for mbit in "${found[@]}"; do
		((mbit < 30)) || return 1
	done
}

# What a stranger hears: the answer to a line that he sends.
stranger() { # USER WHAT
	"$cluster" node "$dir/cluster" n1 setpriv --reuid "$1" --clear-groups \
		env MUNGE_SOCKET="$MUNGE_SOCKET" python3 - "$2" <<'END'
import os, socket, subprocess, sys, time
s = socket.create_connection(('n2', 7381), 5)
s.settimeout(5)
nonce = s.makefile('r').readline().split()[-1]
slot = int(time.time() / 4)
claim = f'slurm-predict-probe call n1 n2 {slot} %s {"0" * 32}'

def munge(text, *options):
    return subprocess.run(
        ['munge', '-S', os.environ['MUNGE_SOCKET'], '-s', text, *options],
        check=True, capture_output=True).stdout.strip()

line = {
    'noise': lambda: b'take',
    'long': lambda: b'x' * 100000,
    'claim': lambda: munge(claim % nonce),
    'replay': lambda: munge(claim % ('f' * 32)),
    'other': lambda: munge(claim.replace(str(slot), '1') % nonce),
}[sys.argv[1]]()
try:
    s.sendall(line + b'\n' + b'take\n' + b'm' * 65536)
    print(s.recv(200).decode() or 'nothing')
except (ConnectionResetError, BrokenPipeError):
    print('nothing')
END
}

test_strangers() {
	local user what said

	while read -r user what want; do
		said=$(stranger "$user" "$what" 2>&1)
		[[ $said == $want* ]]
		result "stranger_${user}_$what" $? "heard '$said'"
	done <<-END
	nobody noise no
	nobody long nothing
	nobody claim no
	root replay no the credential of n1 is for another probe
	root other no n1 has no turn
	END
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --nodes 9 --probe "$probe" --collectors 8 --weight 10000 || exit
started=$SECONDS
# shellcheck disable=SC1091
. "$dir/settings"
# shellcheck disable=SC1091
. "$dir/cluster-env"

test_all_pairs
test_strangers
test_death_and_birth
test_reshaped
