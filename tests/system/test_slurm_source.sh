#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_slurm_source.sh - make SLURM_SRC=DIR, after a try that failed and
# another DIR
#
# usage: test_slurm_source.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath -- "${1:?usage: test_slurm_source.sh BUILD}")
dir=$build/slurm-source
failed=0

rm -rf "$dir"
mkdir -p "$dir"

# source_make NAME MICRO: as much of a source tree as is looked at
source_make() {
	mkdir -p "$dir/$1/src/slurmctld" "$dir/$1/slurm"
	: >"$dir/$1/src/slurmctld/slurmctld.h"
	: >"$dir/$1/slurm/slurm.h"
	printf '%s\n' 'Major: 22' 'Minor: 05' "Micro: $2" >"$dir/$1/META"
}

# headers SLURM_SRC: the version whose headers are there then; nothing: none
headers() {
	make -s -C "$here/../.." BUILD="$dir/build" SLURM_SRC="$1" \
		"$dir/build/slurm/ready" >/dev/null
	sed -n 's/.*VERSION_STRING "\(.*\)"/\1/p' \
		"$dir/build/slurm/include/slurm/slurm_version.h" 2>/dev/null || :
}

# same NAME EXPECTED GOT
same() {
	if [[ $3 == "$2" ]]; then
		echo "ok slurm_source_$1"
	else
		echo "not ok slurm_source_$1 - '$3' instead of '$2'"
		failed=1
	fi
}

source_make one 8
source_make two 9
mkdir "$dir/empty"
same missing "" "$(headers "$dir/none")"
same no_source "" "$(headers "$dir/empty")"
same says_why "$dir/empty is no source of Slurm" "$(<"$dir/build/slurm/ready")"
same after_failures 22.05.8 "$(headers "$dir/one")"
same another 22.05.9 "$(headers "$dir/two")"
same failure_again "" "$(headers "$dir/empty")"

# --- Releases not tried, and micro releases not compared ----------------------

. "$here/needs.bash"
need_select slurm_source_releases "$build"
source=$(dirname "$(readlink -f "$build/slurm/include/src")")
mkdir -p "$dir/data" "$dir/headers/slurm-any" "$dir/tree"
cp -r "$source"/{META,src,slurm} "$dir/headers/slurm-any"
meta=$dir/headers/slurm-any/META

# checked: the last two lines of check-headers for these headers
checked() {
	tar -cf "$dir/data/slurm-any.tar.xz" --use-compress-program='xz -0' \
		-C "$dir/headers" slurm-any
	COMPILERS=gcc CPPFLAGS="-D_GNU_SOURCE -I. -DSP_LIBDIR='\"/\"'" \
		tests/releases/check-headers "$dir/releases" "$dir/data" | tail -n 2
}

cd "$here/../.."
same compared $'any: ok\nbar releases_ok 1' "$(checked)"
sed -i 's/^\( *Micro:\).*/\1 99/' "$meta"
same not_compared "any: FAILED ($(awk '
	/Major:/ { major = $2 } /Minor:/ { minor = $2 + 0 }
	END { print major "." minor ".99" }' "$meta")$(
	) was not compared by tests/upgrade/layouts)"$'\nbar releases_ok 0' "$(checked)"
sed -i 's/^\( *Release:\).*/\1 0pre1/' "$meta"
same preview $'any: ok\nbar releases_ok 1' "$(checked)"

# A tree that has tried no release.
cp -r Makefile contrib plugin predictor collectors tests "$dir/tree"
sed -i 's/^\(#define RELEASE_UNTRIED\).*/\1 SLURM_VERSION_NUM(20, 11, 0)/' \
	"$dir/tree/plugin/site/releases.h"
untried() {
	make -s -C "$dir/tree" BUILD=build SLURM_SRC="$dir/headers/slurm-any" \
		build/lib/select/select_cons_tres.so >"$dir/log" 2>&1
	(cd "$dir/tree" && contrib/build-table build libjwt-1.8:3) |
		grep '^  select plugin'
}
mkdir -p "$dir/tree/build"
touch "$dir/tree/build/libraries"
same untried "  select plugin  yes   warning: Slurm" "$(untried | cut -c 1-37)"
echo 'extern int select_g_brand_new(void);' \
	>>"$(find "$dir/headers" -path '*/src/*' -name select.h |
		grep -E '/(common|interfaces)/')"
touch "$dir/tree/plugin/select/slurm-headers"
same untried_differs "  select plugin  no " "$(untried | cut -c 1-20)"
rm -rf "$dir"
((failed == 0))
