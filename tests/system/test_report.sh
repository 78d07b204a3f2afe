#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_report.sh - what jobs used, what to request next time, and who sees it
#
# Real jobs on a little cluster whose use of CPU time and memory is known: they
# measure themselves.  Two users and an operator, under each PrivateData.
#
# usage: test_report.sh BUILD
set -u -o pipefail

conninfo='' run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_report.sh BUILD}")
dir=$build/report
# Users that exist: Slurm cannot start the jobs of others.
ann=2 bob=65534
test=report
# shellcheck source=checks.bash
. "$here/checks.bash"

batch() { # UID ARGUMENT...
	as "$1" sbatch --parsable -o /dev/null -D /tmp "${@:2}" 2>/dev/null
}
spredict() { as "$1" "$run/spredict" "${@:2}" 2>&1; }
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }
same() { [[ $1 == "$2" ]]; }
# is TEXT EXPRESSION: it holds of this JSON, for jq
is() { jq -e "$2" <<<"$1" >/dev/null 2>&1; }
says() { grep -qE -- "$2" <<<"$1"; }
completed() {
	(($(sql "SELECT count(*) FROM runs WHERE state = 'COMPLETED'") >= $1)) &&
		(($(sql "SELECT count(*) FROM run_shares") >= $1))
}
state_is() { [[ $(as 0 squeue -h -j "$1" -o %t) == "$2" ]]; }
# get UID PATH: the reply; code UID PATH: its status
get() {
	as "$1" curl -sS --unix-socket "$run/predictd.sock" "http://localhost$2"
}
code() {
	as "$1" curl -sS -o /dev/null -w '%{http_code}' \
		--unix-socket "$run/predictd.sock" "http://localhost$2"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0 || exit
# shellcheck disable=SC1091
. "$dir/settings"
chmod 755 "$run"
cp "$build/bin/spredict" "$run/"

# It fills memory, computes for so many seconds of CPU time, and says what it
# used, before it ends.
cat >"$run/hog.py" <<'END'
import resource, sys, time
held = bytearray(int(sys.argv[1]) << 20)
for at in range(0, len(held), 4096):
    held[at] = 1
while time.process_time() < float(sys.argv[2]):
    pass
time.sleep(3)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(time.process_time(), peak, file=open(sys.argv[3], "w"))
END
printf '#!/bin/bash\npython3 %s/hog.py 300 3 /tmp/hog.$SLURM_JOB_ID\n' "$run" \
	>"$run/hog.sh"
chmod 755 "$run/hog.py" "$run/hog.sh"

# Three more that do not end within their limits.
for _ in 1 2 3; do
	late=$(batch $ann -n2 -t 1 --wrap 'sleep 900')
done
for _ in 1 2 3 4; do
	id=$(batch $ann -n1 -c2 --mem=1000 -t 60 "$run/hog.sh")
done
check completed "$(sql 'SELECT job_id, state FROM runs')" \
	until_true 180 completed 4

# --- What a run used ----------------------------------------------------------

read -r cpu_s peak_mb <"/tmp/hog.$id" || cpu_s=0 peak_mb=0
rm -f /tmp/hog.[0-9]*
text=$(spredict $ann --json job "$id")
check use "$text, itself $cpu_s s, $peak_mb MiB" is "$text" ".use |
	.cpus == 2 and .limit_s == 3600 and .node_memory_mb == 1000 and
	(.cpu_s / $cpu_s | . > 0.95 and . < 1.05) and
	(.peak_memory_mb / $peak_mb | . > 0.95 and . < 1.05) and
	.cpu_used == .cpu_s / (2 * .runtime_s) and
	.time_used == .runtime_s / 3600 and
	.memory_used == .peak_memory_mb / 1000"
check advice "$text" is "$text" '.advice | .runs == 4 and .cpus == 1 and
	.memory_mb == 650 and (.options | endswith("--mem=650M -c 1")) and
	.limit_s >= 60'
text=$(spredict $ann job "$id")
for row in 'Time used  *[0-9.hms]+, [0-9]+ % of 1h00' \
	'CPU used  *3.[0-9]s, [0-9]+ % of 2 CPUs x [0-9.hms]+' \
	'Memory used  *3[0-9]+M, 3[0-9] % of 1000M' \
	'Ask next time .*--mem=650M -c 1'; do
	check "row_${row%% *}" "$text" says "$text" "^$row"
done

# --- Lines to paste -----------------------------------------------------------

text=$(spredict $ann predict --suggest -n1 -c2 --mem=1000 -t 60 "$run/hog.sh")
for line in '-t [0-9:]+' '--mem=650M' '-c 1'; do
	check "suggest_${line%%[ =]*}" "$text" says "$text" "^#SBATCH $line$"
done
text=$(spredict $ann predict --suggest -n1 -c2 --mem-per-cpu=500 "$run/hog.sh")
check suggest_per_cpu "$text" says "$text" '^#SBATCH --mem-per-cpu=650M$'
# suggest ARGUMENT...: the same in Python, as ann
suggest() {
	as $ann env SPREDICT="${spredict_path-$run/spredict}" \
		PYTHONPATH="$run" PYTHONDONTWRITEBYTECODE=1 python3 -c "
from slurm_predict import suggest
advice = suggest($1, options=['-n1', '-c2', '--mem=1000', '-t', '60'])
print(advice.memory_mb and int(advice.memory_mb),
      advice.time_s is not None and advice.time_s >= 60, advice.why != '')"
}
cp "$contrib/site/slurm_predict.py" "$run/"
text=$(suggest "script='$run/hog.sh'")
check python "$text" says "$text" '^650 True '
text=$(spredict_path=/nowhere/spredict suggest "command=['true']")
check python_without "$text" same "$text" 'None False True'
text=$(spredict $ann report --suggest)
check report_suggest "$text" says "$text" '^#SBATCH --mem=650M$'
text=$(spredict $bob predict --suggest -n1 "$run/hog.sh")
check no_advice "$? $text" same "$?" 3
spredict $bob report --suggest >/dev/null
check no_advice_in_report "$?" same $? 3

# --- What was advised at submission -------------------------------------------

# Those before had no runs of their own to rest on.
id=$(batch $ann -n1 -c2 --mem=1000 -t 60 "$run/hog.sh")
check completed_advised "$(sql 'SELECT job_id, state FROM runs')" \
	until_true 120 completed 5
advised() {
	spredict 0 --json accuracy --advice --by=application |
		jq -c '[.accuracy[] | select(.advised > 0)]'
}
judged='length == 1 and (.[0] | .advised == 1 and .memory_covered == 1 and
	.memory_factor > 1.9 and .memory_factor < 2.3 and .cpus_covered == 1 and
	.cpus_factor > 1 and .time_covered == 1 and .time_factor > 1)'
check judged "$(advised)" is "$(advised)" "$judged"
text=$(spredict 0 --json accuracy --by=application)
check not_judged "$text" is "$text" 'any(.accuracy[]; .runs > 0) and
	all(.accuracy[]; .advised == 0 and .memory_covered == null)'
check advised_rows "$(sql 'SELECT count(*) FROM predictions')" same \
	"$(sql "SELECT job_id, advised_memory_mb, advised_cpus, advised_s >= 60
	FROM predictions JOIN runs USING (prediction_id)
	WHERE advised_cpus > 0")" "$id|650|1|t"
text=$(spredict 0 accuracy --advice)
check judged_row "$text" says "$text" \
	'^all +1 +100.0 +[0-9.]+ +100.0 +2.[0-9]+ +100.0 +[0-9.]+$'

# --- Who sees what ------------------------------------------------------------

runs=$(batch $ann -t 60 -n1 --wrap \
	"python3 $run/hog.py 300 3 /tmp/hog.last; sleep 600")
until_true 60 state_is "$runs" R
prediction=$(sql "SELECT prediction_id FROM runs WHERE job_id = $id")
asked="{\"jobs\":[{\"job_id\":$runs,\"prediction_id\":\"$prediction\",\"elapsed_s\":1}]}"
# What UID sees: ann's ended and running jobs and a prediction of hers, her
# times in the queue, groups and runs of his own, hers, and all of them.
sees() {
	local path

	for path in "jobs/$id" "jobs/$runs" "predictions/$prediction" \
		"report?user=$ann" runs; do
		code "$1" "/v1/$path"
		echo -n ' '
	done
	get "$1" /v1/report | jq -j '[.report[].runs] | (add // 0) > 3'
	get "$1" '/v1/runs?user=self' |
		jq -j '" \(.runs | length > 3) \(any(.runs[]; .user != null))"'
	as "$1" curl -sS --unix-socket "$run/predictd.sock" -d "$asked" \
		http://localhost/v1/queue | jq -j '" \(.jobs[0].median_s > 0)"'
}
restart() {
	"$stack" kill "$dir" predictd
	"$stack" start "$dir" predictd
	"$stack" wait "$dir"
}
sees_times() { [[ $(sees "$bob") == *" $1" ]]; }
# see HIDDEN: what all see with that PrivateData
see() {
	local hidden=$1 name=${1:-unset} shown=true

	[[ $hidden != jobs && $hidden != unknown ]] || shown=false
	if [[ $hidden == unknown ]]; then
		kill "$("$cluster" pids "$dir/cluster" |
			awk '$3 ~ /slurmctld/ { print $2; exit }')"
	elif [[ $hidden ]]; then
		sed -i '/^PrivateData/d' "$dir/cluster/etc/slurm.conf"
		echo "PrivateData=$hidden" >>"$dir/cluster/etc/slurm.conf"
		as 0 scontrol reconfigure
	fi
	[[ -z $hidden ]] || restart
	until_true 60 sees_times "$shown"
	check "other_$name" "$(sees $bob)" same "$(sees $bob)" \
		"404 404 404 403 403 false false false $shown"
	check "own_$name" "$(sees $ann)" same "$(sees $ann)" \
		"200 200 200 200 403 true true true true"
	check "operator_$name" "$(sees 0)" same "$(sees 0)" \
		"200 200 200 200 200 false false false true"
}
# As if it had run on GPUs; predictd reads it when it starts again.
sql "UPDATE runs SET gres = 'craynetwork:1,gpu:2' WHERE job_id = $id"
for hidden in '' jobs usage; do
	see "$hidden"
done
check judged_restart "$(advised)" is "$(advised)" "$judged"

# --- GPUs ---------------------------------------------------------------------

# No GPU is here: sacct's answer was recorded (test_gpu_use.c).
mkdir "$run/recorded"
cat >"$run/recorded/sacct" <<'END'
#!/bin/bash
[[ $* == *TRESUsageInMax* ]] || exit
had=billing=64,cpu=9,gres/gpu:a100=2,gres/gpu=2,mem=64424509440,node=1
used=cpu=00:56:24,gres/gpumem=40777023488,gres/gpuutil=97,mem=10621726720
idle=cpu=00:00:00,gres/gpumem=0,gres/gpuutil=0,mem=262144
printf '1000|1900|%s\n' "|$had||" "1|$had|$used|$used" "1|$had|$idle|$idle"
END
chmod -R a+rX "$run/recorded"
chmod 755 "$run/recorded/sacct"
gpu_job() {
	as $ann env PATH="$run/recorded:$PATH" "$run/spredict" "$@" job "$id" 2>&1
}
text=$(gpu_job)
check gpu_row "$text" says "$text" \
	'^GPU used  *at most 48 % of 2 GPUs, 38\.0G; 1 of 2 GPUs idle$'
text=$(gpu_job --json)
check gpu_json "$text" is "$text" '.use | .gpus == 2 and .gpus_idle == 1 and
	.gpu_used == 0.485 and .gpu_memory_mb == 38888'

# --- When all have ended ------------------------------------------------------

# A limit that was too low is a lower bound; nothing is said of what a job of
# several tasks may need of CPUs.
late_stored() {
	(($(sql "SELECT count(*) FROM runs WHERE state = 'TIMEOUT'") >= 3))
}
check late "$(sql 'SELECT job_id, state FROM runs')" until_true 400 late_stored
text=$(spredict $ann --json job "$late")
check late_advice "$text" is "$text" '.advice | .runs == 3 and .cpus == 0 and
	.limit_s >= 90 and
	(.why | contains("3 of 3 runs did not end within the limit"))'

text=$(spredict $ann report)
check report "$text" says "$text" \
	'^APPLICATION +RUNS +TIME +TIME_% +CPU_% +MEMORY +MEMORY_% +ASK NEXT'
check report_row "$text" says "$text" \
	'^[^ ]+ +5 +[0-9.hms]+ +[0-9]+ +[0-9]+ +3[0-9]+M +3[0-9] +.*--mem=450M -c 1$'
text=$(spredict $ann report -P --noheader --by=user)
check report_by_user "$text" says "$text" "^$(id -un $ann)\|8\|[0-9.hms]+\|"
check report_days "$(spredict $ann report --by=day)" says \
	"$(spredict $ann report -P --noheader --by=day)" \
	'^[0-9]{4}-[0-9]{2}-[0-9]{2}\|[1-8]\|'
check no_header "it has one" same \
	"$(spredict $ann report --noheader | grep -c ASK)" 0

# --- Forty jobs whose memory is proportional to a parameter -------------------

# The bars, which are printed, are 95 and 1.3.
cp "$run/hog.py" "$run/grow.py"
printf '#!/bin/bash\npython3 %s/grow.py $1 0.2 /dev/null\n' "$run" \
	>"$run/grow.sh"
chmod 755 "$run/grow.sh"
begun=$(sql "SELECT count(*) FROM runs WHERE state = 'COMPLETED'")
for wave in 1 2 3 4 5; do
	for i in 1 2 3 4 5 6 7 8; do
		batch $ann -n1 --mem=1000 -t 5 "$run/grow.sh" $((i * 60)) >/dev/null
	done
	until_true 120 completed $((begun + 8 * wave)) || break
done
live=$(spredict 0 --json accuracy --advice --by=application |
	jq -c '[.accuracy[] | select(.group | contains("grow")) |
		select(.advised > 0)][0]')
check live "$live" is "$live" '.advised >= 24'
# A job gets advice for its own parameter, one that is far beyond none, and the
# application for any.
suggested_mb() { # PARAMETER
	spredict $ann predict --suggest -n1 --mem=1000 -t 5 "$run/grow.sh" "$1" |
		sed -n 's/^#SBATCH --mem=\([0-9]*\)M$/\1/p'
}
between() { (($1 <= $2 && $2 <= $3)); }
for parameter in 60 300 480; do
	mb=$(suggested_mb $parameter)
	check "live_$parameter" "$mb MB" between $parameter "${mb:-0}" \
		$((parameter * 13 / 10 + 80))
done
text=$(spredict $ann predict --suggest -n1 --mem=1000 "$run/grow.sh" 4800)
check live_beyond "$text" says "$text" 'a parameter is far from those'
check live_beyond_mb "$text" same "$(grep -c -- --mem <<<"$text")" 0
grown=$(sql "SELECT max(job_id) FROM runs WHERE state = 'COMPLETED'")
text=$(spredict $ann job "$grown")
check live_job "$text" says "$text" \
	'^Ask next time .*--mem=[56][0-9]*M.*the memory is for its parameters'
jq -r '"bar memory_live_covered_pct \(.memory_covered * 1000 | round / 10)",
	"bar memory_live_ratio \(.memory_factor * 100 | round / 100)"' <<<"$live"

# --- Without advice on memory -------------------------------------------------

sed -i '/^SlurmctldParameters/s/$/,predict_memory=off/' \
	"$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
restart
no_memory() {
	text=$(spredict "$ann" report)
	says "$text" ' -c 1$' && ! says "$text" --mem
}
check memory_off "$(spredict $ann report)" until_true 60 no_memory
text=$(spredict $ann job "$id")
check memory_off_job "$text" says "$text" '^Ask next time +-t [0-9:]+ -c 1( |$)'
# Neither is it judged.
last=$(batch $ann -n1 -c2 --mem=1000 -t 60 "$run/hog.sh")
memory_off_row() {
	[[ $(sql "SELECT advised_memory_mb IS NULL, advised_s >= 60
		FROM predictions WHERE stage = 'submission'
		ORDER BY made_at DESC LIMIT 1") == 't|t' ]]
}
check memory_off_row "$(sql "SELECT made_at, advised_memory_mb, advised_s
	FROM predictions ORDER BY made_at")" until_true 20 memory_off_row
as 0 scancel "$last"

see unknown
"$cluster" restart-ctld "$dir/cluster" || :
as 0 scancel "$runs" || :
rm -f /tmp/hog.[0-9l]*
exit $failed
