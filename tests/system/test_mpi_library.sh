#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_mpi_library.sh - what libpredict_mpi.so reports of programs in C,
# C++, Fortran
#
# usage: test_mpi_library.sh BUILD
#
# Three processes on this machine, each in its own UTS namespace, so that
# they have names of nodes.  The same program in each language must send the
# same messages.
set -u
cd "$(dirname "$0")/../.." || exit 2

build=$(realpath "${1:?usage: test_mpi_library.sh BUILD}")
dir=$build/test_mpi_library
library=$build/lib/libpredict_mpi.so
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

# run PROGRAM [NAME=VALUE...]: leaves reports in $dir/reports
run() {
	local program=$1 arguments=

	shift
	[ "$program" != waitany ] || arguments="30 300"
	rm -rf "$dir/reports"
	mkdir "$dir/reports"
	env "$@" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		OMPI_MCA_pml=ob1 OMPI_MCA_mpi_yield_when_idle=1 \
		timeout 60 mpirun --oversubscribe -np 3 unshare --uts \
		bash -c "hostname r\$OMPI_COMM_WORLD_RANK
			PREDICT_MPI_DIR=$dir/reports LD_PRELOAD=$library \
			exec $dir/$program $arguments" >"$dir/$program.out" 2>"$dir/$program.err"
}

# sums: who sent how many messages, bytes, long messages to whom
sums() {
	awk '$1 == "node" { node = $2 }
		$1 == "to" { print node, $2, $3, $4, $6 }
		$1 == "collectives" || $1 == "end" { print node, $1, $2 }' \
		"$dir"/reports/* | sort
}

# replies: messages of rank 0 that are replies
replies() {
	awk '$1 == "node" { node = $2 } $1 == "to" && node == "r0" { print $5 }' \
		"$dir"/reports/*
}

rm -rf "$dir"
mkdir -p "$dir"
sources=tests/system/mpi
mpicc -o "$dir/c" $sources/exchange.c -lm &&
	mpicc -pthread -o "$dir/threads" $sources/threads.c &&
	mpicc -o "$dir/waitany" $sources/waitany.c &&
	mpifort -J"$dir" -o "$dir/waitany_mpi" $sources/waitany.F90 &&
	mpifort -DF08 -J"$dir" -o "$dir/waitany_f08" $sources/waitany.F90 &&
	mpicxx -x c++ -o "$dir/cxx" $sources/exchange.c &&
	mpifort -DMPIFH -J"$dir" -o "$dir/mpif_h" $sources/exchange.F90 &&
	mpifort -J"$dir" -o "$dir/use_mpi" $sources/exchange.F90 &&
	mpifort -DF08 -J"$dir" -o "$dir/mpi_f08" $sources/exchange.F90
ok programs-compile $?
[ "$failed" = 0 ] || exit 1

# Open MPI's component counts them, up to Open MPI 5.
collectives=yes
! mpirun --version | grep -Eq 'Open MPI\) ([6-9]|[1-9][0-9])' || collectives=no
run c
of_c=$(sums)
[ "$(grep -c "collectives $collectives" <<<"$of_c")/$(grep -c end <<<"$of_c")" = 3/3 ]
ok c-reports-with-collectives $? "$of_c $(tail -n 5 "$dir/c.err")"
run c OMPI_MCA_pml_monitoring_enable=0
[ "$(sums)" = "r0 collectives no
r0 end 
r0 r1 100 44000 0
r1 collectives no
r1 end 
r1 r0 50 3600000 50
r1 r2 50 4000 0
r2 collectives no
r2 end 
r2 r0 50 4000 0" ]
ok c-is-counted-by-its-calls $? "$(sums)"
by_calls=$(sums)

run threads OMPI_MCA_pml_monitoring_enable=0
[ "$(sums | grep ' r[0-2] ')" = \
	"r0 r1 100 4903000 70
r1 r2 100 4903000 70
r2 r0 100 4903000 70" ]
ok messages-of-all-threads $? "$(sums)"

# The last message to each worker is no task; the last result of all is waited
# for alone.
for program in waitany waitany_mpi waitany_f08; do
	run $program
	farm=$(cat "$dir"/reports/* | grep "^rank ")
	awk '$2 == 0 { any = $8 } $2 != 0 { tasks += $10; hub += $3 == 0 }
		END { exit !(tasks == 30 && hub == 2 && any == 31) }' \
		<<<"$farm"
	ok "$program-has-tasks" $? "$farm $(tail -n 5 "$dir/$program.err")"
	[ "$(cat "$dir/$program.out")" = "done 30" ]
	ok "$program-computes-the-same" $? "$(cat "$dir/$program.out" 2>&1)"
done

# The package is not on every node: the others must not wait for rank 2 forever.
rm -rf "$dir/reports"
mkdir "$dir/reports"
env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
	OMPI_MCA_pml=ob1 OMPI_MCA_mpi_yield_when_idle=1 \
	timeout 60 mpirun --oversubscribe -np 3 \
	bash -c "((OMPI_COMM_WORLD_RANK != 2)) || exec $dir/c
		PREDICT_MPI_DIR=$dir/reports LD_PRELOAD=$library exec $dir/c" \
	>"$dir/partly.out" 2>&1
rc=$?
[ $rc = 0 ] && cmp -s "$dir/c.out" "$dir/partly.out"
ok a-rank-without-the-library $? "$rc $(cat "$dir/partly.out")"

for program in cxx mpif_h use_mpi mpi_f08; do
	run $program
	[ "$(sums)" = "$of_c" ]
	ok "$program-reports-the-same-messages" $? "$(sums)"
	[ "$(find "$dir/reports" -type f | wc -l)" = 3 ]
	ok "$program-leaves-no-file-of-the-component" $? "$(ls "$dir/reports")"
	cmp -s "$dir/c.out" "$dir/$program.out"
	ok "$program-computes-the-same" $? "$(cat "$dir/$program.out" 2>&1)"
	run $program OMPI_MCA_pml_monitoring_enable=0
	[ "$(sums)" = "$by_calls" ]
	ok "$program-is-counted-by-its-calls" $? "$(sums)"
	# Rank 0 works before it receives from any source, and then sends.
	[ "$(replies)" -ge 45 ]
	ok "$program-replies-are-counted" $? "$(replies)"
	awk '$1 == "mpi_seconds" { n++; bad += !($2 > 0) }
		END { exit bad || n != 3 }' "$dir"/reports/*
	ok "$program-time-in-mpi-is-measured" $? "$(cat "$dir"/reports/* 2>&1)"
done
exit "$failed"
