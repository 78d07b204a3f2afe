#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_farm_seen.sh - which MPI programs are recognised as farms
#
# usage: test_farm_seen.sh BUILD
#
# Two farms, a stencil and processes on four nodes, each watched by the MPI
# library, from their messages to what spredict shows; then farms are predicted
# for other nodes.
set -u
cd "$(dirname "$0")/../.." || exit 2

build=$(realpath "${1:?usage: test_farm_seen.sh BUILD}")
dir=$build/test_farm_seen
stack=contrib/stack/stack
cluster=contrib/cluster/cluster
tasks=600
failed=0

ok() { # NAME STATUS [WHY]
	if [ "$2" = 0 ]; then
		echo "ok $1"
	else
		echo "not ok $1 - ${3:-status $2}"
		failed=1
	fi
}

finish() {
	"$stack" down "$dir/stack" >/dev/null 2>&1
}
trap finish EXIT

# Outside of the cluster it would wait for slurmctld.
spredict() { "$cluster" run "$dir/stack/cluster" spredict "$@" </dev/null; }

# job PROGRAM ARGUMENT...: run it on all nodes, wait for its end
how=--predict-profile=mpi
job() {
	"$cluster" run "$dir/stack/cluster" "$PWD/tests/system/sbatch_wait" \
		-N4 -n4 --exclusive -t2 $how -J "$1" \
		-o "$dir/%j.out" "$dir/$1.sh" "${@:2}" >/dev/null 2>&1
}

# profile NAME FILTER: wait until jq's filter holds of the first profile
profile() {
	for _ in {1..60}; do
		spredict --json profile "$1" 2>/dev/null |
			jq -e ".profiles[0] | $2" >/dev/null && return 0
		sleep 0.5
	done
	return 1
}

rm -rf "$dir"
mkdir -p "$dir"
cp "$build/bin/sweep" "$build/bin/heat" "$dir" &&
	cp "$build/bin/sweep" "$dir/plain" &&
	mpicc -O1 -o "$dir/waitany" tests/system/mpi/waitany.c
ok programs-are-there $?
for program in sweep plain heat waitany; do
	cat >"$dir/$program.sh" <<END
#!/bin/bash
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self
export OMPI_MCA_btl_tcp_if_include=eth0 PRTE_MCA_prte_if_include=eth0
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
exec mpirun --bind-to none -np 4 $dir/$program "\$@"
END
	chmod +x "$dir/$program.sh"
done
"$stack" up "$dir/stack" "$build" --nodes 4 >"$dir/up.log" 2>&1
ok stack-is-up $? "$(tail -n 1 "$dir/up.log")"
[ "$failed" = 0 ] || exit 1
eval "$("$stack" env "$dir/stack")"

# What a collector has not begun to watch it misses.
watched() {
	"$stack" get "$dir/stack" '/v1/snapshot?cluster=little' 2>/dev/null |
		awk '$1 == "n" && $4 != "-"' | wc -l
}
for _ in {1..300}; do
	[ "$(watched)" != 4 ] || break
	sleep 0.2
done

# Nine processes on each node, two at a time.
cat >"$dir/batch.sh" <<'END'
#!/bin/bash
#PREDICT application=batch
srun -N4 -n4 bash -c 'for i in 3 5 4 6 3 5 4 6 3; do
	echo $((i * 60000)); done | xargs -n 1 -P 2 bash -c "
	for ((i = 0; i < \$0; i++)); do :; done"'
END
chmod +x "$dir/batch.sh"

job sweep -n $tasks -w 1500
ok farm-runs $? "$(cat "$dir"/*.out 2>&1)"
job heat -n 2000 -i 300
ok stencil-runs $? "$(cat "$dir"/*.out 2>&1)"
profile sweep '.farm.kind == "dynamic" and .farm.workers == 3 and
	.farm.hub == 0'
ok farm-is-recognised $? "$(spredict profile sweep 2>&1)"
# The last message to each worker is no task; of the CPU each takes about 4 ms,
# uniform within 80 %.
profile sweep "(.farm.tasks - $tasks | fabs) <= 3 and .farm.mu_s > 5e-4 and
	.farm.sigma_s / .farm.mu_s > .3 and .farm.sigma_s / .farm.mu_s < .8 and
	(.farm.alpha - .5 | fabs) < .05"
ok tasks-are-measured $? "$(spredict profile sweep 2>&1)"
spredict profile sweep | grep -q '^farm, dynamic: 3 workers, master on node 1;'
ok farm-is-shown $? "$(spredict profile sweep 2>&1)"
profile heat '.runs == 1 and (has("farm") | not)'
ok stencil-is-no-farm $? "$(spredict profile heat 2>&1)"

# Whose receives are waited for later, of equal workers.
job waitany $tasks 1000
ok waiting-farm-runs $? "$(cat "$dir"/*.out 2>&1)"
profile waitany ".farm.kind == \"dynamic\" and .farm.workers == 3 and
	.farm.hub == 0 and (.farm.tasks - $tasks | fabs) <= 3"
ok waiting-farm-is-recognised $? "$(spredict profile waitany 2>&1)"

job batch
profile batch '.farm.kind == "processes" and .farm.workers == 8 and
	.farm.tasks >= 30 and .farm.tasks <= 45 and .farm.mu_s > .1'
ok processes-are-recognised $? "$(spredict profile batch 2>&1)"
spredict profile batch | grep -q '^farm, processes: 8 workers; [0-9]* tasks of'
ok processes-are-shown $? "$(spredict profile batch 2>&1)"

# Twice as many nodes have twice as many workers, who wait for the last tasks.
spredict --json curve -N 2-8 "$dir/batch.sh" >"$dir/curve.json" 2>&1
jq -e '.curve | .from_farm and (.points | map({ (.nodes | tostring): .median_s })
	| add | .["2"] / .["4"] > 1.4 and .["2"] / .["4"] < 2.6 and
	.["4"] / .["8"] > 1.2 and .["4"] / .["8"] < 2.6)' "$dir/curve.json" >/dev/null
ok processes-have-a-curve $? "$(cat "$dir/curve.json" 2>&1)"

# Of as much work on fewer workers, where no run was seen: what users are shown
# before and after is what the curve shows between.  Where conditions change
# faster than that, it is tried again.
curve() {
	spredict --json curve -N 2-8 --ntasks-per-node=1 --exclusive \
		"$dir/sweep.sh" -n $tasks -w 1500
}
predict() { # NODES
	spredict --json predict -N "$1" -n "$1" --exclusive "$dir/sweep.sh" \
		-n $tasks -w 1500
}
as_in_curve() { # NODES
	{ predict "$1"; curve; predict "$1"; } >"$dir/$1.json" 2>&1
	jq -es --argjson n "$1" '(.[1].curve.points[] | select(.nodes == $n) |
		.median_s) as $s | [.[0, 2].prediction.median_s] |
		min * .95 <= $s and $s <= max * 1.05' "$dir/$1.json" >/dev/null
}
for n in 2 3; do
	other=1
	for _ in {1..10}; do
		as_in_curve $n && other=0 && break
		sleep 2
	done
	ok "farm-of-$n-as-in-the-curve" $other "$(cat "$dir/$n.json")"
done

# One worker takes about three times as long as three, whatever the quota of
# nodes is.
{ predict 2; predict 4; predict 2; } >"$dir/quota.json" 2>&1
jq -es '[.[].prediction.median_s] | ([.[0, 2]] | max) / .[1] > 2 and
	([.[0, 2]] | min) / .[1] < 4.5' "$dir/quota.json" >/dev/null
ok farm-of-two-and-four $? "$(cat "$dir/quota.json")"

# Watched from outside, with equal workers: the next run is watched by MPI.  A
# machine that makes them unequal shows who got more.
how=
job plain -n $tasks -w 1500
profile plain '.farm.kind == "unclear" or .farm.kind == "dynamic"'
ok plain-farm-is-not-static $? "$(spredict profile plain 2>&1)"
job plain -n $tasks -w 1500
profile plain '.farm.kind == "dynamic"'
ok plain-farm-is-profiled-by-mpi $? "$(spredict profile plain 2>&1)"

"$stack" kill "$dir/stack" predictd
echo ProfileEvery=0 >>"$dir/stack/etc/predict.conf"
"$stack" start "$dir/stack" predictd && "$stack" wait "$dir/stack"
profile sweep '.farm.kind == "dynamic"'
ok known-after-a-restart $? "$(spredict profile sweep 2>&1)"
exit "$failed"
