# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# checks.bash - what tests on a real cluster have in common
#
# A test sets $test, which begins the names of its checks, sources this, and
# exits with $failed.  as wants $dir and $cluster, finish $dir and $stack; a
# test that starts more has a finish of its own.
# shellcheck disable=SC2154,SC2317 # the test sets and calls them

failed=0

# shellcheck source=until.bash
. "$(dirname "${BASH_SOURCE[0]}")/until.bash"

# check NAME WHAT-IS-WRONG COMMAND...: one test; what is wrong is a text, or @
# and files, separated by colons, that are shown if the command fails
check() {
	local files

	if "${@:3}"; then
		echo "ok ${test}_$1"
		return
	fi
	failed=1
	if [[ $2 == @* ]]; then
		IFS=: read -ra files <<<"${2#@}"
		echo "not ok ${test}_$1 - $(cat "${files[@]}" 2>&1)"
	else
		echo "not ok ${test}_$1 - $2"
	fi
}

# as UID COMMAND...: as that user in the controller's namespaces
as() {
	"$cluster" run "$dir/cluster" setpriv --reuid="$1" --regid="$1" \
		--clear-groups "${@:2}" </dev/null
}

# available NODE: in percent, as predictd forecasts it for the next minute; 100
# if it does not know
available() {
	"$stack" get "$dir" '/v1/snapshot?cluster=little' 2>/dev/null |
		awk -v node="$1" '$1 == "n" && $2 == node && $4 != "-" {
			print int($4 / 100); found = 1 }
			END { if (!found) print 100 }'
}
# is_slow NODE OTHER: does NODE have less than three fifths of what OTHER has?
is_slow() { (($(available "$1") * 10 < $(available "$2") * 6)); }

# For a trap at EXIT: the stack goes, its files stay if a check failed.
finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status || failed)) || rm -rf "$dir"
	exit $((status || failed))
}
