#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_memory_kinds.sh - memory of real jobs in real control groups
#
# A little cluster with proctrack/cgroup and task/cgroup: files that a job reads
# and memory that its processes share are told apart from its own.  Skipped
# where no groups of v1 can be made; those of v2 need systemd, and their files
# are read in tests/unit/predictor/base/test_job_memory.c.
#
# Runs alone: Slurm's groups are the machine's.
#
# usage: test_memory_kinds.sh BUILD
set -u -o pipefail

conninfo='' run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_memory_kinds.sh BUILD}")
dir=$build/memory_kinds
user=2
test=memory_kinds
# shellcheck source=checks.bash
. "$here/checks.bash"
# shellcheck source=needs.bash
. "$here/needs.bash"

for controller in memory freezer; do
	groups=/sys/fs/cgroup/$controller
	if [[ -e $groups/slurm ]]; then
		skip $test "a Slurm of this machine uses $groups"
		exit 0
	elif ! mkdir "$groups/predict_try" 2>/dev/null; then
		skip $test "no control groups can be made in $groups"
		exit 0
	fi
	rmdir "$groups/predict_try"
done

batch() { # ARGUMENT...
	as $user sbatch --parsable -o /dev/null -D /tmp "$@" 2>/dev/null
}
spredict() { as $user "$run/spredict" "$@" 2>&1; }
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }
# is TEXT EXPRESSION: it holds of this JSON, for jq
is() { jq -e "$2" <<<"$1" >/dev/null 2>&1; }
says() { grep -qE -- "$2" <<<"$1"; }
stored() {
	(($(sql "SELECT count(*) FROM runs r JOIN run_shares s USING (job_id)
		WHERE state = 'COMPLETED'") >= $1))
}
# shellcheck disable=SC2317 # for the trap
end() {
	find /sys/fs/cgroup/{memory,freezer}/slurm -depth -type d \
		-exec rmdir {} + 2>/dev/null
	(exit "${1:-0}")
	finish
}

rm -rf "$dir"
mkdir -p "$dir/cluster/etc"
trap 'end $?' EXIT
cat >"$dir/groups.conf" <<'END'
ProctrackType=proctrack/cgroup
TaskPlugin=task/cgroup
END
cat >"$dir/cluster/etc/cgroup.conf" <<'END'
CgroupPlugin=cgroup/v1
CgroupMountpoint=/sys/fs/cgroup
ConstrainRAMSpace=yes
END
"$stack" up "$dir" "$build" --cap 0 --nodes 1 --conf "$dir/groups.conf" || exit
# shellcheck disable=SC1091
. "$dir/settings"
chmod 755 "$run"
cp "$build/bin/spredict" "$run/"

# 300 MB of its own, and a file of 2 GB, of which 1 GB is mapped, too.
cat >"$run/reads.py" <<'END'
import mmap, tempfile, time
own = bytearray(300 << 20)
for at in range(0, len(own), 4096):
    own[at] = 1
with tempfile.TemporaryFile(buffering=0) as file:
    file.truncate(2 << 30)
    while file.read(1 << 20):
        pass
    mapped = mmap.mmap(file.fileno(), 1 << 30, prot=mmap.PROT_READ)
    for at in range(0, len(mapped), 4096):
        mapped[at]
time.sleep(3)
END
# Four processes that share 500 MB.
cat >"$run/shares.py" <<'END'
import mmap, os, time
shared = mmap.mmap(-1, 500 << 20)
for _ in range(3):
    if os.fork() == 0:
        break
for at in range(0, len(shared), 4096):
    shared[at] = 1
time.sleep(4)
END
# 400 MB for less than a moment.
cat >"$run/spike.py" <<'END'
own = bytearray(400 << 20)
for at in range(0, len(own), 4096):
    own[at] = 1
END
for name in reads shares spike; do
	printf '#!/bin/bash\npython3 %s/%s.py\nwait\n' "$run" $name \
		>"$run/$name.sh"
done
chmod 755 "$run"/*.{py,sh}

for _ in 1 2 3; do
	reads=$(batch -n1 --mem=3000 -t 9 "$run/reads.sh")
done
shares=$(batch -n1 --mem=3000 -t 9 "$run/shares.sh")
spike=$(batch -n1 --mem=3000 -t 9 "$run/spike.sh")
check stored "$(sql 'SELECT job_id, state FROM runs'; as 0 squeue)" \
	until_true 120 stored 5
kinds=$(sql 'SELECT job_id, peak_memory_mb, own_memory_mb, task_memory_mb,
	cached_memory_mb FROM run_nodes ORDER BY job_id')

# use ID EXPRESSION: what the job is told
use() { is "$(spredict --json job "$1")" ".use | $2"; }
check reads "$kinds" use "$reads" '(.peak_memory_mb > 290 and
	.peak_memory_mb < 345 and .cached_memory_mb > 2000)'
check kinds "$kinds" says "$(sql "SELECT own_memory_mb > 290,
	own_memory_mb < 345, task_memory_mb > 1290, cached_memory_mb > 2000
	FROM run_nodes WHERE job_id = $reads")" '^t.t.t.t$'
check shares "$kinds" use "$shares" '(.peak_memory_mb > 500 and
	.peak_memory_mb < 600)'
check spike "$kinds" use "$spike" '(.peak_memory_mb > 400 and
	.peak_memory_mb < 440)'
text=$(spredict job "$reads")
check row "$text" says "$text" '^Memory used  *3[0-9]+M, 1[0-9] % of 2\.9G'
check cache_row "$text" says "$text" '^With file cache  *2\.[0-9]G'
check advice "$text" says "$text" '^Ask next time .*--mem=[67][0-9]+M'
exit $failed
