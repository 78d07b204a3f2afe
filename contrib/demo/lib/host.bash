# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# host.bash - what the host took while the demo ran

# host_counters: seconds of CPU time, of time stolen by the hypervisor, and of
# real time in which some process waited for a CPU
host_counters() {
	local busy stolen waited=-

	read -r busy stolen < <(awk -v ticks="$(getconf CLK_TCK)" '
		NR == 1 {
			print ($2 + $3 + $4 + $7 + $8) / ticks, $9 / ticks
		}' /proc/stat)
	[[ ! -r /proc/pressure/cpu ]] || waited=$(sed -n \
		's/^some .*total=\([0-9]*\).*/\1/p' /proc/pressure/cpu)
	echo "$busy $stolen $waited"
}

host_open() {
	host_before="$(host_counters) $EPOCHREALTIME"
}

# host_print: since host_open
host_print() {
	echo "$host_before $(host_counters) $EPOCHREALTIME" |
		awk -v cpus="$(nproc)" \
			-v load="$(cut -d' ' -f1-3 /proc/loadavg)" '{
		elapsed = $8 - $4
		printf "the host meanwhile: %d CPUs, %.0f %% of them busy, " \
			"%.1f %% stolen", cpus,
			100 * ($5 - $1) / elapsed / cpus,
			100 * ($6 - $2) / elapsed / cpus
		if ($3 != "-" && $7 != "-")
			printf ", processes waited %.0f %% of the time",
				($7 - $3) / elapsed / 1e4
		print ", load " load
	}'
}
