#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_forged.sh - what users write into their jobs is no more than text
#
# A real cluster and two users.  One is predicted; the other copies the id of
# that prediction, and Slurm's own keys, into names, comments and folders of his
# jobs.  He must neither see the prediction, nor take its place, nor be counted
# as its outcome; and his runs are recorded with their true values.
#
# usage: test_forged.sh BUILD
# shellcheck disable=SC2016 # scripts of jobs are expanded when they run
set -u -o pipefail

conninfo='' run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_forged.sh BUILD}")
dir=$build/forged
# Users that exist: Slurm cannot start the jobs of others.
victim=2 thief=65534
test=forged
# shellcheck source=checks.bash
. "$here/checks.bash"

# as UID COMMAND...: in the controller's namespaces
batch() { as "$1" sbatch --parsable -o /dev/null -D /tmp "${@:2}" 2>/dev/null; }
get() { # UID PATH
	as "$1" curl -sS --unix-socket "$run/predictd.sock" "http://localhost$2"
}
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }

# check NAME WHAT-IS-WRONG COMMAND...: one test
has_state() { [[ $(sql "SELECT state FROM runs WHERE job_id = $1") == "$2" ]]; }
run_is() { [[ $(sql "SELECT $2 FROM runs WHERE job_id = $1") == t ]]; }
in_snapshot() { grep -q "$1" <<<"$(get 0 /v1/snapshot)"; }
is_empty() { [[ -z $1 ]]; }
same() { [[ $1 == "$2" ]]; }

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0 || exit
# shellcheck disable=SC1091
. "$dir/settings"
chmod 755 "$run"

# --- A prediction to steal ----------------------------------------------------

first=$(batch $victim -n1 -t5 -J secret --wrap 'sleep 1')
until_true 30 has_state "$first" COMPLETED
waiting=$(batch $victim -H -n1 -t5 -J secret --predict-param=hidden=42 \
	--wrap 'sleep 1')
id=$(as 0 squeue -h -j "$waiting" -O admin_comment:100 |
	sed -nE 's/.*predict=([0-9a-f]{16}).*/\1/p')
check predicted "the job that waits has no prediction" test -n "$id"
check waits "the job that waits is not in the snapshot" \
	until_true 5 in_snapshot "$id"

# --- Texts that look like Slurm's ---------------------------------------------

name="x UserId=root(0) JobState=TIMEOUT AdminComment=predict=$id
JobId=$waiting JobName=y UserId=root(0) Account=root
   StartTime=1 EndTime=2"
folder="/tmp/$$ AdminComment=predict=$id"
mkdir -p "$folder"
chmod 755 "$folder"
stolen=$(batch $thief -n1 -t5 -J "$name" --predict=off \
	--comment "y AdminComment=predict=$id JobState=TIMEOUT" \
	-D "$folder" --wrap 'sleep 1')
until_true 30 has_state "$stolen" COMPLETED
rmdir "$folder"
check state "it is $(sql "SELECT state FROM runs WHERE job_id = $stolen")" \
	has_state "$stolen" COMPLETED
check user "it is another user's" \
	run_is "$stolen" "user_id = $thief AND account <> 'root'"
check times "its times are wrong" run_is "$stolen" \
	"submitted_at > now() - interval '5 minutes' AND
	 EXTRACT(epoch FROM ended_at - started_at) BETWEEN 0.8 AND 20"
check no_id "it has the prediction" run_is "$stolen" "prediction_id IS NULL"

# As from a client of his own, which may send an AdminComment.
third=$(batch $thief -H -n1 -t5 --predict=off --wrap 'sleep 1')
as 0 scontrol update "jobid=$third" "admincomment=predict=$id"
as 0 scontrol release "$third"
until_true 30 has_state "$third" COMPLETED
check cleared "the run keeps the id" run_is "$third" "prediction_id IS NULL"

# --- What it got him ----------------------------------------------------------

check still_waits "the job that waits is gone from the snapshot" \
	in_snapshot "$id"
check hidden "he sees the prediction" \
	same "$(get $thief "/v1/predictions/$id" | jq -r '.errors[0].error')" \
	"no such prediction"
for job in $stolen $third; do
	check "job_$job" "it shows the prediction" \
		same "$(get $thief "/v1/jobs/$job" |
			jq -c '[.job.job_id, .prediction, .submission_prediction]')" \
		"[$job,null,null]"
done
check outcomes "they are outcomes of the prediction" is_empty \
	"$(sql "SELECT job_id FROM prediction_outcomes
		WHERE prediction_id = '$id' AND run_id IS NOT NULL")"
check accuracy "they are counted" same 0 \
	"$(sql "SELECT count(*) FROM run_outcomes
		WHERE user_id = $thief AND model IS NOT NULL")"

# --- Whose runs a prediction rests on -----------------------------------------

predict() { # UID FILTER
	as "$1" "$run/spredict" predict --json -J secret -n1 -t5 \
		--wrap 'sleep 1' | jq -r "$2"
}
evidence() { predict "$1" '.prediction.evidence[].job_id' | sort -n | xargs; }

cp "$build/bin/spredict" "$run/"
second=$(batch $victim -n1 -t5 -J secret --wrap 'sleep 1')
until_true 30 has_state "$second" COMPLETED
ids=$(evidence 0)
check evidence_of_root "root sees $ids, not $second" grep -qw "$second" <<<"$ids"
ids=$(evidence $victim)
check evidence_of_victim "he sees $ids, not $second" \
	grep -qw "$second" <<<"$ids"
check evidence_of_victim_only "he sees $ids" \
	same "${ids//[$first$second ]/}" ""
ids=$(evidence $thief)
check evidence_of_thief "he sees $ids" same "${ids//[$stolen$third ]/}" ""
ids=$(evidence 4321)
check evidence_of_others "others see $ids" same "$ids" ""
check counts_of_others "others do not see how many runs there are" \
	same "$(predict 4321 '.prediction.runs > 0')" true

# --- What he leaves on the node -----------------------------------------------

out=/tmp/forged-$$
long=$(printf '/nowhere/%0200d.so:' {1..60})
# With --export=ALL,LD_PRELOAD=... Slurm would want a login shell of him.
mess=$(as $thief env LD_PRELOAD="$long" sbatch --parsable -o /dev/null -D /tmp \
	-n1 -t5 -w n1 --predict-profile=mpi --wrap '
	printf %s "$LD_PRELOAD" >'"$out"' 2>/dev/null
	unset LD_PRELOAD
	cd "$PREDICT_MPI_DIR" && mkdir -p a/b/c "$PREDICT_MPI_DIR/x" &&
		ln -s /tmp link && touch a/file && chmod 0 a/b a &&
		echo made >>'"$out"'
	(i=0; while [ $i -lt 3000 ]; do
		i=$((i + 1))
		mkdir -p "$PREDICT_MPI_DIR/again/$i"
	done) >/dev/null 2>&1 &' 2>/dev/null)
until_true 30 has_state "$mess" COMPLETED
check preload "LD_PRELOAD is cut or lost" \
	grep -qF "$run/libpredict_mpi.so:${long}made" "$out"
rm -f "$out"
no_folder() {
	! find "$dir"/spool/n1/users/{mpi,removed} -mindepth 1 2>/dev/null |
		grep -q .
}
check left_nothing "files of job $mess are still there" until_true 20 no_folder
