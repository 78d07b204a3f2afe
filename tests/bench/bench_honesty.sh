#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_honesty.sh - whether what people are told is true
#
# Each part gets a predictd of its own with an empty PostgreSQL, asks it for
# predictions and reports runs as collectors do.  A program (.c) is called with
# the URL of its predictd, as root; a script (.bash) is read by this one, and
# finds $url, $conninfo, $build, and the functions of predictd.bash.
#
# usage: bench_honesty.sh [BUILD [PART...]]
set -eu -o pipefail

bench=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
here=$bench/../system
build=$(realpath -- "${1:-build}")
shift || :

# In a process of its own: predictd.bash ends with its predictd.
run_part() { # FILE
	local name=${1##*/bench_honesty_}

	test=honesty-${name%.*}
	# shellcheck source=../system/predictd.bash
	. "$here/predictd.bash"
	begin
	write_conf predictd
	"$build/sbin/predictd" -f "$dir/predictd.conf" --migrate \
		2>"$dir/migrate.log"
	start predictd
	predictd=$started
	until_true 30 is_ready
	url=unix:$run/predictd.sock
	if [[ $1 == *.c ]]; then
		"$build/bin/bench-honesty-${name%.c}" "$url"
	else
		# shellcheck disable=SC1090
		. "$1"
	fi
}

status=0
for part in "$bench"/bench_honesty_*.{c,bash}; do
	name=${part##*/bench_honesty_}
	[[ -e $part ]] || continue
	[[ $# -eq 0 || " $* " == *" ${name%.*} "* ]] || continue
	# Behind || the shell would go on after a failure.
	set +e
	(
		set -e
		run_part "$part"
		echo "ok bench_honesty_${name%.*}"
	)
	ended=$?
	set -e
	((ended == 0)) || status=1
done
exit "$status"
