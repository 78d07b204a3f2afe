# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# report.bash - predicted against actual, and whether the loop closed

report() {
	local stored

	echo
	report_table
	echo
	stored=$(psql -XAtq "$conninfo" -c "SELECT count(*) FROM predict.runs
		WHERE state = 'COMPLETED' AND prediction_id <> ''")
	((stored == learning + shown)) ||
		die "$stored of $((learning + shown)) runs are in PostgreSQL" \
			"with their prediction"
	say "all $stored runs are in PostgreSQL, each with its prediction"
	report_errors
	host_print
	echo
	echo "bar demo_npe_pct $error_pct"
	echo "bar demo_npe_vs_avg2 $ratio"
	echo "bar demo_first_s $first_s"
	report_picture
}

report_table() {
	echo "The last $shown jobs: predicted against actual run time (s)"
	echo
	tail -n "$shown" "$table" | awk '
	function percent(predicted) {
		return sprintf("%+.0f%%", 100 * (predicted - $6) / $6)
	}
	BEGIN {
		format = "%5s %5s %6s %5s  %-10s %9s %7s %6s  %9s %6s\n"
		printf format, "job", "nodes", "bodies", "load", "model",
			"predicted", "actual", "error", "last two", "error"
	}
	{
		printf format, $2, $3, $4, $5, $7, sprintf("%.1f", $8),
			sprintf("%.1f", $6), percent($8),
			sprintf("%.1f", $10), percent($10)
	}'
}

# The normalized percentage error of Lee and Schopf over the last jobs: of the
# prediction, of the mean of the user's last two runs, of the limit.
report_errors() {
	read -r error_pct last_two_pct limit_pct < <(tail -n "$shown" "$table" |
		awk '
		function off(p) { return p > $6 ? p - $6 : $6 - p }
		{ ours += off($8); last += off($10); limit += off($11)
		  actual += $6 }
		END { printf "%.1f %.1f %.1f\n", 100 * ours / actual,
			100 * last / actual, 100 * limit / actual }')
	ratio=$(awk "BEGIN { printf \"%.3f\", $error_pct / $last_two_pct }")
	echo
	echo "error without history (the user's limit):        $limit_pct %"
	echo "error of the mean of the user's last two:        $last_two_pct %"
	echo "error with history and the state of the nodes:   $error_pct %"
}

# $picture outlives the demo's own folder.
report_picture() {
	python3 "$here/lib/plot.py" "$table" "$shown" "$error_pct" \
		"$last_two_pct" \
		"$limit_pct" >"$picture"
	echo
	echo "predicted against actual, as a picture: $picture"
}
