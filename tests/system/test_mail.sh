#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_mail.sh - mailprog as MailProg of a real slurmctld
#
# What stands for the site's mail program writes down its arguments and its
# standard input.  While the node delivers no runs, mails about ends wait.
#
# usage: test_mail.sh BUILD
set -u -o pipefail

conninfo='' run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_mail.sh BUILD}")
dir=$build/mail
ann=2
test=mail
# shellcheck source=checks.bash
. "$here/checks.bash"

batch() { # ARGUMENT...
	as $ann sbatch --parsable -o /dev/null -D /tmp -n1 -w n1 -t 10 \
		--mail-type=END,FAIL --mail-user=ann@site "$@" 2>/dev/null
}
spredict() { as $ann "$run/spredict" "$@" 2>&1; }
sql() { psql -XAtq "$conninfo" -c "SET search_path = predict" -c "$1"; }
same() { [[ $1 == "$2" ]]; }
# install_mailprog SECONDS: a mail waits no longer for a run
install_mailprog() {
	sed "s|/etc/slurm-predict|$run/etc|; s|^WAIT_S = 60|WAIT_S = $1|" \
		"$contrib/site/mailprog" >"$run/mailprog.new"
	chmod 755 "$run/mailprog.new"
	mv "$run/mailprog.new" "$run/mailprog"
}
configure() { # PROGRAM
	cat >"$run/etc/mailprog.conf" <<-END
	# the site's
	MailProg=$1
	LockDir=$run/places
	PATH=$run:/usr/bin:/bin
	SLURM_CONF=$CLUSTER_BASE/dir/etc/slurm.conf
	END
}
# mails WORDS: the files of mails that have these words
mails() { grep -lF -- "$1" "$run"/mails/*.mail 2>/dev/null; }
show() { mails "$1" | xargs -r cat; }
text() { show "$1" | sed '1,/^--$/d'; }
count() { mails "$1" | wc -l; }
mailed() { (($(count "$1") >= ${2:-1})); }
with_text() { mails "$1" | xargs -r grep -l '^Time used ' | wc -l; }
logged() { grep -qE -- "$1" "$dir/cluster/log/slurmctld.log"; }
waiting() {
	local place taken=0

	for place in "$run"/places/*; do
		[[ ! -e $place ]] || flock -n "$place" true || ((++taken))
	done
	echo $taken
}
waits() { (($(waiting) == $1)); }
# The process that waits in a place, with the lock as descriptor 3: not always
# in the first, which waiting() may have held when it came.
waiter() {
	local fd

	for fd in /proc/[0-9]*/fd/3; do
		[[ $(readlink "$fd" 2>/dev/null) != "$run"/places/* ]] ||
			cut -d/ -f3 <<<"$fd"
	done
}
running() { (($(as 0 squeue -h -t R -o %A | wc -l) == $1)); }
measured() { (($(sql 'SELECT count(*) FROM run_shares') >= $1)); }

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
"$stack" up "$dir" "$build" --cap 0 --nodes 1 --cpus 32 || exit
# shellcheck disable=SC1091
. "$dir/settings"
# shellcheck disable=SC1091
. "$dir/cluster-env"
cp "$build/bin/spredict" "$run/"
mkdir "$run/etc" "$run/mails"
mkdir -m 700 "$run/places"
cat >"$run/mail" <<END
#!/bin/bash
file=\$(mktemp "$run/mails/XXXXXX")
{
	printf '%s\n' "\$#" "\$SLURM_JOB_MAIL_TYPE" "\$@" --
	cat
} >"\$file"
mv "\$file" "\$file.mail"
[[ \$3 != refused@site ]] || exit 33
END
cat >"$run/work.sh" <<END
#!/bin/bash
until [[ -e $run/go ]]; do sleep 0.5; done
END
chmod 755 "$run/mail" "$run/work.sh" "$run/spredict"
# It would be a command, an argument, and a header.
name="x \$(touch $run/forged)"$'\n'"-s forged"$'\n'"Bcc: bob"
install_mailprog 600
configure "$run/mail"
sed -i "s|^MailProg=.*|MailProg=$run/mailprog|" "$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure

# --- What the job used --------------------------------------------------------

array=$(batch -J 'three tasks' -a 1-3 "$run/work.sh")
id=$(batch --mail-type=BEGIN,END -J "$name" "$run/work.sh")
check begin "$(cat "$run"/mails/* 2>&1)" until_true 60 mailed Began
check begin_as_it_came "$(show Began)" same "$(show Began)" "3
Began
-s
Slurm Job_id=$id Name=$name $(show Began | grep -oE 'Began, Queued.*')
ann@site
--"
touch "$run/go"
check end "$(waiting) wait" until_true 60 mailed 'Bcc: bob Ended'
check end_arguments "$(show 'Bcc: bob Ended')" same \
	"$(show 'Bcc: bob Ended' | sed '/^--$/,$d')" "3
Ended
-s
Slurm Job_id=$id Name=$name $(show 'Bcc: bob Ended' | grep -oE 'Ended, Run.*')
ann@site"
check end_text "$(text 'Bcc: bob Ended'), but $(spredict job "$id")" same \
	"$(text 'Bcc: bob Ended' | grep -v '^Ask next')" "Job $id:

$(spredict job -P "$id" | awk -F '|' '
	/^(Time|CPU|Memory) used/ { printf "%-15s%s\n", $1, $2 }')"
check forged "the name was a command" test ! -e "$run/forged"
check array "$(waiting) wait" until_true 60 mailed 'Array Summary'
check array_text "$(show 'Array Summary')" same \
	"$(with_text 'Array Summary') $(text 'Array Summary' | head -n 1)" \
	"1 Task ${array}_3, as one of the array:"

# Four runs are known now: what to request is, too.
until_true 60 measured 4
id=$(batch -J advised "$run/work.sh")
check advised "$(waiting) wait" until_true 60 mailed 'Name=advised Ended'
check advice "$(show 'Name=advised')" same \
	"$(text 'Name=advised' | sed -n 's/^Ask next time  *//p')" \
	"$(spredict --json job "$id" | jq -r '.advice.options | values')"
check advice_is_there "$(spredict job "$id")" grep -q '^Ask next time  -t ' \
	<<<"$(text 'Name=advised')"

# --- Nothing is known of the run ----------------------------------------------

"$stack" kill "$dir" predictd
batch -J unanswered "$run/work.sh" >/dev/null
check no_predictd "$(waiting) wait" until_true 60 mailed 'Name=unanswered'
check no_predictd_text "$(show 'Name=unanswered')" same \
	"$(text 'Name=unanswered')" ''
"$stack" start "$dir" predictd
"$stack" wait "$dir"

"$stack" kill "$dir" collectord n1
install_mailprog 6
batch -J impatient "$run/work.sh" >/dev/null
check late "$(waiting) wait" until_true 60 mailed 'Name=impatient'
check late_text "$(show 'Name=impatient')" same "$(text 'Name=impatient')" ''
install_mailprog 600
batch -J ended "$run/work.sh" >/dev/null
check waits "$(waiting) wait" until_true 60 waits 1
ended_is_mailed() {
	waiter | xargs -r kill 2>/dev/null
	mailed 'Name=ended'
}
check service_ends "$(waiting) wait" until_true 60 ended_is_mailed
check service_ends_text "$(show 'Name=ended')" same "$(text 'Name=ended')" ''

rm "$run/go"
for ((i = 0; i < 25; i++)); do
	batch -J many "$run/work.sh" >/dev/null
done
until_true 60 running 25
touch "$run/go"
# To look for places would take one for a moment.
check many "$(count 'Name=many') mails" until_true 60 mailed 'Name=many' 5
check many_wait "$(waiting) wait" until_true 60 waits 20
check many_at_once "$(count 'Name=many')" same "$(count 'Name=many')" 5
"$stack" start "$dir" collectord n1
check all_mails "$(waiting) wait, $(count 'Name=many') mails" \
	until_true 120 mailed 'Name=many' 25
check all_texts "$(show 'Name=many')" same "$(with_text 'Name=many')" 20

# --- The site's program fails -------------------------------------------------

batch -J refused --mail-type=BEGIN --mail-user=refused@site "$run/work.sh" \
	>/dev/null
check status "$(tail "$dir/cluster/log/slurmctld.log")" \
	until_true 60 logged 'MailProg exit status 33:0'
configure /nowhere/mail
batch -J missing "$run/work.sh" >/dev/null
check missing "$(tail "$dir/cluster/log/slurmctld.log")" \
	until_true 60 logged 'MailProg exit status 127:0'
check missing_logged "$(tail "$dir/cluster/log/slurmctld.log")" \
	until_true 60 logged '/nowhere/mail: No such file or directory'
check one_mail_an_array "$(show 'three tasks')" same "$(count 'three tasks')" 1
exit $failed
