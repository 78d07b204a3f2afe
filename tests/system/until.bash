# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# until.bash - waiting for what other programs do

# A busy machine does it late: only a failure waits for so long.
least_wait_s=60

# until_true SECONDS COMMAND...: run it until it succeeds; fail when it has not
# in that time, or in $least_wait_s if they are more
until_true() {
	local wait_s=$(($1 > least_wait_s ? $1 : least_wait_s))
	local end=$((SECONDS + wait_s))

	shift
	until "$@"; do
		((SECONDS < end)) || return 1
		sleep 0.2
	done
}
