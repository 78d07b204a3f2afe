#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_exit_status.sh - each subcommand of spredict ends with 0, 1 or 2, and
# with --json each failure is a reply
#
# usage: test_exit_status.sh BUILD
set -u -o pipefail

build=$(realpath -- "${1:?usage: test_exit_status.sh BUILD}")
dir=$build/exit_status
failed=0

rm -rf "$dir"
mkdir -p "$dir"
trap 'rm -rf "$dir"' EXIT
printf '#!/bin/sh\nsleep 3\n' >"$dir/job.sh"
"$(dirname "$0")/../bench/sample_swf.py" 30 7 >"$dir/sample.swf"
printf '; no job\n' >"$dir/empty.swf"

# ends NAME STATUS ARGUMENT...: of spredict; 1 and 2 with a reply that has the
# reason, 0 without one
ends() {
	local name=$1 status=$2 got=0 count=0

	"$build/bin/spredict" --json "${@:3}" >"$dir/out" 2>"$dir/err" || got=$?
	if ((status > 0)); then
		count=$(jq -s 'if length == 1 and (.[0].warnings | type) == "array"
			and (.[0].meta.version | type) == "string"
			then .[0].errors | map(select(.error | length > 0))
			| length
			else 0 end' <"$dir/out" 2>/dev/null) || count=0
	fi
	if ((got == status && (status == 0 || count > 0))); then
		echo "ok exit_$name"
	else
		echo "not ok exit_$name - status $got, not $status; $count errors"
		sed 's/^/# /' "$dir/out" "$dir/err" | head -n 20
		failed=1
	fi
}

# A request of each that predictd would have to answer; "-": there is none, or
# squeue would have to.
no_predictd="
predict $dir/job.sh
curve $dir/job.sh
bundle --array=1-9 $dir/job.sh
job 123
nodes
links
probes --plan
report --by=user
accuracy
applications
profile heat
doctor
whatif 123 --best
critical 123
procedures 123
import swf $dir/sample.swf
export swf
backtest
queue -
web -
mcp -
explain-script -
"
mapfile -t names < <("$build/bin/spredict" --help |
	sed -nE 's/^  ([a-z][a-z-]+) .*/\1/p')
for name in "${names[@]}"; do
	[[ $name != rehearse ]] || continue # has tests of its own
	ends "${name}_help" 0 "$name" --help
	ends "${name}_version" 0 "$name" --version
	case $name in # sbatch may know options that we do not
	predict | curve | bundle | explain-script) wrong=--nodes=none ;;
	*) wrong=--no-such-option=3 ;;
	esac
	ends "${name}_option" 2 "$name" "$wrong"
	read -r _ request < <(grep "^$name\( \|\$\)" <<<"$no_predictd") || {
		echo "not ok exit_${name}_listed"
		failed=1
		continue
	}
	# shellcheck disable=SC2086
	[[ $request == - ]] ||
		ends "${name}_no_predictd" 1 "$name" --url=unix:/no/socket $request
done
ends none 2
ends unknown 2 no-such-subcommand
ends option_before 2 --no-such-option nodes
ends value_before 2 --url=nowhere nodes
ends job_without_id 2 job
ends too_many 2 nodes n1
ends no_script 1 predict "$dir/no-such-file"
ends bad_time 2 predict -t never "$dir/job.sh"
ends array 2 bundle --array=9-1 "$dir/job.sh"
ends explained 0 explain-script "$dir/job.sh"
ends backtest_of_nothing 1 backtest --swf "$dir/empty.swf"
ends probes 0 probes --plan --nodes='n[1-7]'
exit $failed
