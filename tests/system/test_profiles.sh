#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_profiles.sh - an MPI job that is watched, from its packets to its profile
#
# usage: test_profiles.sh BUILD
#
# The pipeline program on two nodes: how many messages it sends is known.  It
# computes for a second and more in each job: a program that is gone within half
# a second may begin and end between two samples of the job's processes, and the
# job has no profile then.
set -u
cd "$(dirname "$0")/../.." || exit 2

build=$(realpath "${1:?usage: test_profiles.sh BUILD}")
dir=$build/test_profiles
stack=contrib/stack/stack
cluster=contrib/cluster/cluster
items=5000
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

# job MODE|auto [OPTION...]: run it, wait for its end; fails if it does
job() {
	local mode=(--predict-profile="$1")

	[ "$1" != auto ] || mode=()
	shift
	"$cluster" run "$dir/stack/cluster" "$PWD/tests/system/sbatch_wait" -N2 \
		-n2 --exclusive -t2 "${mode[@]}" -o "$dir/%j.out" \
		"$dir/job.sh" "$@" >/dev/null 2>&1
	! grep -L verified "$dir"/*.out | grep -q .
}

# query SQL
query() {
	psql -XAtq "$PREDICT_DATABASE" -c "$1"
}

# profiled N: wait until N shares of profiles are stored
profiled() {
	for _ in {1..60}; do
		[ "$(query 'SELECT count(*) FROM predict.run_profiles')" = \
			"$1" ] && return 0
		sleep 0.5
	done
	return 1
}

# mean_of_two: what spredict shows, in $text, once it is a mean of two runs.  A
# profile is known when the end of its run is stored, too, and read again.
mean_of_two() {
	for _ in {1..60}; do
		text=$(spredict profile pipeline 2>&1)
		! grep -q 'runs 2,' <<<"$text" || return 0
		sleep 0.5
	done
	return 1
}

rm -rf "$dir"
mkdir -p "$dir"
cat >"$dir/job.sh" <<END
#!/bin/bash
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self
export OMPI_MCA_btl_tcp_if_include=eth0 PRTE_MCA_prte_if_include=eth0
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
exec mpirun --bind-to none -np 2 $build/bin/pipeline -n $items -b 10 -w 24000 "\$@"
END
chmod +x "$dir/job.sh"
"$stack" up "$dir/stack" "$build" --nodes 2 >"$dir/up.log" 2>&1
ok stack-is-up $? "$(tail -n 1 "$dir/up.log")"
[ "$failed" = 0 ] || exit 1
eval "$("$stack" env "$dir/stack")"

job no
ok job-without-a-profile $?
job packets && profiled 2
ok packets-are-stored $?
job mpi && profiled 4
ok counts-of-mpi-are-stored $?

sent="SELECT m FROM predict.profile_details d,
	unnest(d.peer_names, d.peer_messages) p (n, m)
	WHERE d.node = 'n1' AND p.n = 'n2' AND d.source = "
packets=$(query "$sent 0")
exact=$(query "$sent 1")
# For the broadcast at the end Open MPI 5 may make a communicator of the nodes.
((${exact%.*} >= items && ${exact%.*} <= items + 4))
ok mpi-counts-exactly $? "$exact"
# The node before never waits for the one behind it; packets do not tell.
replies="SELECT count(*), count(r), sum(r) FROM predict.profile_details d,
	unnest(d.peer_replies) p (r) WHERE d.node = 'n1' AND d.source = "
[ "$(query "$replies 0")/$(query "$replies 1")" = '1|0|/1|1|0' ]
ok replies-are-stored $? "$(query "$replies 0") $(query "$replies 1")"
# Not all are read: what is sent last may be missing.
awk -v a="$packets" -v b="$items" \
	'BEGIN { exit !(a >= 0.95 * b && a <= 1.02 * b) }'
ok packets-tell-the-same $? "$packets of $items"

mean_of_two
ok spredict-shows-a-mean-of-two-runs $? "$text"
spredict --json profile pipeline |
	jq -e '.profiles[0] | .nodes == 2 and (.node_profiles | length) == 2
		and .node_profiles[0].cpu_available > 0' >/dev/null
ok json $?
here=tests/system
# shellcheck source-path=SCRIPTDIR
. "$here/json_paths.bash"
json_kept profile spredict --json profile pipeline
spredict profile nothing >/dev/null 2>&1
[ $? = 1 ]
ok unknown-application $?

"$stack" kill "$dir/stack" predictd
echo ProfileEvery=0 >>"$dir/stack/etc/predict.conf"
"$stack" start "$dir/stack" predictd && "$stack" wait "$dir/stack"
mean_of_two
ok known-after-a-restart $? "$text"

# Whoever profiles is gone with the collector; Slurm does not notice.
"$stack" kill "$dir/stack" collectord n2
"$stack" start "$dir/stack" collectord n2
job packets && profiled 6
ok after-a-collector-died $?

# Messages of 160 KB: each is long.
for mode in packets mpi; do
	job "$mode" -n 100 -b 20000 -w 600
	ok "long-messages-$mode" $?
done
profiled 10
ok long-messages-are-stored $? "$(query 'SELECT count(*)
	FROM predict.run_profiles') of 10"
long="SELECT max(l) FROM predict.profile_details d,
	unnest(d.peer_long_messages) p (l) WHERE d.node = 'n1' AND d.source = "
packets=$(query "$long 0")
exact=$(query "$long 1")
awk -v a="$packets" -v b="$exact" \
	'BEGIN { exit !(a >= 0.9 * b && a <= 1.02 * b && b == 100) }'
ok long-messages-are-counted $? "$packets, $exact of 100"

# Each node is a control group of its own: what else the machine does is not
# in it.
left="SELECT min(cpu_left) FROM predict.run_profiles"
awk -v a="$(query "$left")" 'BEGIN { exit !(a > 0.9 && a <= 1) }'
ok nothing-is-shared $? "$(query "$left")"
before=$(spredict --json profile pipeline | jq '[.profiles[].runs] | add')
"$cluster" load "$dir/stack/cluster" n1 1
job packets && profiled 12
ok profile-beside-a-competitor $?
"$cluster" load "$dir/stack/cluster" n1 0
left="SELECT cpu_left FROM predict.profile_details WHERE job_id =
	(SELECT max(job_id) FROM predict.run_profiles) ORDER BY node"
query "$left" | awk 'NR == 1 { one = $1 } NR == 2 { two = $1 }
	END { exit !(one > 0.2 && one < 0.75 && two > 0.9 && two <= 1) }'
ok competitor-is-seen $? "$(query "$left" | xargs)"
for _ in {1..60}; do
	runs=$(spredict --json profile pipeline | jq '[.profiles[].runs] | add')
	[ "$runs" -le "$before" ] || break
	sleep 0.5
done
spredict --json profile pipeline | jq -e '[.profiles[] |
	select(.parameters.n == '$items') | [.runs, ([.node_profiles[].cpu_left]
	| min > 0.9)]] | sort == [[1, false], [3, true]]' >/dev/null
ok competitor-has-a-profile-apart $? "$(spredict profile pipeline)"

# Another application, of which nothing is known; what it needs is decided
# for it.
sed 's|/pipeline .*|/heat -n 2000 -i 500 "$@"|' "$dir/job.sh" >"$dir/new.sh"
mv "$dir/new.sh" "$dir/job.sh"
chmod +x "$dir/job.sh"
"$cluster" load "$dir/stack/cluster" n1 1
job auto
profiled 14
ok unknown-application-is-profiled $? "$(query 'SELECT count(*)
	FROM predict.run_profiles') of 14"
"$cluster" load "$dir/stack/cluster" n1 0
until_known() { # RUNS
	for _ in {1..60}; do
		[ "$(spredict --json profile heat 2>/dev/null |
			jq '[.profiles[].runs] | add')" != "$1" ] || return 0
		sleep 0.5
	done
	return 1
}
until_known 1
ok its-profile-is-known $?
job auto
profiled 16
ok profiled-until-undisturbed $? "$(query 'SELECT count(*)
	FROM predict.run_profiles') of 16"
until_known 2
ok both-are-known $? "$(spredict profile heat)"
job auto -n 2001
sleep 3
[ "$(query 'SELECT count(*) FROM predict.run_profiles')" = 16 ]
ok not-profiled-again $? "$(query 'SELECT count(*)
	FROM predict.run_profiles') of 16"
exit "$failed"
