#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_farm.sh - libpredict_farm and predict-farm on the nodes of a real cluster
#
# No task may be lost, and none collected twice, also when a worker's process
# stops for good on the way; command lines are logged as they end, and those
# that are logged are passed over when it is resumed.  The library sends as
# many chunks as the simulation, given what the library measured.
#
# Runs alone: it judges which workers are silent.
#
# usage: test_farm.sh BUILD
# shellcheck disable=SC2016 # scripts of jobs are expanded when they run
set -u -o pipefail
cd "$(dirname "$0")/../.." || exit 2

build=$(realpath -- "${1:?usage: test_farm.sh BUILD}")
cluster=contrib/cluster/cluster
dir=$build/farm
test=farm
# shellcheck source=checks.bash
. tests/system/checks.bash

finish() {
	local status=$?

	"$cluster" down "$dir/cluster" || status=1
	((status || failed)) || rm -rf "$dir"
	exit $((status || failed))
}

# check NAME WHAT-IS-WRONG COMMAND...: one test
same() { [[ $1 == "$2" ]]; }

# job SCRIPT: run it as a job on all nodes, print what it prints; its status
job() {
	local i

	rm -f "$dir/out" "$dir/status"
	"$cluster" run "$dir/cluster" sbatch -N4 --ntasks-per-node=1 \
		-o "$dir/out" --wrap "(
		export OMPI_MCA_btl=tcp,vader,self
		export OMPI_MCA_btl_tcp_if_include=eth0
		export PRTE_MCA_prte_if_include=eth0
		export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
		$1)
		echo \$? >$dir/status.new; mv $dir/status.new $dir/status" \
		>/dev/null </dev/null
	for ((i = 0; i < 600; i++)); do
		[[ -e $dir/status ]] && break
		sleep 0.2
	done
	cat "$dir/out"
	return "$(cat "$dir/status" || echo 255)"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
make -s BUILD="$build" farm || exit
mpicc -I. -o "$dir/farm" tests/system/mpi/farm.c -L"$build/lib" \
	-lpredict_farm -Wl,-rpath,"$build/lib" || exit
"$cluster" up "$dir/cluster" --nodes 4 >/dev/null || exit

# --- The library --------------------------------------------------------------

out=$(job "for policy in none fsc dpf daf shared; do
	mpirun --bind-to none -np 4 $dir/farm 240 5 \$policy 0 || exit
done")
check policies "$out" same \
	"$(grep -c 'rc 0 missing 0 twice 0 wrong 0 again 0 silent 0' \
		<<<"$out")" 25
# Five iterations of each policy.  The last three have chunks by what was
# measured; sigma changes on the way, but is logged at their ends only.
policies=(none fsc dpf daf shared)
for i in "${!policies[@]}"; do
	chunks=$(sed -n "$((5 * i + 3)),$((5 * i + 5))p" <<<"$out" |
		awk '{ sent += $(NF - 2); simulated += $NF }
			$(NF - 2) != $NF { unequal++ }
			END { print unequal + 0, sent / simulated, sent / 720 }')
	read -r unequal ratio each <<<"$chunks"
	if ((i < 3)); then
		check "chunks_${policies[i]}" "$out" same "$unequal" 0
	else
		check "chunks_${policies[i]}" "$ratio: $out" \
			awk -v r="$ratio" -v e="$each" \
			'BEGIN { exit !(r > .85 && r < 1.15 && e < .9) }'
	fi
done
out=$(job "mpirun --bind-to none -np 5 --oversubscribe $dir/farm 200 4 shared 1 2")
check stopped "$out" same \
	"$(grep -c 'rc 0 missing 0 twice 0 wrong 0' <<<"$out")" 4
check again "$out" grep -q '^iteration 2 .* again [1-9].* silent 1 ' <<<"$out"
check goes_on "$out" grep -q '^iteration 4 .* again 0 silent 1 workers 3' \
	<<<"$out"
out=$(job "mpirun --bind-to none -np 2 $dir/farm 40 2 shared 0.3 1")
check nobody "$out" grep -q '^iteration 2 rc -1 missing [1-9]' <<<"$out"

# --- Command lines ------------------------------------------------------------

# What cannot start must not pass for one command that failed.
for launcher in "$dir/none" false true; do
	"$build/bin/predict-farm" --launcher="$launcher" <<<true >/dev/null 2>&1
	check "launcher_${launcher##*/}" "it is $?" same $? 254
done

for i in {1..24}; do
	echo "echo task \$PREDICT_FARM_TASK on \$(hostname); echo $i >&2; [ $i -ne 7 ]"
done >"$dir/commands"
out=$(job "$build/bin/predict-farm --joblog=$dir/log $dir/commands 2>/dev/null")
check status "it is $?" same $? 1
check output "$out" same "$(grep -oE 'task [0-9]+' <<<"$out" | sort -u | wc -l)" 24
check nodes "$out" same "$(grep -oE 'on n[1-4]$' <<<"$out" | sort -u | wc -l)" 4
check log "@$dir/log" same \
	"$(awk -F'\t' 'NR > 1 { print $1, $7, $8 }' "$dir/log" | sort -n)" \
	"$(for i in {1..24}; do echo "$i $((i == 7)) 0"; done)"
sed -i '/^1[0-9]\t/d' "$dir/log"
out=$(job "$build/bin/predict-farm --joblog=$dir/log --resume $dir/commands \
	2>/dev/null")
check resume "$out" same "$(grep -oE 'task [0-9]+' <<<"$out" | sort -V)" \
	"$(printf 'task %s\n' {10..19})"
check resumed_log "@$dir/log" same "$(wc -l <"$dir/log")" 25
out=$(job "$build/bin/predict-farm --joblog=$dir/log --resume-failed \
	$dir/commands 2>/dev/null")
check resume_failed "$out" same "$(grep -oE 'task [0-9]+' <<<"$out")" "task 7"
out=$(job "printf '%s\n' 'kill -9 \$\$' 'sleep 30' |
	$build/bin/predict-farm --timeout=0.5 --joblog=$dir/log2 2>/dev/null")
check failed "it is $?, $out" same $? 2
check signals "@$dir/log2" same \
	"$(awk -F'\t' 'NR > 1 { print $1, $8 }' "$dir/log2" | sort -n)" "1 9
2 15"

# --- Python -------------------------------------------------------------------

cat >"$dir/squares.py" <<'END'
import os, sys
from predict_farm import Executor

def square(n):
    if n == 13:
        raise ValueError("thirteen")
    return n * n, os.uname().nodename

with Executor() as executor:
    if executor is not None:
        results = list(executor.map(square, range(13)))
        failed = executor.submit(square, 13).exception()
        print(sum(n for n, _ in results), failed)
END
out=$(job "export PREDICT_FARM_LIBRARY=$build/lib/libpredict_farm.so
	PYTHONPATH=$build/lib mpirun --bind-to none -np 4 python3 $dir/squares.py")
check python "$out" same "$out" "650 thirteen"
