#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fault_two_predictds.sh - two predictds on one database, each killed in turn
#
# Runs are reported to both while one, the other, or both are killed -9, at
# times that no test knows.  Each acknowledged run is stored, and once; in the
# end both know all of them.
#
# usage: fault_two_predictds.sh BUILD
# shellcheck disable=SC2317 # functions are called by trap and check
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:?usage: fault_two_predictds.sh BUILD}")
test=two_predictds
# shellcheck source=../system/predictd.bash
. "$here/../system/predictd.bash"
# shellcheck source=acknowledged.bash
. "$here/acknowledged.bash"
runs=400
kills=16

up() { # PART
	start "$1"
	[[ $1 != predictd ]] || predictd=$started
	[[ $1 != second ]] || second=$started
}
end() { # PID
	kill -9 "$1"
	wait "$1" 2>/dev/null || :
}
knows() { # PART: all runs
	part=$1
	ask '/v1/applications?cluster=little' &&
		gives 200 ".applications[0].runs == $runs"
}

begin
trap end_posting EXIT
: >"$dir/acknowledged"
write_conf predictd
write_conf second
"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate 2>"$dir/migrate.log"
up predictd
up second
until_true 120 is_ready
post_runs 1000 $runs "$run/predictd.sock" "$run/second.sock"
# One kill for each so many runs: they are spread over the writes.
for ((i = 0; i < kills; i++)); do
	until_true 300 has_acknowledged $((i * runs / kills)) || :
	sleep "0.$((RANDOM % 4))"
	case $((i % 5)) in
	0 | 2) end "$predictd" && up predictd ;;
	1 | 3) end "$second" && up second ;;
	4) end "$predictd" && end "$second" && up predictd && up second ;;
	esac
done
check posted "$(acknowledged) of $runs runs acknowledged" wait "$posting"
check all "not all runs were acknowledged" has_acknowledged $runs
count_lost "$conninfo"
check first_knows "" until_true 120 knows predictd
check second_knows "" until_true 120 knows second
exit $failed
