#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_metrics.sh - what /metrics says of partitions, and to whom
#
# A real cluster with jobs of four users, whose sums are hidden, then of five.
# Both formats, old names, and who may see what.  `make check-metrics` has
# Prometheus read them.
#
# usage: test_metrics.sh BUILD
set -u -o pipefail

run='' # set by the stack's settings
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
contrib=$here/../../contrib
stack=$contrib/stack/stack
cluster=$contrib/cluster/cluster
build=$(realpath -- "${1:?usage: test_metrics.sh BUILD}")
dir=$build/metrics
test=metrics
# shellcheck source=checks.bash
. "$here/checks.bash"
# shellcheck source=metrics.bash
. "$here/metrics.bash"

has() { grep -qE "$1" "$dir/text"; }
lacks() { ! has "$1"; }
is_text() { # python prints how many families there are
	local families

	families=$(python3 "$here/metrics_text.py" "$1" 2>"$dir/wrong") ||
		return
	((families > 30))
}
waits_of() { (($(value partition_jobs_waiting) == $1)); }

metrics_begin
check judged "$(read_metrics)" until_true 60 judged 5
check within "more than judged" test \
	"$(value partition_within_runs_total)" -le \
	"$(value partition_judged_runs_total)"

submit_first
submit_waiting 2 3 4 5
until_true 60 start_is_told "$last"
# The text may be a second old.
no_waits() {
	read_metrics && lacks \
		'^slurm_predict_partition_(jobs_waiting|wait_|pending|new)'
}
check four_users "$(grep partition "$dir/text")" until_true 60 no_waits
submit_waiting 6 6
check five_users "$(grep partition "$dir/text")" until_true 60 waits_of 6
check prometheus "@$dir/wrong" is_text "$dir/text"
check cluster_label "no cluster" has \
	'^slurm_predict_partition_jobs_waiting\{cluster="[a-z]+",partition="'
check pending "not their limits" has \
	'^slurm_predict_partition_pending_cpu_seconds\{.*\} [1-9]'
check wait "no wait" has \
	'^slurm_predict_partition_wait_median_seconds\{.*\} [1-9]'
check new_job "no wait of a new job" has \
	'^slurm_predict_partition_new_wait_p90_seconds\{.*\} [0-9]'
check late_unknown "of one user" lacks '_jobs_late\{'
check available "no nodes" until_true 60 value_is_there \
	cpu_available_ratio
check process "no process_" has '^process_resident_memory_bytes[{].* [1-9]'
check histogram "no bucket" has \
	'_duration_seconds_bucket\{.*route="/metrics",le="\+Inf"\} [1-9]'

read_metrics -H 'Accept: application/openmetrics-text;version=1.0.0,*/*;q=0.1'
check openmetrics "@$dir/wrong" is_text "$dir/text"
check openmetrics_end "no EOF" test "$(tail -n 1 "$dir/text")" = '# EOF'

# Within a second all get the same text.
began=$SECONDS
for _ in {1..20}; do
	read_metrics
	grep '^process_cpu_seconds_total' "$dir/text"
done | sort -u >"$dir/different"
check kept "$(wc -l <"$dir/different") texts in $((SECONDS - began)) s" \
	test "$(wc -l <"$dir/different")" -le $((SECONDS - began + 2))

echo MetricsAccess=operators >>"$dir/etc/predict.conf"
restart_predictd
tcp() { # ARGUMENT...
	as 65534 curl -sS "$@" "http://$CLUSTER_ADDRESS:7380/metrics" \
		>"$dir/text"
}
waits_of 6 || until_true 60 waits_of 6
check operators "root sees none" waits_of 6
tcp
check strangers "a stranger sees partitions" lacks partition=
check strangers_rest "a stranger sees nothing" has '^slurm_predict_ready'
tcp -H "Authorization: MUNGE $(as 0 munge -S "$MUNGE_SOCKET" \
	-s 'GET /metrics')"
check operator_tcp "an operator sees none" has partition=
sed -i /MetricsAccess/d "$dir/etc/predict.conf"

echo PrivateData=nodes >>"$dir/cluster/etc/slurm.conf"
as 0 scontrol reconfigure
echo MetricsNames=old >>"$dir/etc/predict.conf"
restart_predictd
hides_nodes() { tcp && lacks '^predict_(nodes|cpu_available)'; }
check nodes_hidden "$(grep nodes "$dir/text")" until_true 60 hides_nodes
read_metrics
check nodes_operator "root sees no nodes" has '^predict_nodes_fresh[{]'
check old_names "no old names" has \
	'^predict_http_busy_seconds_total[{].*route="/metrics"'
check old_gone "new names of old families" lacks '^slurm_predict_runs'
check new_stay "no new families" has '^slurm_predict_http_request_duration'
((failed == 0))
