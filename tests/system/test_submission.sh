#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_submission.sh - submissions that no job follows, and the job's own fields
#
# --test-only keeps nothing; a job that Slurm rejects gets no line; an
# overwritten AdminComment loses no prediction; of several partitions the most
# careful mode counts; run times are no whole seconds; runs of other programs
# are a guess; the 90 % far outside of what has run is not known; variables that
# the script reads are parameters and traits, but for secrets.
#
# usage: test_submission.sh BUILD
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
build=$(realpath -- "${1:?usage: test_submission.sh BUILD}")
dir=$build/submission
failed=0
conninfo='' CLUSTER_NAME='' # set by the stack's settings

finish() {
	local status=$?

	"$stack" down "$dir" || status=1
	((status)) || rm -rf "$dir"
	exit "$status"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --nodes 2 --cap 0 \
	--tokens predict_mode.debug=observe
# shellcheck disable=SC1091
. "$dir/settings"

on() { "$contrib/cluster/cluster" run "$dir/cluster" "$@"; }
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }

# same NAME EXPECTED GOT
same() {
	if [[ $3 == "$2" ]]; then
		echo "ok submission_$1"
	else
		echo "not ok submission_$1 - '$3' instead of '$2'"
		failed=1
	fi
}

# lines COMMAND...: how many lines of ours it prints
lines() { "$@" 2>&1 | grep -c 'predict: ' || :; }

# Predictions that are stored, and jobs that the scheduler's snapshot has.
kept() {
	sleep 1.5 # the store and the snapshot follow after the reply
	echo "$(sql 'SELECT count(DISTINCT prediction_id)
		FROM predictions')" \
		"$("$stack" get "$dir" "/v1/snapshot?cluster=$CLUSTER_NAME" |
			grep -c '^j ' || :)"
}

comment() {
	on scontrol show job "$1" | sed -n 's/.*AdminComment=\([^ ]*\).*/\1/p'
}

# ended ID: predictd's reply, once the job has ended
ended() {
	local reply

	for _ in {1..150}; do
		reply=$("$stack" get "$dir" "/v1/jobs/$1" 2>/dev/null) ||
			reply='{}'
		[[ $(jq -r '.job.state // ""' <<<"$reply") != COMPLETED ]] ||
			break
		sleep 0.2
	done
	echo "$reply"
}

batch() { on sbatch --parsable -o /dev/null "$@"; }

# --- --test-only --------------------------------------------------------------

printf '#!/bin/bash\nsleep 2.37\n' >"$dir/job.sh"
printf '#!/bin/bash\n#SBATCH --test-only\nsleep 2.37\n' >"$dir/test.sh"
same test_line 1 "$(lines batch --test-only "$dir/job.sh")"
same test_script_line 1 "$(lines batch "$dir/test.sh")"
same test_srun_line 1 "$(lines on srun --test-only sleep 2)"
# As spredict asks whether Slurm would take a job in another partition.
same test_wrap_line 1 "$(lines batch --test-only -N 1 -t 1 \
	'--wrap=#SBATCH --test-only')"
same test_keeps_nothing '0 0' "$(kept)"
same test_no_job '' "$(on squeue -h)"

# --- A job that is kept -------------------------------------------------------

id=$(batch "$dir/job.sh" 2>/dev/null)
same kept '1 1' "$(kept)"
reply=$(ended "$id")
runtime_s=$(jq '.job.ended_at_s - .job.started_at_s' <<<"$reply")
same exact_end ok "$(awk -v s="$runtime_s" 'BEGIN {
	print (s > 2.36 && s < 2.9 && s != int(s)) ? "ok" : s }')"

# --- The AdminComment is overwritten ------------------------------------------

id=$(batch -H "$dir/job.sh" 2>/dev/null)
before=$(comment "$id")
same readable ok "$(sed -E \
	's/^predict=[0-9a-f]{16}:p50=[0-9.msh]+,p90=[0-9.msh]+$/ok/' <<<"$before")"
before=${before%%:*}
on scontrol update "job=$id" AdminComment=moved-by-ada
same overwritten moved-by-ada "$(comment "$id")"
on scontrol release "$id"
reply=$(ended "$id")
same overwritten_prediction "$before" \
	"predict=$(jq -r '.prediction.id' <<<"$reply")"
same overwritten_stored "${before#*=}" \
	"$(sql "SELECT prediction_id FROM runs WHERE job_id = $id")"

# --- Several partitions -------------------------------------------------------

same one_partition 1 "$(lines batch -H -p main "$dir/job.sh")"
same careful_partition 0 "$(lines batch -H -p main,debug "$dir/job.sh")"
same careful_partition_first 0 "$(lines batch -H -p debug,main "$dir/job.sh")"
on scancel -u root

# --- Slurm rejects the job ----------------------------------------------------

before=$(kept)
same too_many_nodes 0 "$(lines batch -N 3 "$dir/job.sh")"
same too_many_cpus 0 "$(lines batch -N 1 -n 99 "$dir/job.sh")"
same fits 1 "$(lines batch -H -N 2 "$dir/job.sh")"
on scancel -u root

# --- Another program than those that have run ---------------------------------

line() { batch "$@" 2>&1 >/dev/null | sed -n 's/.*\(predict: \)/\1/p'; }
shape() { sed -E 's/[0-9.]+s/TIME/g; s/, last error [0-9]+%//; s/[0-9]+ runs/N runs/'; }

printf '#!/bin/bash\nsleep 1\n' >"$dir/sleep.sh"
printf '#!/bin/bash\nhead -c 99 /dev/zero\n' >"$dir/other.sh"
for _ in 1 2 3; do id=$(batch "$dir/sleep.sh" 2>/dev/null); done
ended "$id" >/dev/null
runs=$(sql "SELECT count(*) FROM runs WHERE state = 'COMPLETED'")
same similar "predict: TIME expected, under TIME with 90% ($runs similar runs)" \
	"$(line -H "$dir/sleep.sh" | shape)"
same guess "predict: a guess: about TIME, from $runs runs of your other \
programs; your limit is 10h00" "$(line -H -t 600 "$dir/other.sh" | shape |
	sed "s/N runs/$runs runs/")"
id=$(batch -H "$dir/other.sh" 2>/dev/null)
sleep 1.5
same guess_comment ok "$(comment "$id" | sed -E 's/^predict=[0-9a-f]{16}$/ok/')"
prediction=$(comment "$id")
same guess_stored "user $runs" "$(sql "SELECT evidence_level, evidence_runs
	FROM predictions WHERE prediction_id = '${prediction#predict=}'" |
	tr '|' ' ')"
for command in "job $id" "predict $dir/other.sh"; do
	# shellcheck disable=SC2086
	same "guess_${command%% *}" 'a guess: about TIME, no quantile' "$(
		on "$build/bin/spredict" $command >"$dir/shown" || :
		sed -nE 's/^Expected +(a guess: about).*/\1 TIME/p' "$dir/shown" |
			tr -d '\n'
		grep -qE '(90|80) %' "$dir/shown" || echo ', no quantile'
	)"
done
same guess_queue "~ -" "$(on "$build/bin/spredict" queue -j "$id" \
	-o expected,90% | tail -n 1 | sed -E 's/^ *(~)[0-9.msh]+ +-$/\1 -/')"
on scancel -u root

# --- Far outside of what has run: its 90 % is not known -----------------------

printf '#!/bin/bash\nsleep 4000\n' >"$dir/long.sh"
id=$(batch -H "$dir/long.sh" 2>"$dir/shown")
same beyond_line 1 "$(grep -c 'not known' "$dir/shown")"
sleep 1.5
same beyond_queue "TIME -" "$(on "$build/bin/spredict" queue -j "$id" \
	-o expected,90% | tail -n 1 | sed -E 's/^ *[0-9.dmsh]+ +-$/TIME -/')"
same beyond_queue_json true "$(on "$build/bin/spredict" --json queue -j "$id" |
	jq -c '.jobs[0] | .unbounded and .median_s > 0 and .quantile_s == null')"
on scancel -u root

# --- What the script reads of its environment ---------------------------------

# shellcheck disable=SC2016
printf '#!/bin/bash\n./app -n $N --model $MODEL -k $API_TOKEN\n' >"$dir/reads.sh"
id=$(N=400 MODEL=vit API_TOKEN=abc batch -H --export=ALL,EPOCHS=3 \
	"$dir/reads.sh" 2>/dev/null)
sleep 1.5
prediction=$(comment "$id")
prediction=${prediction#predict=}
prediction=${prediction%%:*}
same environment 'EPOCHS=3 n=400' "$(sql "SELECT
	string_agg(DISTINCT name || '=' || value, ' ' ORDER BY name || '=' || value)
	FROM prediction_parameters WHERE prediction_id = '$prediction'")"
same environment_texts 'model=vit' "$(sql "SELECT DISTINCT traits
	FROM predictions WHERE prediction_id = '$prediction'")"
on scancel -u root
((failed == 0))
