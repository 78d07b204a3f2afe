#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_traced_job.sh - a job that is traced, and where it would have been faster
#
# The whole way on a real cluster: sbatch --predict-profile=trace, the MPI
# library, collectord of four nodes, predictd and its PostgreSQL, spredict
# whatif and critical; a job whose ranks go where a host file of spredict
# says; one that runs two MPI programs; one whose load balancing factor is
# computed while it runs; and one of a user who names a function of a program
# without hooks.
#
# usage: test_traced_job.sh BUILD
set -u -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_traced_job.sh BUILD}")
dir=$build/traced_job
test=traced_job
# shellcheck source=checks.bash
. "$here/checks.bash"

in_cluster() { "$contrib/cluster/cluster" run "$dir/cluster" "$@" </dev/null; }
# Outside of the cluster it would wait for slurmctld.
spredict() { in_cluster spredict "$@"; }

# submit ARGUMENT...: a job of heat, whose ranks have unequal strips, to its end
submit() {
	in_cluster "$here/sbatch_wait" -N4 --ntasks-per-node=1 -t 3 "$@" \
		-o "$dir/out" "$contrib/mpi/heat.sbatch" -n 1600 -i 200 -u \
		>/dev/null 2>&1
}

# What spredict says of job 1, as a file of that name.
whatif() {
	spredict --json whatif 1 --as-recorded "${@:2}" >"$dir/$1.json" \
		2>"$dir/$1.err"
}
value() { jq -r "$2" "$dir/$1.json"; }
answered() { whatif same --place=n1:1,n2:1,n3:1,n4:1; }
holds() { jq -e "$2" "$dir/$1.json" >/dev/null; }
swept() { ! find "$dir"/spool/*/traces -mindepth 1 | grep -q .; }
critical() {
	spredict critical --application=heat --ranks=4 >"$dir/critical" 2>&1 &&
		grep -qx "job  *1 of $(id -un)" "$dir/critical"
}
# Ranks 1 and 2 have 5 and 4 parts of the work, rank 0 has 2: a difference that
# is seen beside other programs, too.
unequal() { awk '$1 ~ /^[0-3]$/ { s[$1] = $3 } END { exit !(s[0] > 0 &&
	s[1] > 1.2 * s[0] && s[2] > 1.2 * s[0]) }' "$dir/critical"; }
# What is known for the next run, from this one.
alike() {
	spredict --json whatif --application=heat --ranks=4 --as-recorded \
		--best >"$dir/alike.json" 2>"$dir/alike.err" &&
		holds alike '.whatif.job_id == 1'
}
# ask NAME QUESTION: the same over HTTP, as a file of that name
ask() {
	curl -sS --max-time 30 --unix-socket "${PREDICTD_URL#unix:}" \
		http://x/v1/whatif -d "$2" >"$dir/$1.json" 2>"$dir/$1.err"
}
by_application() {
	ask by_application '{ "application": "heat", "ranks": 4, "conditions":
		"then", "place": "n1:1,n2:1,n3:1,n4:1" }' &&
		holds by_application '.whatif | .job_id == 1 and .seen == 1 and
			.user == "'"$(id -un)"'" and
			(.there_s / .measured_s - 1 | fabs) < .001'
}
# The newest run and the one before, which did the same.
of_both() {
	ask of_both '{ "application": "heat", "ranks": 4, "conditions": "then",
		"place": "n1:4" }' &&
		holds of_both '.whatif | .job_id > 1 and .traces == 2' &&
		spredict whatif --application=heat --ranks=4 --as-recorded \
			--place=n1:4 >"$dir/both" 2>&1 &&
		grep -q "^rests on  *two traces" "$dir/both"
}
not_both() {
	ask not_both '{ "application": "heat", "job_id": 1, "swap": true }' &&
		holds not_both '.errors[0].error | test("one of")'
}
# The nodes of the ranks of a job that is given a host file for n3, n1, n4, n2.
as_ordered() {
	whatif order --place=n3,n1,n4,n2 --hostfile="$dir/hosts" || return
	in_cluster "$here/sbatch_wait" -N4 --ntasks-per-node=1 -t 1 -o "$dir/ranks" \
		--export="ALL,SLURM_HOSTFILE=$dir/hosts" --wrap \
		'srun -m arbitrary sh -c "echo \$SLURM_PROCID \$SLURMD_NODENAME"' \
		>/dev/null 2>&1 &&
		[[ $(sort -n "$dir/ranks") == $'0 n3\n1 n1\n2 n4\n3 n2' ]]
}
# A program of two ranks, then one of four, in one step; and time that is
# of neither.
submit_two() {
	cat >"$dir/two.sbatch" <<-EOF
		#!/bin/bash
		SLURM_NTASKS=2 HEAT=nbody bash "$contrib/mpi/heat.sbatch" -n 200 -s 20
		sleep 4
		bash "$contrib/mpi/heat.sbatch" -n 1200 -i 150 -u
	EOF
	two=$(in_cluster "$here/sbatch_wait" -N4 --ntasks-per-node=1 -t 3 \
		--predict-profile=trace -o "$dir/two.out" \
		"$dir/two.sbatch" 2>/dev/null)
}
# Both are there, each with all of its ranks.
two_arrived() {
	curl -sS --max-time 30 --unix-socket "${PREDICTD_URL#unix:}" \
		"http://x/v1/traces?job_id=$two" >"$dir/two.json" 2>"$dir/two.err" &&
		jq -e '[.traces[] | .programs, (.ranks | length)] | sort ==
			[2, 2, 2, 4]' "$dir/two.json" >/dev/null
}
# The longer one, by its own time, which it says itself, without its start.
of_the_longer() {
	spredict --json whatif "$two" --as-recorded \
		--place=n1:1,n2:1,n3:1,n4:1 >"$dir/longer.json" 2>&1 &&
		jq -e --argjson took "$(awk '/points/ { print $(NF - 1) }' \
			"$dir/two.out")" '.whatif | .program == "heat" and
			.programs == 2 and .seen == 1 and
			.measured_s > $took - .001 and
			.measured_s < $took + 2 and
			.job_s > .measured_s + 4 and
			(.there_s / .measured_s - 1 | fabs) < .001' \
			"$dir/longer.json" >/dev/null &&
		spredict whatif "$two" --as-recorded --place=n1:4 \
			>"$dir/longer" 2>&1 &&
		tr -s ' \n' ' ' <"$dir/longer" | grep -q \
			"program heat, begun .*: one of 2 in the job's .*, the longest "
}
# A server's procedure: in the running program, in CPU time as measured, and by
# the replay of its trace, where that is of a CPU of speed 1.
submit_lbf() {
	lbf=$(in_cluster "$here/sbatch_wait" -N3 --ntasks-per-node=1 -t 3 \
		--predict-profile=lbf -o "$dir/lbf.out" \
		--export=ALL,HEAT=clients,PREDICT_TRACE_PROCEDURE=serve_first \
		"$contrib/mpi/heat.sbatch" -n 20 -w 10 2>/dev/null)
}
online() {
	spredict --json procedures "$lbf" >"$dir/lbf.json" 2>&1 &&
		jq -e '.procedures[0] | .time_s > 0 and .online_moved_s > 0 and
			(.moved_s / .path_s * .online_path_s / .online_moved_s
				- 1 | fabs) < .1' \
			"$dir/lbf.json" >/dev/null
}
# The same program without hooks.
submit_clients() {
	plain=$(in_cluster "$here/sbatch_wait" -N4 --ntasks-per-node=1 -t 3 \
		--predict-profile=trace -o "$dir/clients.out" \
		--export="ALL,HEAT=$dir/clients,PREDICT_TRACE_PROCEDURE=serve_first" \
		"$contrib/mpi/heat.sbatch" -n 30 -w 10 2>/dev/null)
}
procedure() {
	spredict --json procedures "$plain" \
		>"$dir/procedures.json" 2>"$dir/procedures.err"
}
unmeasured() {
	holds procedures '.procedures == [] and
		(.unmeasured[0].reason | test("instrument-functions"))'
}
# The id of a job of the same application, to its end, without a trace.
submit_untraced() {
	untraced=$(in_cluster "$here/sbatch_wait" -N4 --ntasks-per-node=1 -t 3 \
		--predict-profile=no -o "$dir/out" "$contrib/mpi/heat.sbatch" \
		-n 1600 -i 200 -u 2>/dev/null)
}
not_traced() {
	! spredict whatif "$untraced" --nodes=n1 >"$dir/untraced" 2>&1 &&
		grep -q trace "$dir/untraced"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0 || exit
eval "$("$stack" env "$dir")"

mpicc -O2 -I"$here/../.." -o "$dir/clients" "$here/../workloads/clients.c" -lm ||
	exit
check ran "@$dir/out" submit --predict-profile=trace
check arrived "@$dir/same.err" until_true 60 answered
check as_measured "@$dir/same.json" \
	holds same '.whatif | (.there_s / .measured_s - 1 | fabs) < .001'
whatif one --place=n1:4
check on_one_node "@$dir/one.json:$dir/one.err" \
	holds one '.whatif | .there_s > .here_s and .denser and
		.high_s > 1.3 * .measured_s and (.ranks | length) == 4'
whatif best --best
check best "@$dir/best.json:$dir/best.err" \
	holds best '.whatif | .there_s <= 1.001 * .here_s'
check alike "@$dir/alike.json:$dir/alike.err" until_true 30 alike
check by_application "@$dir/by_application.json" by_application
check not_both "@$dir/not_both.json" not_both
check order "@$dir/hosts:$dir/ranks:$dir/order.err" as_ordered
check critical "@$dir/critical" critical
check work_of_ranks "@$dir/critical" unequal
check ran_again "@$dir/out" submit --predict-profile=trace
check of_both "@$dir/of_both.json:$dir/both" until_true 60 of_both
check files_gone "$(find "$dir"/spool/*/traces)" until_true 30 swept
check two_ran "@$dir/two.out" submit_two
check two_arrived "$(cut -c1-300 "$dir/two.json" "$dir/two.err" 2>&1)" \
	until_true 60 two_arrived
check of_the_longer "@$dir/two.out:$dir/longer.json:$dir/longer" \
	of_the_longer
check lbf_ran "@$dir/lbf.out" submit_lbf
check online "@$dir/lbf.json" until_true 60 online
check clients_ran "@$dir/clients.out" submit_clients
check clients_arrived "@$dir/procedures.err" until_true 60 procedure
check without_hooks "@$dir/procedures.json" unmeasured
check untraced_ran "@$dir/out" submit_untraced
check untraced "@$dir/untraced" not_traced
exit "$failed"
