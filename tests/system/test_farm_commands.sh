#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_farm_commands.sh - which command lines predict-farm would run
#
# usage: test_farm_commands.sh BUILD
set -eu -o pipefail
cd "$(dirname "$0")/../.."

build=$(realpath -- "${1:?usage: test_farm_commands.sh BUILD}")
dir=$(mktemp -d "$build/farm_commands.XXXXXX")
trap 'rm -rf "$dir"' EXIT

test=farm_commands
# shellcheck source=checks.bash
. tests/system/checks.bash

printf '%s\n' 'echo 1' '# no command' '' $'  \t' '  echo 2 # indented' \
	'echo 3' >"$dir/commands"
printf 'echo 4' >>"$dir/commands"

# Nothing is written into the source.
export PYTHONDONTWRITEBYTECODE=1

farm() { contrib/farm/predict-farm --dry-run "$@"; }
# runs EXPECTED OPTION...: the last words of the commands
runs() {
	local found

	found=$(farm "${@:2}" "$dir/commands" | awk '{ print $NF }' | paste -sd' ')
	[[ $found == "$1" ]]
}
# refused STATUS OPTION...
refused() {
	local status=0

	farm "${@:2}" >"$dir/out" 2>&1 </dev/null || status=$?
	[[ $status == "$1" ]]
}
entry() { # NUMBER EXIT SIGNAL COMMAND
	printf '%s\tn1\t1795695096.250\t     1.500\t0\t7\t%s\t%s\t%s\n' "$@"
}

check lines "$(farm "$dir/commands")" runs '1 indented 3 4'
check stdin "it is another list" \
	test "$(farm <"$dir/commands")" = "$(farm "$dir/commands")"
check blanks "$(farm "$dir/commands")" \
	grep -qx '  echo 2 # indented' <(farm "$dir/commands")

# What was logged is read back, also in part.
{
	printf 'Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\t'
	printf 'Signal\tCommand\n'
	entry 1 0 0 'echo 1'
	entry 2 3 0 'echo 2'
	entry 4 0 9 'echo 4'
} >"$dir/log"
check resume "@$dir/log" runs 3 --joblog="$dir/log" --resume
check failed "@$dir/log" runs 'indented 3 4' --joblog="$dir/log" --resume-failed
entry 2 0 0 'echo 2' >>"$dir/log"
check again "@$dir/log" runs '3 4' --joblog="$dir/log" --resume-failed

# Lines of other programs, numbers that are none, and a line that was cut when
# its writer was killed.
{
	printf 'Seq\tHost\tStarttime\n'
	for number in 9 0 -1 99999999999999999999; do
		entry "$number" 0 0 x
	done
	echo nonsense
	entry 3 0 0 'echo 3'
	entry 3 0 0 'echo 3'
	printf '4\tn1\t1.5\t     0.5\t0\t0\t0\t0\tec'
} >"$dir/odd"
check odd "@$dir/odd" runs '1 indented 4' --joblog="$dir/odd" --resume
check no_log "it is not empty" runs '1 indented 3 4' --joblog="$dir/none" \
	--resume

check log_folder "it is no error" refused 255 --joblog=/ --resume
check no_file "it is no error" refused 255 "$dir/none"
check no_number "it is no error" refused 255 --workers=0
check no_option "it is no error" refused 255 --nothing
check no_joblog "it is no error" refused 255 --resume
check two_files "it is no error" refused 255 "$dir/commands" "$dir/commands"
check help "it says nothing" grep -q -- --patience <(farm --help)
exit "$failed"
