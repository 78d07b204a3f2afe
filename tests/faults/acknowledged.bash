# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# acknowledged.bash - runs that predictds acknowledged, and what was stored
#
# For tests that source predictd.bash.
# shellcheck disable=SC2154

# post_runs FIRST COUNT SOCKET...: in the background; its pid in $posting
post_runs() {
	"$here/post_runs.py" "$dir/acknowledged" "$@" &
	posting=$!
}
# For a trap at EXIT: what is still being posted ends first.
end_posting() {
	local status=$?

	set +e
	kill "$posting" 2>/dev/null
	(exit "$status")
	finish
}
posting=''
acknowledged() { wc -l <"$dir/acknowledged"; }
has_acknowledged() { (($(acknowledged) >= $1)); }

# count_lost CONNINFO: set $lost and $double by that database; print bars
count_lost() {
	psql -XAtq "$1" -c "SELECT job_id FROM predict.runs
		WHERE ended_at IS NOT NULL" | sort >"$dir/stored"
	sort -u "$dir/stored" >"$dir/stored.once"
	lost=$(sort -u "$dir/acknowledged" |
		comm -23 - "$dir/stored.once" | wc -l)
	double=$(($(wc -l <"$dir/stored") - $(wc -l <"$dir/stored.once")))
	echo "  $(acknowledged) acknowledged, $(wc -l <"$dir/stored") stored"
	echo "bar ${test}_lost $lost"
	echo "bar ${test}_double $double"
	check lost "$lost acknowledged runs are not stored" [ "$lost" = 0 ]
	check double "$double runs are stored twice" [ "$double" = 0 ]
}
