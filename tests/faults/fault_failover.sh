#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fault_failover.sh - PostgreSQL fails over to a standby while runs are reported
#
# The standby replicates synchronously, and the connection string names both
# servers.  The first is killed -9 in the middle of writes, the standby promoted
# a moment later.  predictd, which is not restarted, goes on with the new one;
# runs that were acknowledged before are there, each once.  While the standby
# does not confirm, nothing is acknowledged.
#
# usage: fault_failover.sh BUILD
# shellcheck disable=SC2317 # functions are called by trap and check
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:?usage: fault_failover.sh BUILD}")
test=failover
# shellcheck source=../system/predictd.bash
. "$here/../system/predictd.bash"
# shellcheck source=acknowledged.bash
. "$here/acknowledged.bash"
runs=300

# The standby ends with the rest.
end_all() {
	local status=$?

	"$postgres" down "$dir/standby" >/dev/null 2>&1 || :
	set +e
	(exit "$status")
	end_posting
}
host_of() { sed 's/ .*//; s/host=//' <<<"$1"; }
sql() { psql -XAtq "${2:-$conninfo}" -c "$1"; }

# Restart the server so that others may replicate from it.
allow_replication() {
	cat >>"$dir/postgres/data/postgresql.conf" <<-'END'
		wal_level = replica
		max_wal_senders = 4
	END
	"$postgres" kill "$dir/postgres"
	"$postgres" start "$dir/postgres"
}

make_standby() {
	local bin

	mkdir -p "$dir/standby/log"
	for bin in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin; do
		[[ ! -d $bin ]] || PATH=$bin:$PATH
	done
	pg_basebackup -h "$(host_of "$conninfo")" -U postgres \
		-D "$dir/standby/data" -R -X stream --checkpoint=fast
	chown -R postgres: "$dir/standby/data" "$dir/standby/log"
	standby=$("$postgres" up "$dir/standby")
	# Not in the standby's own settings, which it copied before.
	sql "ALTER SYSTEM SET synchronous_standby_names = '*'"
	sql "SELECT pg_reload_conf()" >/dev/null
}
replicates() {
	[[ $(sql "SELECT sync_state FROM pg_stat_replication") == sync ]]
}
# signal_standby SIGNAL: to the server and its children
signal_standby() {
	local pid

	read -r pid <"$dir/standby/data/postmaster.pid"
	# shellcheck disable=SC2046 # numbers
	kill "-$1" "$pid" $(ps -o pid= --ppid "$pid")
}
is_waiting() {
	[[ $(sql "SELECT count(*) FROM pg_stat_activity
		WHERE wait_event = 'SyncRep'" "$one") != 0 ]]
}
# A commit that waits for the standby is not seen by others.
all_confirmed() {
	sort -u "$dir/acknowledged" >"$dir/before"
	sql "SELECT job_id FROM predict.runs" "$one" | sort -u >"$dir/seen"
	! comm -23 "$dir/before" "$dir/seen" | grep -q .
}
is_promoted() { [[ $(sql "SELECT pg_is_in_recovery()" "$standby") == f ]]; }
knows() {
	ask '/v1/applications?cluster=little' &&
		gives 200 ".applications[0].runs == $runs"
}

begin
trap end_all EXIT
allow_replication
make_standby
check replicates "the standby does not replicate" until_true 120 replicates
one=$conninfo
conninfo="host=$(host_of "$one"),$(host_of "$standby") user=postgres"
conninfo+=" dbname=predict target_session_attrs=read-write"
write_conf predictd
"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate 2>"$dir/migrate.log"
start predictd
predictd=$started
until_true 120 is_ready
: >"$dir/acknowledged"
post_runs 1000 $runs "$run/predictd.sock"
until_true 120 has_acknowledged $((runs / 4)) || :

signal_standby STOP
check waits "no commit waits for the standby" until_true 120 is_waiting
check confirmed "acknowledged, but not replicated" all_confirmed
signal_standby CONT
until_true 120 has_acknowledged $((runs / 2)) || :

"$postgres" kill "$dir/postgres"
sleep "0.$((RANDOM % 9))"
sql "SELECT pg_promote()" "$standby" >/dev/null
check promoted "the standby is not promoted" until_true 120 is_promoted
check posted "$(acknowledged) of $runs runs acknowledged" wait "$posting"
count_lost "$standby"
check knows "" until_true 120 knows
check same_predictd "predictd has ended" kill -0 "$predictd"
exit $failed
