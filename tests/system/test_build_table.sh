#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_build_table.sh - what `make` builds where optional parts cannot be built
#
# A copy of the build goes on without mpicc, libjwt and Slurm's source: make
# must succeed, say what is missing, and predictd must refuse tokens in words.
#
# usage: test_build_table.sh BUILD
set -u -o pipefail
cd "$(dirname "$0")/../.." || exit 2

build=$(realpath -- "${1:?usage: test_build_table.sh BUILD}")
dir=$build/build-table
test=build_table
# shellcheck source=checks.bash
. tests/system/checks.bash

# says PATTERN: whether the table has a line that begins with it
says() { grep -q "^  $1" "$dir/out"; }

is_not() { ! "$@"; }

# libjwt_is VERSION: whether a libjwt of that version is good enough
libjwt_is() {
	printf '%s\n' "Name: libjwt" "Description: a test's" "Version: $1" \
		>"$dir/libjwt.pc"
	PKG_CONFIG_PATH=$dir contrib/need-libraries libjwt-1.8:3 2>"$dir/err"
}

trap 'rm -rf "$dir"' EXIT
rm -rf "$dir"
mkdir -p "$dir/build/lib"
# A folder of PATH that has an mpicc is replaced by links to the rest of it.
path=
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
	if compgen -G "$folder/mpicc*" >/dev/null; then
		mkdir -p "$dir/bin/$folder"
		find "$folder/" -maxdepth 1 ! -type d ! -name 'mpicc*' \
			-exec ln -s -t "$dir/bin/$folder" {} +
		folder=$dir/bin/$folder
	fi
	path+=${path:+:}$folder
done
cp -a "$build"/{obj,sbin,bin,jwt,libraries} "$dir/build"
cp -a "$build"/lib/job_submit_predict.so "$dir/build/lib"
PATH=$path make BUILD="$dir/build" JWT= SLURM_SRC="$dir" >"$dir/out" 2>&1
status=$?
check builds "$(tail -n 3 "$dir/out")" test "$status" = 0
check programs "" says 'programs  *yes'
check select "" says "select plugin  *no  *$dir is no source of Slurm"
check mpi "" says 'MPI library  *no  *no mpicc in PATH'
check tokens "" says 'tokens  *no  *left out'
check costs "" test "$(grep -c '^  *missing: ' "$dir/out")" = 4
check width "" test "$(grep -v / "$dir/out" | wc -L)" -le 80
check no_libjwt "predictd needs it" \
	test -z "$(ldd "$dir/build/sbin/predictd" | grep libjwt)"
printf "%s\n" Database=dbname=none Listen="unix:$dir/socket" "TokenKey=$dir/key" \
	>"$dir/predict.conf"
"$dir/build/sbin/predictd" --check -f "$dir/predict.conf" >"$dir/checks" 2>&1
check refused "$(grep tokens "$dir/checks")" \
	grep -q 'tokens.*this predictd is built without libjwt' "$dir/checks"

check libjwt_1.10.2 "" libjwt_is 1.10.2
check libjwt_2.1.1 "" libjwt_is 2.1.1
for version in 1.7.4 3.0.0 3.2.2; do
	check "libjwt_$version" "it counts as good" is_not libjwt_is "$version"
done
check libjwt_said "$(cat "$dir/err")" \
	grep -q 'libjwt 1.8 or later is needed, below 3, and 3.2.2 is here' \
	"$dir/err"

# --- make help: what a stranger wants comes first -----------------------------

make -s --no-print-directory help >"$dir/help"
check help "$(head -n 9 "$dir/help")" test "$(awk 'NR < 10 { print $2 }' \
	"$dir/help" | xargs)" = \
	"demo check check-quick deps all install uninstall deb rpm"
check help_all "" test "$(grep -c '^make ' "$dir/help")" = \
	"$(cat Makefile ./*/*/*.mk ./*/*/*/*.mk | grep -c '^## make ')"
exit "$failed"
