#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fault_setuid.sh - jobs that are profiled by a library, and setuid programs
#
# A job with --predict-profile=mpi or trace runs a program that belongs to
# another user and is setuid.  That gets its owner's rights, has no library of
# ours inside, as little as what it runs itself, and says nothing of it; the
# same program without setuid has the library.  The run is recorded, and nobody
# but the job's user has written into its folders.
#
# usage: fault_setuid.sh BUILD
# shellcheck disable=SC2016,SC2317 # scripts of jobs are expanded when they run
set -u -o pipefail

conninfo='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: fault_setuid.sh BUILD}")
dir=$build/setuid
test=setuid
user=65534 owner=1 # nobody and daemon: Slurm runs no jobs of unknown users
# shellcheck source=../system/checks.bash
. "$here/../system/checks.bash"
# shellcheck source=../system/needs.bash
. "$here/../system/needs.bash"

# Programs that say as whom they run, and whether the library is in them; then
# their first argument, if any, does so as well.
make_programs() {
	gcc -O1 -o "$dir/plain" -x c - <<-'END' || return
		#include <stdio.h>
		#include <string.h>
		#include <unistd.h>
		int main(int count, char *words[])
		{
			char line[4096];
			int inside = 0;
			FILE *maps = fopen("/proc/self/maps", "r");
			while (maps && fgets(line, sizeof line, maps))
				inside |= strstr(line, "libpredict_mpi") != NULL;
			printf("%s %d\n", geteuid() == 1 ? "owner" : "user",
			       maps ? inside : 2);
			fflush(stdout);
			if (count > 1)
				execl(words[1], words[1], NULL);
			return 0;
		}
	END
	cp "$dir/plain" "$dir/setuid" &&
		chown $owner:$owner "$dir/setuid" && chmod 6755 "$dir/setuid"
}
works() {
	[[ $(setpriv --reuid=$user --regid=$user --clear-groups \
		"$dir/setuid") == owner* ]]
}

# submit KIND: the job's id
submit() {
	printf '#!/bin/sh\n%s\n' "$dir/plain; $dir/setuid; $dir/setuid $dir/plain" |
		as_submits "$@"
}
as_submits() {
	"$cluster" run "$dir/cluster" setpriv --reuid=$user --regid=$user \
		--clear-groups sbatch --parsable -D /tmp -t 1 \
		--predict-profile="$1" -o "$dir/out/$1" -e "$dir/out/$1.err" \
		2>/dev/null | tail -n 1
}
stored() {
	[[ $(psql -XAtq "$conninfo" -c "SELECT count(*) FROM predict.runs
		WHERE state = 'COMPLETED'") == "$1" ]]
}
says() { # KIND
	[[ $(<"$dir/out/$1") == $'user 1\nowner 0\nowner 0\nowner 0' ]]
}
of_user_only() { ! find "$dir/spool" -uid $owner | grep -q .; }

rm -rf "$dir"
mkdir -p "$dir"
mkdir -m 777 "$dir/out"
make_programs || exit
works || {
	skip setuid "no setuid program runs in $dir"
	exit 0
}
trap finish EXIT
"$stack" up "$dir" "$build" --nodes 1 --cap 0
# shellcheck disable=SC1091
. "$dir/settings"
submit mpi >"$dir/ids"
submit trace >>"$dir/ids"
lost=0
until_true 60 stored 2 || lost=1
check recorded "the runs are not stored as completed" [ $lost = 0 ]
for kind in mpi trace; do
	check $kind "@$dir/out/$kind" says $kind
	check ${kind}_silent "@$dir/out/$kind.err" [ ! -s "$dir/out/$kind.err" ]
done
check written "files of the program's owner" of_user_only
echo "bar setuid_lost $lost"
