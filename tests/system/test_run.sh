#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_run.sh - tests/run itself: what counts as passed and as failed
#
# usage: test_run.sh BUILD
set -u
cd "$(dirname "$0")/../.." || exit 2

build=${1:?usage: test_run.sh BUILD}
dir=$build/test_run
failed=0
rm -rf "$dir"
mkdir -p "$dir"

# write NAME: a program of the given name, from the standard input
write() {
	{
		echo '#!/bin/bash'
		cat
	} >"$dir/$1"
	chmod +x "$dir/$1"
}

# expect NAME STATUS LAST-LINE PROGRAM...: what tests/run says about programs
expect() {
	local name=$1 status=$2 last=$3 got
	shift 3

	tests/run -t 2 "$@" >"$dir/output" 2>&1
	got=$?
	if [ "$got" = "$status" ] &&
		[ "$(tail -n 1 "$dir/output")" = "$last" ]; then
		echo "ok $name"
		return
	fi
	echo "not ok $name - status $got"
	sed 's/^/    /' "$dir/output"
	failed=1
}

# shows NAME TEXT: whether the last output has it
shows() {
	if grep -qF -- "$2" "$dir/output"; then
		echo "ok $1"
	else
		echo "not ok $1 - no '$2'"
		failed=1
	fi
}

write good <<<'echo ok a; echo ok b; echo okay; echo bar speed 1.5'
write bad <<<'echo ok a; echo "not ok b - why"; exit 1'
write skip <<<'echo ok a; echo "ok b # skipped: no c here"'
write skip_all <<<'echo "ok all # skipped: no c here"'
write skip_bad <<<'echo "ok b # skipped: no c here"; echo "not ok d - why"'
write skip_mute <<<'echo "ok b # skipped:"'
write check <<<'echo "80%: Checks: 5, Failures: 1, Errors: 0"; exit 1'
write unit <<END
echo "50%: Checks: 2, Failures: 1, Errors: 0"
echo "test_x.c:7:F:case:test_x:0: x != 1"
exit 1
END
write many <<<'for i in {1..60}; do echo "not ok $i - $(printf %999s)"; done'
write silent <<<'exit 0'
write figures <<<'echo bar speed 2'
write crash <<<'echo ok a; kill -SEGV $$'
write status <<<'echo ok a; exit 3'
write slow <<<'echo ok a; sleep 60'
write left <<<'echo ok a; sleep 60 & echo $! >'"$dir/left.pid"
write meet <<END
touch "$dir/\$1"
for _ in {1..15}; do [ -e "$dir/\$2" ] && echo ok met && exit; sleep 0.1; done
exit 1
END
write busy <<<"touch $dir/busy.now; sleep 0.5; rm $dir/busy.now; echo ok a"
write last <<<"[ ! -e $dir/busy.now ] && echo ok a"
write longer <<<'sleep 2.5; echo ok a'
write niceness <<<'[ "$(nice)" = "$1" ] && echo ok a'
write waits <<<"echo \$\$ >>$dir/waits.pids; sleep 60"
write argument <<<'echo "ok argument-$1"; [ "$1" = "x y" ]'

expect all-good 0 '4 passed, 0 failed' "$dir/good" "$dir/good"
shows figures-as-they-are 'bar speed 1.5'
expect one-bad 1 '3 passed, 1 failed' "$dir/good" "$dir/bad"
shows why-it-failed 'not ok b - why'
expect one-skipped 0 '1 passed, 0 failed' "$dir/skip"
shows skipped-why 'ok b # skipped: no c here'
shows skipped-sum '1 skipped'
expect all-skipped 0 '0 passed, 0 failed' "$dir/skip_all"
expect skipped-and-bad 1 '0 passed, 1 failed' "$dir/skip_bad"
expect skipped-without-reason 0 '1 passed, 0 failed' "$dir/skip_mute"
expect check-program 1 '4 passed, 1 failed' "$dir/check"
expect said-nothing 1 '0 passed, 1 failed' "$dir/silent"
expect only-figures 0 '1 passed, 0 failed' "$dir/figures"
expect crashed 1 '1 passed, 1 failed' "$dir/crash"
shows signal SIGSEGV
expect bad-status 1 '1 passed, 1 failed' "$dir/status"
expect timed-out 1 '1 passed, 1 failed' "$dir/slow"
shows time-out 'not done after 2 s'
expect not-there 1 '0 passed, 1 failed' "$dir/nothing"
expect arguments 0 '1 passed, 0 failed' "$dir/argument 'x y'"
expect left-a-child 0 '1 passed, 0 failed' "$dir/left"
kill "$(cat "$dir/left.pid")"
expect together 0 '2 passed, 0 failed' -j 2 "$dir/meet a b" "$dir/meet b a"
rm "$dir/a" "$dir/b"
expect one-by-one 1 '1 passed, 1 failed' "$dir/meet a b" "$dir/meet b a"
expect alone 0 '2 passed, 0 failed' -j 2 "$dir/busy" --alone "$dir/last"
expect nobody-alone 0 '1 passed, 0 failed' "$dir/argument 'x y'" --beside --alone
expect beside 0 '2 passed, 0 failed' "$dir/meet a b" --beside "$dir/meet b a"
shows beside-by-its-words "$dir/meet b a"
rm "$dir/a" "$dir/b"
expect beside-counts 1 '3 passed, 1 failed' "$dir/good" --beside "$dir/crash"
expect beside-is-niced 0 '2 passed, 0 failed' "$dir/niceness $(nice)" \
	--beside "$dir/niceness $(nice -n 5 nice)"
expect beside-twice-the-time 0 '2 passed, 0 failed' "$dir/argument 'x y'" \
	--beside "$dir/longer"
expect alone-waits-for-beside 0 '3 passed, 0 failed' "$dir/argument 'x y'" \
	--beside "$dir/busy" --alone "$dir/last"

# What failed is said again before the last line, and briefly.
expect some-failed 1 '7 passed, 4 failed' "$dir/good" "$dir/bad" "$dir/skip" \
	"$dir/unit" --beside --alone "$dir/crash" "$dir/status"
check_end() {
	diff - <(tail -n 10 "$dir/output") <<END
1 skipped
failed: $dir/bad - exit status 1
    not ok b - why
failed: $dir/unit - exit status 1
    test_x.c:7:F:case:test_x:0: x != 1
failed: $dir/crash - ended by SIGSEGV
    ok a
failed: $dir/status - exit status 3
    ok a
7 passed, 4 failed
END
}
check_brief() {
	[ "$(sed '1,/^failed: /d' "$dir/output" | wc -lc |
		awk '{ print ($1 <= 40 && $2 < 13000) }')" = 1 ] &&
		[ "$(grep -c '^failed: ' "$dir/output")" = 3 ]
}
holds() {
	if "$2"; then
		echo "ok $1"
	else
		echo "not ok $1"
		failed=1
	fi
}
holds failures-at-the-end check_end
expect many-failures 1 '1 passed, 121 failed' "$dir/many" "$dir/many" \
	"$dir/bad"
holds failures-in-few-lines check_brief

# Whoever ends tests/run ends what it runs.
pids=()
tests/run -j 2 "$dir/waits" "$dir/waits" >"$dir/output" 2>&1 &
for _ in {1..50}; do
	[ "$(wc -l 2>/dev/null <"$dir/waits.pids")" = 2 ] && break
	sleep 0.1
done
kill $!
wait $!
mapfile -t pids <"$dir/waits.pids"
if [ "${#pids[@]}" = 2 ] && ! kill -0 "${pids[@]}" 2>/dev/null; then
	echo "ok ended"
else
	echo "not ok ended - of ${pids[*]} some run on"
	failed=1
fi

rm -rf "$dir"
exit "$failed"
