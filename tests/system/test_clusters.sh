#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_clusters.sh - spredict with several clusters, which slurmdbd knows
#
# A real slurmdbd, in which the little cluster is registered and another one
# that is not there: spredict queue and squeue with -M, lists by cluster, and
# then a federation of both.
#
# usage: test_clusters.sh BUILD
set -u -o pipefail

run='' CLUSTER_NAME='' MUNGE_SOCKET='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_clusters.sh BUILD}")
dir=$build/clusters
test=clusters
# shellcheck source=checks.bash
. "$here/checks.bash"
# shellcheck source=needs.bash
. "$here/needs.bash"
pids=()

finish() {
	local status=$?

	((${#pids[@]} == 0)) || kill "${pids[@]}" 2>/dev/null
	wait
	"$stack" down "$dir" || status=1
	((status || failed)) || rm -rf "$dir"
	exit $((status || failed))
}

# on COMMAND...: on the controller
on() { "$cluster" run "$dir/cluster" "$@" </dev/null; }
queue() { on "$run/spredict" queue "$@"; }

# check NAME WHAT-IS-WRONG COMMAND...: one test
quietly() { "$@" >/dev/null 2>&1; }
same() { [[ $1 == "$2" ]]; }
mysql_query() { mariadb --no-defaults -S "$run/mysql" -u root "$@"; }

# Slurm 24.11 ends where MariaDB 11.8 does not know a query of its first check.
is_broken() {
	grep -q 'fatal: _check_mysql_concat_is_sane' "$dir/log/slurmdbd.out"
}
sacctmgr_or_broken() { is_broken || on sacctmgr -n show cluster; }

# The database listens on a Unix socket alone: libmariadb finds it by
# "localhost" and this variable.
start_slurmdbd() {
	mariadb-install-db --no-defaults --datadir="$dir/mysql" --user=root \
		--auth-root-authentication-method=normal --skip-test-db \
		>"$dir/mysql.log" 2>&1
	mariadbd --no-defaults --datadir="$dir/mysql" --socket="$run/mysql" \
		--skip-networking --user=root >>"$dir/mysql.log" 2>&1 &
	pids+=($!)
	until_true 60 quietly mysql_query -e 'SELECT 1' || return 1
	cat >"$dir/cluster/etc/slurmdbd.conf" <<-END
		AuthType=auth/munge
		AuthInfo=socket=$MUNGE_SOCKET
		DbdHost=localhost
		DbdPort=6819
		SlurmUser=root
		LogFile=$dir/log/slurmdbd.log
		PidFile=$dir/slurmdbd.pid
		StorageType=accounting_storage/mysql
		StorageHost=localhost
		StorageUser=root
		StorageLoc=acct
	END
	chmod 600 "$dir/cluster/etc/slurmdbd.conf"
	on env MYSQL_UNIX_PORT="$run/mysql" slurmdbd -D \
		>"$dir/log/slurmdbd.out" 2>&1 &
	pids+=($!)
	cat >>"$dir/cluster/etc/slurm.conf" <<-END
		AccountingStorageType=accounting_storage/slurmdbd
		AccountingStorageHost=localhost
		AccountingStoragePort=6819
		AccountingStoragePass=$MUNGE_SOCKET
	END
	until_true 60 quietly sacctmgr_or_broken
	! is_broken || return 1
	on sacctmgr -i add cluster "$CLUSTER_NAME" >/dev/null
	on sacctmgr -i add cluster elsewhere >/dev/null
	"$cluster" restart-ctld "$dir/cluster"
	until_true 60 quietly on squeue -M "$CLUSTER_NAME"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --nodes 2 --cap 0 || exit
# shellcheck disable=SC1091
. "$dir/settings"
# shellcheck disable=SC1091
. "$dir/cluster-env"
chmod 755 "$run"
cp "$build/bin/spredict" "$run/"
start_slurmdbd || {
	! is_broken || {
		skip clusters "$(tail -n 1 "$dir/log/slurmdbd.out")"
		exit 0
	}
}
check slurmdbd "$(tail -n 3 "$dir/log/slurmdbd.out")" \
	on squeue -M "$CLUSTER_NAME"

for _ in 1 2 3; do
	job=$(on sbatch --parsable -H -J nap -o /dev/null --wrap 'sleep 1' \
		2>/dev/null)
done
want=$(on squeue -h -M "$CLUSTER_NAME" -o %i | grep -v CLUSTER | xargs)
check jobs "$want" same "$(wc -w <<<"$want")" 3
check one "$(queue -M "$CLUSTER_NAME" -o id 2>&1)" same \
	"$(queue -M "$CLUSTER_NAME" -o id | tail -n +2 | xargs)" "$want"

# Of all, one cannot be reached.
text=$(queue -M all 2>"$dir/errors")
status=$?
check all "$text" same \
	"$(awk -v name="$CLUSTER_NAME" '$1 == name { print $2 }' <<<"$text" |
		xargs)" "$want"
check all_status "it is $status" same $status 1
check all_errors "@$dir/errors" grep -q \
	'^spredict: error: cluster elsewhere: ' "$dir/errors"
check json "$(queue -M all --json 2>/dev/null)" same \
	"$(queue -M all --json 2>/dev/null | jq -r '.jobs[].cluster' | sort -u)" \
	"$CLUSTER_NAME"
check lists "$(on "$run/spredict" nodes -M all)" grep -q \
	"^$CLUSTER_NAME  *n1 " <<<"$(on "$run/spredict" nodes -M all)"
text=$(on "$run/spredict" job -M all "$job" 2>&1)
check one_only "$text" grep -q 'one cluster is wanted' <<<"$text"

# In a federation, ids of jobs have the number of their cluster in the bits
# above 26.
on sacctmgr -i add federation both "clusters=$CLUSTER_NAME,elsewhere" >/dev/null
federated() {
	job=$(on sbatch --parsable -J nap -o /dev/null --wrap 'sleep 1' \
		2>/dev/null | cut -d';' -f1)
	((job > 1 << 26))
}
recorded() {
	[[ $(on "$run/spredict" --json -M "$CLUSTER_NAME" job "$job" |
		jq -r '.job.state') == COMPLETED ]]
}
check federation "job $job" until_true 30 federated
check federated_job "$(on "$run/spredict" job "$job" 2>&1)" \
	until_true 60 quietly recorded
