#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_completion.sh - bash offers each subcommand, option and value of spredict
#
# usage: test_completion.sh BUILD
set -u -o pipefail

build=$(realpath -- "${1:?usage: test_completion.sh BUILD}")
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
failed=0
# shellcheck disable=SC1091
. "$here/../../predictor/cli/spredict.completion"
cd "$(mktemp -d)" || exit 2 # without files to offer
trap 'rmdir "$PWD"' EXIT

# offers NAME WANTED WORD...: of `spredict WORD...`, where the last word
# is begun
offers() {
	local got

	COMP_WORDS=("$build/bin/spredict" "${@:3}")
	COMP_CWORD=$(($# - 2))
	_spredict "$build/bin/spredict" 2>/dev/null
	got=$(printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} |
		LC_ALL=C sort -u | xargs)
	if [[ -n $got && $got == "$2" ]]; then
		echo "ok completion_$1"
	else
		echo "not ok completion_$1 - $got"
		failed=1
	fi
}

mapfile -t names < <("$build/bin/spredict" --help | sed -nE 's/^  ([a-z].*)/\1/p' |
	cut -d ' ' -f 1 | LC_ALL=C sort)
offers subcommands "${names[*]}" ''
for name in "${names[@]}"; do
	[[ -x $build/libexec/slurm-predict/spredict-$name ||
		$name != rehearse ]] || continue
	options=$("$build/bin/spredict" "$name" --help |
		grep -oE '^ +(-[A-Za-z], )?--[a-z-]+=?' | grep -oE -- '--.*' |
		LC_ALL=C sort -u | xargs)
	case $name in
	explain-script | bundle | curve) # those of sbatch, too
		offers "$name" --ntasks-per-node= "$name" --ntasks-per-n
		offers "${name}_json" --json "$name" --js
		;;
	*) offers "$name" "$options" "$name" -- ;;
	esac
done
offers by 'all application cluster model month partition user' accuracy --by =
offers by_begun 'qos' backtest --swf=x --by = q
offers formats 'sacct swf' import ''
offers format 'swf' export ''
exit $failed
