# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# needs.bash - what a test needs that not every machine has
#
# Without it a test is skipped, and says why: it has neither passed nor failed.

# skip NAME WHY
skip() { echo "ok $1 # skipped: $2"; }

# need_select NAME BUILD: a select plugin, which is not built for a release of
# Slurm that is newer than ours; without it the test NAME ends here
need_select() {
	[[ ! -e $2/lib/select/select_cons_tres.so ]] || return 0
	skip "$1" 'the select plugin could not be built'
	exit 0
}

# select_stands_back NAME LOG: whether slurmctld refused our select plugin
# because that is of the headers of another micro release than it has itself,
# in which structures have moved: as it should.  Says so as the skipped test
# NAME.  If the plugin stands back from its own micro release, the test has
# failed, and ends.
select_stands_back() {
	local refused='.*Incompatible Slurm plugin .*/select_cons_tres.so version'
	local built running

	built=$(sed -n "s|$refused (\(.*\))|\1|p" "$2" | head -n 1)
	[[ -n $built ]] || return 1
	running=$(slurmctld -V | awk '{ print $2 }')
	if [[ ${running%%-*} == "$built" ]]; then
		echo "not ok $1 - the select plugin stands back from its own Slurm"
		exit 1
	fi
	skip "$1" "select of $built stands back from Slurm $running"
}
