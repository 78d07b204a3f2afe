#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_mpi_trace.sh - what libpredict_mpi.so records of each call
#
# usage: test_mpi_trace.sh BUILD
#
# Processes on this machine, traced: every event of programs whose events are
# known; the trace replayed; programs that die, that are refused a file, that
# have threads.
set -u
cd "$(dirname "$0")/../.." || exit 2

build=$(realpath "${1:?usage: test_mpi_trace.sh BUILD}")
dir=$build/test_mpi_trace
library=$build/lib/libpredict_mpi.so
sources=tests/system/mpi
failed=0
# All ranks are here: Open MPI 5 complains of other networks that cannot
# be used.
export OMPI_MCA_btl_tcp_if_include=lo

ok() { # NAME STATUS [WHY]
	if [ "$2" = 0 ]; then
		echo "ok $1"
	else
		echo "not ok $1 - ${3:-status $2}"
		failed=1
	fi
}

# run FOLDER RANKS PROGRAM [ARGUMENT...]: traces in $dir/FOLDER, output
# in $dir/out
run() {
	local folder=$dir/$1 ranks=$2

	shift 2
	env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		OMPI_MCA_pml=ob1 OMPI_MCA_mpi_yield_when_idle=1 \
		timeout 60 mpirun --oversubscribe -np "$ranks" \
		env PREDICT_MPI_DIR="$dir/reports" PREDICT_TRACE_DIR="$folder" \
		LD_PRELOAD="$library" "$@" >"$dir/out" 2>"$dir/err"
}

# traced NAME RANKS PROGRAM [ARGUMENT...]: the same with a new folder
traced() {
	local name=$1

	shift
	mkdir -p "$dir/of-$name"
	run "of-$name" "$@"
}

count() { # NAME
	$sources/trace_files.py count "$dir/of-$1" 2>&1
}

rm -rf "$dir"
mkdir -p "$dir/reports"
mpicc -o "$dir/traced" $sources/traced.c &&
	mpicc -o "$dir/awkward" $sources/awkward.c &&
	mpicc -o "$dir/exchange" $sources/exchange.c -lm &&
	mpicc -o "$dir/rounds" $sources/rounds.c &&
	mpicc -finstrument-functions -rdynamic -o "$dir/hooked" \
		$sources/rounds.c &&
	mpicc -O2 -I. -o "$dir/clients" tests/workloads/clients.c -lm &&
	mpicc -O2 -s -I. -o "$dir/stripped" tests/workloads/clients.c -lm &&
	mpicc -O2 -finstrument-functions -o "$dir/often" $sources/often.c &&
	mpicc -pthread -o "$dir/threads" $sources/threads.c &&
	mpifort -DMPIFH -J"$dir" -o "$dir/mpif_h" $sources/exchange.F90 &&
	mpifort -J"$dir" -o "$dir/use_mpi" $sources/exchange.F90 &&
	mpifort -DF08 -J"$dir" -o "$dir/mpi_f08" $sources/exchange.F90
ok programs-compile $?
[ "$failed" = 0 ] || exit 1

# In a round, rank 0: dup, split; a ring (send, receive); 3 + 1 from any; 4
# asked for; 3 collectives, 2 of which are waited for.  The last rank sends 12.
# Then a reduction, and the end.
traced all 4 "$dir/traced"
of_traced=$(cat "$dir/out")
[ "$(count all)" = "0 342 20 180 80 101 40 41 end
1 302 40 120 20 101 40 41 end
2 302 60 100 0 101 40 41 end
3 462 300 20 0 101 40 41 end" ]
ok every-event-is-there $? "$(count all)"

env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
	timeout 60 mpirun --oversubscribe -np 4 "$dir/traced" >"$dir/out" 2>&1
[ -n "$of_traced" ] && [ "$(cat "$dir/out")" = "$of_traced" ]
ok the-program-computes-the-same $? "$of_traced, $(cat "$dir/out")"

$sources/trace_files.py json "$dir/of-all" 1 >"$dir/all.json"
"$build/bin/spredict" critical --trace="$dir/all.json" >"$dir/critical" 2>&1
ok the-trace-can-be-replayed $? "$(cat "$dir/critical" 2>&1)"
# Each has as much work again as the one before it: three and two times that of
# the one before that, which can be seen beside other programs, too.
awk '$1 ~ /^[0-3]$/ { s[$1] = $3 } END { exit !(s[2] > 1.2 * s[0] &&
	s[3] > 1.2 * s[1]) }' "$dir/critical"
ok work-is-of-each-rank $? "$(cat "$dir/critical" 2>&1)"
"$build/bin/spredict" whatif --trace="$dir/all.json" --as-recorded --json \
	--place=r0:1,r1:1,r2:1,r3:1 >"$dir/whatif" 2>&1
jq -e '.whatif | .program == "traced" and .job_s == 1 and
	.measured_s > 0 and .measured_s < 60 and
	(.here_s / .measured_s - 1 | fabs) < 1e-9 and
	(.there_s / .measured_s - 1 | fabs) < 1e-9' "$dir/whatif" >/dev/null
ok what-if-of-the-trace $? "$(cat "$dir/whatif" 2>&1)"

traced exchange 3 "$dir/exchange"
[ "$(count exchange)" = "0 251 100 100 100 50 0 1 end
1 251 100 100 50 50 0 1 end
2 151 50 50 50 50 0 1 end" ]
ok c-program $? "$(count exchange)"
of_c=$(count exchange)
for program in mpif_h use_mpi mpi_f08; do
	traced $program 3 "$dir/$program"
	[ "$(count $program)" = "$of_c" ]
	ok "$program-has-the-same-events" $? "$(count $program)"
done

# awkward CASE COUNTS: it computes, and each rank's events, which can
# be replayed
awkward() {
	traced "$1" 4 "$dir/awkward" "$1"
	[ "$(cat "$dir/out")" = "done" ] && [ "$(count "$1")" = "$2" ] &&
		$sources/trace_files.py json "$dir/of-$1" 1 >"$dir/$1.json" &&
		"$build/bin/spredict" critical --trace="$dir/$1.json" \
			>"$dir/critical" 2>&1
	ok "$1" $? "$(cat "$dir/out" "$dir/critical"; count "$1")"
}
# Long sends to those that asked before do not wait for each other.
awkward halo "0 12 5 5 0 1 0 1 end
1 12 5 5 0 1 0 1 end
2 12 5 5 0 1 0 1 end
3 12 5 5 0 1 0 1 end"
awkward border "0 17 10 5 0 1 0 1 end
1 32 15 15 0 1 0 1 end
2 32 15 15 0 1 0 1 end
3 17 5 10 0 1 0 1 end"
awkward freed "0 27 5 5 0 11 5 6 end
1 27 5 5 0 11 5 6 end
2 27 5 5 0 11 5 6 end
3 27 5 5 0 11 5 6 end"
awkward halves "0 18 5 5 0 7 0 2 end
1 18 5 5 0 7 0 2 end
2 18 5 5 0 7 0 2 end
3 18 5 5 0 7 0 2 end"
awkward matched "0 17 0 15 10 1 0 1 end
1 7 5 0 0 1 0 1 end
2 7 5 0 0 1 0 1 end
3 7 5 0 0 1 0 1 end"
# Collectives that overlap, are waited for in another order, or need nothing.
awkward begun "0 62 0 0 0 31 30 2 end
1 62 0 0 0 31 30 2 end
2 62 0 0 0 31 30 2 end
3 62 0 0 0 31 30 2 end"
awkward overlap "0 10 0 0 0 5 4 1 end
1 10 0 0 0 5 4 1 end
2 10 0 0 0 5 4 1 end
3 10 0 0 0 5 4 1 end"
# With a core for each they work at the same time; else it were half of that.
"$build/bin/spredict" --json critical --trace="$dir/overlap.json" \
	>"$dir/critical" 2>&1
jq -e '[.. | .serialisation? // empty][0] > .7' "$dir/critical" >/dev/null
ok work-overlaps-with-a-collective $? "$(cat "$dir/critical" 2>&1)"
# The trace ends with the first call that fails.
awkward failing "0 1 0 0 0 1 0 1 cut
1 1 0 0 0 1 0 1 cut
2 1 0 0 0 1 0 1 cut
3 1 0 0 0 1 0 1 cut"

traced died 4 "$dir/traced" die
[ "$(count died)" = "0 170 10 90 40 50 20 21 cut
1 150 20 60 10 50 20 21 cut
2 150 30 50 0 50 20 21 cut
3 230 150 10 0 50 20 21 cut" ]
ok what-a-dead-program-did $? "$(count died)"
$sources/trace_files.py json "$dir/of-died" 1 >"$dir/died.json"
"$build/bin/spredict" critical --trace="$dir/died.json" >"$dir/critical" 2>&1 &&
	grep -q 'without its end' "$dir/critical"
ok it-can-be-replayed-so-far $? "$(cat "$dir/critical" 2>&1)"

# Too long for its file: the same answer, of a sample.  NAME [ARGUMENT]
sampled() {
	traced "$1" 3 "$dir/rounds" 1500 200 ${2+"$2"}
	$sources/trace_files.py json "$dir/of-$1" 10 >"$dir/$1.json"
	"$build/bin/spredict" whatif --trace="$dir/$1.json" --as-recorded \
		--json --place=r0:2,r1:1 >"$dir/$1.whatif"
}
sampled unsampled
PREDICT_TRACE_BYTES=12000 sampled sampled
size=$(cat "$dir"/of-sampled/* | wc -c)
jq -en --slurpfile all "$dir/unsampled.whatif" \
	--slurpfile some "$dir/sampled.whatif" '
	def gain: .there_s / .here_s;
	($all[0].whatif, $some[0].whatif) as $w |
	($w.here_s / $w.measured_s - 1 | fabs) < 1e-9 and
	$all[0].whatif.seen == 1 and $some[0].whatif.seen < .8 and
	(($some[0].whatif | gain) / ($all[0].whatif | gain) - 1 | fabs) < .1
	' >/dev/null
rc=$?
[ "$rc" = 0 ] && [ "$size" -le 36000 ]
ok a-long-run-is-sampled $? "$size bytes, $(cat "$dir"/*sampled.whatif)"
# Messages always cross: the first half of the file counts.
PREDICT_TRACE_BYTES=12000 sampled crossing crossing
jq -e '.whatif | (.here_s / .measured_s - 1 | fabs) < 1e-9 and
	.seen > .1 and .seen < .5' "$dir/crossing.whatif" >/dev/null
ok messages-into-what-is-left-out $? "$(cat "$dir/crossing.whatif" 2>&1)"

# A server's two procedures, the first of which does twice the work.
procedure() { # NAME: its seconds
	PREDICT_TRACE_PROCEDURE=$1 traced "$1" 3 "$build/bin/clients" -n 20 -w 10
	$sources/trace_files.py json "$dir/of-$1" 1 |
		jq --arg name "$1" '.procedure = $name' >"$dir/$1.json"
	"$build/bin/spredict" procedures --json --trace="$dir/$1.json" |
		jq '.procedures[0].time_s'
}
first=$(procedure serve_first) second=$(procedure serve_second)
jq -en --argjson a "${first:-0}" --argjson b "${second:-0}" \
	'$b > 0 and $a > 1.4 * $b and $a < 2.9 * $b' >/dev/null
ok work-of-procedures $? "$first $second"
# Without its being named: where samples of any program say that its work is.
share=$("$build/bin/spredict" procedures --json --trace="$dir/serve_first.json" |
	jq '[.work[] | select(.procedure == "work").share] | add')
jq -en --argjson share "${share:-0}" '$share > .7 and $share < 1.3' >/dev/null
ok work-by-samples $? "$share"

# reason NAME PROCEDURE PATTERN PROGRAM [ARGUMENT...]: why nothing is known
# of it
reason() {
	local name=$1 procedure=$2 pattern=$3

	shift 3
	PREDICT_TRACE_PROCEDURE=$procedure traced "$name" 3 "$@" &&
		[ "$(grep -c . "$dir/err")" = 0 ] &&
		$sources/trace_files.py json "$dir/of-$name" 1 >"$dir/$name.json" &&
		"$build/bin/spredict" procedures --json \
			--trace="$dir/$name.json" >"$dir/$name.procedures" 2>&1 &&
		jq -e --arg pattern "$pattern" '.procedures == [] and
			(.unmeasured[0].reason | test($pattern))' \
			"$dir/$name.procedures" >/dev/null
	ok "$name" $? "$(cat "$dir/out" "$dir/err" "$dir/$name.procedures" 2>&1)"
}
reason too-many-calls tick '10,000 times' "$dir/often" 1000000
! count too-many-calls | grep -q cut
ok the-trace-goes-on $? "$(count too-many-calls)"
reason without-hooks serve_first 'instrument-functions' "$dir/clients" -n 5 -w 1
reason no-symbols serve_first 'symbol table' "$dir/stripped" -n 5 -w 1
reason absent serve_third 'no function' "$dir/clients" -n 5 -w 1

# Figure 2 in the running program and in the replay of its trace: the same
# numbers. NAME PROCEDURE PROGRAM [ARGUMENT...]
online() {
	local name=$1 procedure=$2

	shift 2
	PREDICT_TRACE_ONLINE=1 PREDICT_TRACE_PROCEDURE=$procedure \
		traced "$name" 3 "$@"
	$sources/trace_files.py json "$dir/of-$name" 1 |
		jq '.procedure = "it"' >"$dir/$name.json"
	"$build/bin/spredict" procedures --json --trace="$dir/$name.json" \
		>"$dir/$name.procedures" 2>&1 &&
		jq -e '.procedures[0] | (.path_s - .online_path_s | fabs) < 1e-6
			and (.moved_s - .online_moved_s | fabs) < 1e-6
			and .moved_s != .path_s and .path_s > 0' \
			"$dir/$name.procedures" >/dev/null
	ok "figure-2-$name" $? "$(cat "$dir/out" "$dir/err" \
		"$dir/$name.procedures" 2>&1)"
}
online server serve_first "$build/bin/clients" -n 20 -w 10
online ring work "$dir/hooked" 100 200
online across work "$dir/hooked" 100 200 crossing

# Without it there are no numbers; a program that stops to be followed goes on.
jq -e '.procedures[0].online_moved_s == null' >/dev/null < <(
	"$build/bin/spredict" procedures --json --trace="$dir/serve_first.json")
ok not-unless-asked-for $?
PREDICT_TRACE_ONLINE=1 traced stops 4 "$dir/traced"
rc=$?
[ $rc = 0 ] && [ "$(cat "$dir/out")" = "$of_traced" ] &&
	[ "$(count stops)" = "$(count all)" ]
ok figure-2-ends-without-harm $? "$rc $(cat "$dir/out" "$dir/err")"
PREDICT_TRACE_ONLINE=1 traced stops-failing 4 "$dir/awkward" failing
[ "$(cat "$dir/out")" = "done" ]
ok figure-2-ends-with-a-failure $? "$(cat "$dir/out" "$dir/err" 2>&1)"

traced threads 3 "$dir/threads"
rc=$?
[ $rc = 0 ] && ! count threads | grep -qv cut
ok calls-of-two-threads-end-the-trace $? "$rc $(count threads)"

run missing 4 "$dir/traced"
rc=$?
[ $rc = 0 ] && [ "$(cat "$dir/out")" = "$of_traced" ] && [ ! -e "$dir/missing" ]
ok no-folder-no-harm $? "$rc $(cat "$dir/out")"

# MPICH's own library, where MPICH is: the same events, the same numbers.
mpich() { # NAME RANKS PROGRAM [ARGUMENT...]
	local name=$1 ranks=$2

	shift 2
	mkdir -p "$dir/of-$name"
	timeout 60 mpiexec.mpich -n "$ranks" env \
		PREDICT_MPI_DIR="$dir/reports" PREDICT_TRACE_DIR="$dir/of-$name" \
		PREDICT_TRACE_ONLINE=1 PREDICT_TRACE_PROCEDURE=work \
		LD_PRELOAD="$build/lib/libpredict_mpich.so" "$@" \
		>"$dir/out" 2>"$dir/err"
}
if [ -e "$build/lib/libpredict_mpich.so" ] && command -v mpiexec.mpich >/dev/null; then
	mpicc.mpich -o "$dir/traced-mpich" $sources/traced.c &&
		mpicc.mpich -finstrument-functions -rdynamic \
			-o "$dir/hooked-mpich" $sources/rounds.c &&
		mpich mpich 4 "$dir/traced-mpich" &&
		[ "$(cat "$dir/out")" = "$of_traced" ] &&
		[ "$(count mpich)" = "$(count all)" ]
	ok mpich-every-event-is-there $? "$(cat "$dir/out" "$dir/err" 2>&1)"
	mpich mpich-online 3 "$dir/hooked-mpich" 100 200
	$sources/trace_files.py json "$dir/of-mpich-online" 1 |
		jq '.procedure = "work"' >"$dir/mpich.json"
	"$build/bin/spredict" procedures --json --trace="$dir/mpich.json" |
		jq -e '.procedures[0] |
			(.moved_s - .online_moved_s | fabs) < 1e-6' >/dev/null
	ok mpich-figure-2 $? "$(cat "$dir/out" "$dir/err" 2>&1)"
	# Nothing tells these from each other but their ranks, and that
	# they follow.
	for ranks in 2 4 2; do
		mpich mpich-one-after-the-other $ranks "$dir/traced-mpich"
	done
	for file in "$dir/of-mpich-one-after-the-other"/*; do
		# Which run, and how many ranks it has by this file.
		echo "$(basename "${file%.*}")" "$(od -An -tu1 -j9 -N1 "$file")"
	done | sort | uniq -c >"$dir/runs"
	[ "$(awk '{ print $1, $3 }' "$dir/runs" | sort | xargs)" = "2 2 2 2 4 4" ]
	ok programs-do-not-mix $? "$(cat "$dir/runs" 2>&1)"
fi

# A file system that has room for the traces of some ranks.
unshare --mount bash -c "
	mkdir '$dir/full' &&
		mount -t tmpfs -o size=160k none '$dir/full' || exit 9
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	timeout 60 mpirun --oversubscribe -np 4 \
		env PREDICT_MPI_DIR='$dir/reports' \
		PREDICT_TRACE_DIR='$dir/full' LD_PRELOAD='$library' '$dir/traced'
	rc=\$?
	du -b '$dir'/full/* >'$dir/full.count'
	exit \$rc" >"$dir/out" 2>"$dir/err"
rc=$?
[ $rc = 0 ] && [ "$(cat "$dir/out")" = "$of_traced" ]
ok a-full-disk-no-harm $? "$rc $(cat "$dir/out" "$dir/err")"
awk '$1 < 100 { none++ } $1 > 1000 { some++ } END { exit !(none && some) }' \
	"$dir/full.count"
ok as-much-as-fits $? "$(cat "$dir/full.count" 2>&1)"
exit "$failed"
