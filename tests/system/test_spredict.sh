#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_spredict.sh - what spredict shows of real jobs on a real cluster
#
# usage: test_spredict.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_spredict.sh BUILD}")
dir=$build/spredict
failed=0

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status)) || rm -rf "$dir"
	exit "$status"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
STACK_TIMEOUT_MS=1000 "$stack" up "$dir" "$build" --cap 0
# shellcheck disable=SC1091
. "$dir/settings"
cp "$build/bin/spredict" "$run/" # where any user finds it

# in the controller's namespaces, as root: `on COMMAND...`
on() {
	"$contrib/cluster/cluster" run "$dir/cluster" "$@"
}

# expect NAME STATUS PATTERN ARGUMENT...: run spredict, check exit status and
# that all lines of PATTERN (regular expressions) are found in what it prints
expect() {
	local name=$1 status=$2 patterns=$3 got=0 text pattern

	shift 3
	text=$(on "${as[@]}" "$run/spredict" "$@" 2>&1) || got=$?
	if ((got != status)); then
		echo "not ok $name - exit status $got, not $status"
		failed=1
		printf '# %s\n' "$text"
		return
	fi
	while read -r pattern; do
		grep -qE -- "$pattern" <<<"$text" || {
			echo "not ok $name - no line like: $pattern"
			failed=1
			printf '# %s\n' "$text"
			return
		}
	done <<<"$patterns"
	echo "ok $name"
}
as=(env)

cat >"$dir/nap.sbatch" <<'END'
#!/bin/bash
#SBATCH -J nap -o /dev/null
sleep "$1"
END
submit() {
	on sbatch --parsable "$@" 2>/dev/null
}

expect spredict_predict_unknown 0 'no similar run.* 7m00' \
	predict -t7 --wrap 'some_other_program'
expect spredict_predict_nothing 0 'nothing is known' \
	predict --wrap 'some_other_program'

# The copy has no programs beside it.
expect spredict_without_tools 1 'spredict backtest is in package slurm-predict-tools' \
	backtest --swf=/dev/null
expect spredict_no_subcommand 2 'no subcommand ../spredict' ../spredict

# history: naps of one to three seconds, all at once
submit -N2 -t5 "$dir/nap.sbatch" 1 >/dev/null
done_id=0
for seconds in 1 2 3 1.5 2.5 3.5 1 2 3; do
	done_id=$(submit -n1 -t5 "$dir/nap.sbatch" "$seconds")
done
array_id=$(submit -n1 -t5 --array=1-2 "$dir/nap.sbatch" 1)
# one after the other on a node: what a start costs
submit -N1 -w n3 --exclusive -t5 --array=1-14 "$dir/nap.sbatch" 0.2 >/dev/null
known() {
	psql -XAtq "$conninfo" -c "SELECT count(*) FROM predict.runs
		WHERE state = 'COMPLETED'" 2>/dev/null || echo 0
}
for _ in {1..120}; do
	(($(known) < 26)) || break
	sleep 0.5
done
long_id=$(submit -n1 -t5 "$dir/nap.sbatch" 30)
held_id=$(submit -H -n1 -t5 "$dir/nap.sbatch" 2)
for _ in {1..40}; do
	[[ $(psql -XAtq "$conninfo" -c "SELECT state FROM predict.runs
		WHERE job_id = $long_id") != RUNNING ]] || break
	sleep 0.5
done

expect spredict_predict 0 '^Expected +[0-9.]+s, under [0-9.]+s with 90 %
^Based on +[1-9]
^Assumed nodes +n
^Conditions
^Model' predict -n1 -t5 "$dir/nap.sbatch" 2
expect spredict_predict_verbose 0 '^Other models' \
	predict -v -n1 -t5 "$dir/nap.sbatch" 2
expect spredict_predict_json 0 '"median_s": ' \
	predict --json "$dir/nap.sbatch" 2

# node sets: each node once, the best first
expect spredict_predict_sets 0 '^Best node sets:
^NODES +EXPECTED +RATIO +CPU
^n[^ ]+ +[0-9.]+s +1.00 +[0-9]+ %' predict -N2 -t5 "$dir/nap.sbatch" 2
# which of four are the best depends on the moment
expect spredict_predict_sets_of_one 0 '^Best node sets:
^n[1-4] +[0-9.]+s +1.00 +[0-9]+ %' predict -N1 -t5 "$dir/nap.sbatch" 2
on "${as[@]}" "$run/spredict" predict --json -N2 "$dir/nap.sbatch" 2 \
	>"$dir/sets.json"
if jq -e '(.sets | length) == 2 and .sets[0].ratio == 1 and
	.sets[0].median_s > 0 and .sets[0].nodes != .sets[1].nodes and
	.sets[1].ratio > 0.95' "$dir/sets.json" >/dev/null; then
	echo "ok spredict_predict_sets_json"
else
	echo "not ok spredict_predict_sets_json"
	failed=1
	jq -c .sets "$dir/sets.json" | sed 's/^/# /'
fi

expect spredict_job_ended 0 '^Job .* nap, COMPLETED
^Run time +[0-9.]+s
^On nodes +n' job "$done_id"
expect spredict_job_running 0 '^Job .*, RUNNING
^Progress +\[[#.]+\]
^Remaining
^Based on' job "$long_id"
expect spredict_job_waiting 0 '^Job .*, PENDING .JobHeldUser
^Expected' job "$held_id"
on scontrol requeuehold "$done_id"
expect spredict_job_requeued 0 '^Job .*, PENDING
^Expected' job "$done_id"
expect spredict_job_of_array 0 '^Job .*, COMPLETED' job "${array_id}_2"
expect spredict_job_json 0 '"state": ?"RUNNING"' --json job "$long_id"
expect spredict_job_unknown 1 'error: .*999999' job 999999
expect spredict_nodes 0 '^CLUSTER
 n1 .*yes
 n4 .*yes' nodes
expect spredict_nodes_json 0 '"cpu_load":' nodes --json
expect spredict_accuracy 0 '^MODEL
^predicted' accuracy
expect spredict_accuracy_verbose 0 '^regression +[0-9]
^limit' -v accuracy
expect spredict_accuracy_by 0 '^GROUP +STAGE
^sleep .* submission +[1-9]' accuracy --by=application --since=now-1days
expect spredict_accuracy_of_nobody 0 '^MODEL
^spredict: nothing matches' accuracy --user=no-such-user
expect spredict_queue_of_nobody 0 '^JOBID
^spredict: nothing matches' queue -u no-such-user
expect spredict_applications_nowhere 0 '^APPLICATION
^spredict: nothing matches' applications -M no-such-cluster
expect spredict_nodes_nowhere 0 '^CLUSTER
^spredict: nothing matches' nodes -M no-such-cluster
expect spredict_links_of_no_node 0 '^spredict: nothing matches' \
	links --node=no-such-node
expect spredict_accuracy_by_what 2 'by: not all' accuracy --by week
expect spredict_accuracy_since 2 'tomorrow' accuracy --since tomorrow
expect spredict_curve_of_one_number 1 'all runs are on the same number of nodes, 1: no curve' \
	curve -n1 -t5 "$dir/nap.sbatch" 2
expect spredict_curve 0 '^sleep.*: 5 runs on 1 to 2 nodes
^ +1 +[0-9.]+s .* 100 % .*
^ +4 +[0-9.]+s' curve -n1 -t5 "$dir/nap.sbatch" 1
expect spredict_curve_range 0 '"best": ?[23]' --json curve -N2-3 -t5 "$dir/nap.sbatch" 1
# the script is passed on as it is, the option is ours
expect spredict_curve_svg 0 '^sleep.*: 5 runs on 1 to 2 nodes' \
	curve -n1 -t5 "$dir/nap.sbatch" 1 --svg="$dir/curve.svg"
if python3 - "$dir/curve.svg" <<'END'; then
import sys, xml.etree.ElementTree as tree
text = " ".join(tree.parse(sys.argv[1]).getroot().itertext())
assert "from 5 runs on 1 to 2" in text and "efficient" in text, text
END
	echo "ok spredict_curve_plot"
else
	echo "not ok spredict_curve_plot"
	failed=1
fi
expect spredict_curve_svg_nowhere 1 'no/where.svg: No such file' \
	curve --svg=no/where.svg -n1 -t5 "$dir/nap.sbatch" 1
expect spredict_curve_unknown 1 'no runs' curve --wrap 'some_other_program'
expect spredict_bundle 0 '^sleep.*: 1000 tasks: [0-9]+ a job, in [0-9]+ jobs
^Starting a job +[0-9.]+ s .mean of 1[0-9] starts
^Saved +[0-9]
for \(\(i =' bundle --array=1-1000 -n1 -t5 "$dir/nap.sbatch" 0.2
expect spredict_bundle_json 0 '"plain": ?true' \
	bundle --json --array=1-1000 -n1 -t5 "$dir/nap.sbatch" 0.2
said=$(on sbatch -J bundled -H -n1 -t5 --array=1-100 "$dir/nap.sbatch" 0.2 2>&1)
if grep -q 'starting a job takes .* each of the 100 tasks .*spredict bundle' \
	<<<"$said"; then
	echo "ok spredict_bundle_at_submission"
else
	echo "not ok spredict_bundle_at_submission - $said"
	failed=1
fi
on scancel -n bundled
expect spredict_bundle_unknown 1 'no runs' bundle --array=1-9 --wrap 'some_other_program'
expect spredict_bundle_of_what 2 'array: missing' bundle "$dir/nap.sbatch" 1
expect spredict_bundle_no_array 2 'array: 9-1 is no' bundle -a 9-1 "$dir/nap.sbatch" 1
expect spredict_applications 0 '^APPLICATION
sleep +little +[1-9]' applications
expect spredict_applications_unclear 0 '^APPLICATION .* DIFFER' \
	applications --unclear
expect spredict_over_tcp 0 ' n1 ' --url="http://$CLUSTER_ADDRESS:7380" nodes
expect spredict_no_predictd 1 'predictd at unix:' --url=unix:/no/socket nodes
# What Slurm refuses, or what can never start, has no prediction; of what Slurm
# lets wait one is warned.  The real sbatch is the judge.
on scontrol create PartitionName=small Nodes='n[1-3]' MaxNodes=2 MaxTime=10 \
	>/dev/null
on scontrol create PartitionName=off Nodes=n1 State=INACTIVE >/dev/null
on scontrol create PartitionName=down Nodes=n1 State=DOWN >/dev/null
as_slurm() { # NAME STATUS PATTERN OPTION...
	local name=$1 status=$2 pattern=$3 job got=0

	shift 3
	job=$(on sbatch --parsable "$@" -o /dev/null "$dir/nap.sbatch" 1 \
		2>/dev/null) || got=1
	((got)) || on scancel "$job"
	if ((got != status)); then
		echo "not ok ${name}_slurm - sbatch $*: $got"
		failed=1
	fi
	expect "$name" "$status" "$pattern" predict "$@" "$dir/nap.sbatch" 1
}
as_slurm spredict_refused_partition 1 \
	'error: Slurm would refuse this job: there is no partition nosuch' -p nosuch
as_slurm spredict_refused_second 1 'there is no partition nosuch' \
	-p main,nosuch
as_slurm spredict_refused_off 1 'off takes no jobs: its state is INACTIVE' -p off
expect spredict_never_nodes 1 \
	'error: this job could never start: it needs 99 nodes, .* main has 4' \
	predict -N 99 "$dir/nap.sbatch" 1
expect spredict_never_tasks 1 'could never start: too few nodes have' \
	predict -n 999 "$dir/nap.sbatch" 1
as_slurm spredict_waits_nodes 0 'warning: .* would not start: .* 2 at most
[Ee]xpected' -p small -N 3
as_slurm spredict_waits_limit 0 'warning: .* MaxTime of partition small
[Ee]xpected' -p small -t 11
as_slurm spredict_waits_down 0 'warning: .* partition down is DOWN
[Ee]xpected' -p down
expect spredict_takes_either 0 '[Ee]xpected' predict -p small,main -N 4 -t 11 \
	"$dir/nap.sbatch" 1

# As on a host that is not predictd's: its socket is not there.
mv "$run/predictd.sock" "$run/away"
expect spredict_other_host 0 ' n1 ' nodes
doctor=$(on "$run/spredict" doctor) || :
mv "$run/away" "$run/predictd.sock"
if grep -qE "predictd +http://$CLUSTER_ADDRESS:7380 \(SlurmctldHost of .* is ready" \
	<<<"$doctor"; then
	echo "ok spredict_doctor_address"
else
	echo "not ok spredict_doctor_address - $(grep predictd <<<"$doctor")"
	failed=1
fi
expect spredict_usage 2 'Try' job
expect spredict_help 0 'accuracy' -h

# --- Members of JSON ---------------------------------------------------------
# shellcheck disable=SC1091
. "$here/json_paths.bash"

get() {
	"$stack" get "$dir" "$1"
}
spredict() {
	on "$build/bin/spredict" --json "$@"
}
post() {
	on curl -s --unix-socket "$run/predictd.sock" -H 'Content-Type: application/json' \
		-d "$2" "http://localhost$1"
}
"$here/../bench/sample_swf.py" 300 7 >"$dir/sample.swf"
queued_id=$(submit -n1 -t5 "$dir/nap.sbatch" 40)
for _ in {1..40}; do
	[[ $(get "/v1/jobs/$queued_id" 2>/dev/null) != *'"RUNNING"'* ]] || break
	sleep 0.25
done
json_kept predict spredict predict -N2 -t5 "$dir/nap.sbatch" 2
json_kept predict_components spredict predict -n1 --wrap true : -n1 --wrap true
json_kept explain_script spredict explain-script "$dir/nap.sbatch" 2
json_kept curve spredict curve -n1 -t5 "$dir/nap.sbatch" 1
json_kept bundle spredict bundle --array=1-1000 -n1 -t5 "$dir/nap.sbatch" 0.2
json_kept queue spredict queue
json_kept job_ended spredict job "$array_id"
json_kept job_runs spredict job "$queued_id"
json_kept job_held spredict job "$held_id"
json_kept job_unknown spredict job 999999
json_kept nodes spredict nodes
json_kept nodes_horizon spredict nodes --horizon=60:00
json_kept nodes_history spredict nodes --history
json_kept links spredict links
json_kept accuracy spredict accuracy
json_kept accuracy_by spredict accuracy --by=application
json_kept applications spredict applications
json_kept doctor spredict doctor
json_kept backtest spredict backtest --swf="$dir/sample.swf" --by=user --what-if-scheduling
json_kept import spredict import swf "$dir/sample.swf" --dry-run
for path in v1/nodes v1/links v1/applications v1/accuracy "v1/probes?cluster=little" v1/traces \
	'v1/runs?limit=100' livez readyz \
	'v1/series/cpu_load?node=n1' 'v1/shares?cluster=little&nodes=n1'; do
	name=${path%%\?*}
	json_kept "get_${name//\//_}" get "/$path"
done
for path in predictions explanations curve bundle queue imports measurements \
	runs traces whatif; do
	json_kept refused post "/v1/$path" '{"job": 7}'
done
json_kept refused get /v1/nosuch
json_kept post_queue post /v1/queue "{\"cluster\": \"little\",
	\"jobs\": [{\"job_id\": $queued_id, \"elapsed_s\": 1}]}"

# What a job did not get is known when predictd starts again; the switches that
# it reads then are in the next snapshot.
other_id=$(submit -N1 -w n4 -t5 "$dir/nap.sbatch" 20)
for _ in {1..40}; do
	! grep -q '^Best other' \
		<<<"$(on "$run/spredict" job "$other_id" 2>&1)" || break
	sleep 0.25
done
expect spredict_job_rejected 0 '^Best other nodes +n[123]: [0-9]' job "$other_id"
for _ in {1..40}; do # until that is stored
	[[ -z $(psql -XAtq "$conninfo" -c "SELECT rejected_nodes
		FROM predict.predictions WHERE rejected_s > 0
		AND assumed_nodes = 'n4'") ]] || break
	sleep 0.25
done
printf 'SwitchName=%s Nodes=%s\n' a 'n[1-2]' b 'n[3-4]' >"$dir/etc/topology.conf"
echo "Topology=$dir/etc/topology.conf" >>"$dir/etc/predict.conf"
"$stack" kill "$dir" predictd
"$stack" start "$dir" predictd
"$stack" wait "$dir"
expect spredict_job_rejected_before 0 '^Best other nodes +n[123]: [0-9]' \
	job "$other_id"
for _ in {1..60}; do
	"$stack" get "$dir" '/v1/snapshot?cluster=little' >"$dir/snapshot" \
		2>/dev/null || :
	! grep -q '^n n4 1 ' "$dir/snapshot" || break
	sleep 0.25
done
if grep -q '^n n1 0 ' "$dir/snapshot" && grep -q '^n n4 1 ' "$dir/snapshot"; then
	echo "ok spredict_switches"
else
	echo "not ok spredict_switches"
	failed=1
	sed 's/^/# /' "$dir/snapshot"
fi

# another user sees nothing of this
as=(setpriv --reuid 65534 --regid 65534 --clear-groups env
	"PREDICTD_URL=unix:$run/predictd.sock")
expect spredict_job_of_others 1 'error' job "$done_id"
expect spredict_held_of_others 1 'error' job "$held_id"
expect spredict_applications_of_others 0 '^APPLICATION' applications
if grep -q sleep <<<"$(on "${as[@]}" "$run/spredict" applications)"; then
	echo "not ok spredict_applications_hidden"
	failed=1
else
	echo "ok spredict_applications_hidden"
fi
((failed == 0))
