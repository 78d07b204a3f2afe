#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench_store.sh - a million runs into PostgreSQL, and back at the start
#
# Then what `spredict report` asks of them, each with what one node reported: of
# one user, of all users in a week, and of all.
#
# usage: bench_store.sh [BUILD [RUNS]]
set -eu -o pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
postgres=$top/contrib/cluster/postgres
build=$(realpath -- "${1:-build}")
dir=$build/bench-store

finish() {
	local status=$?

	"$postgres" down "$dir/postgres" >/dev/null || status=1
	rm -rf --one-file-system -- "$dir/postgres"
	exit "$status"
}

rm -rf "$dir"
mkdir -p "$dir"
trap finish EXIT
trap 'exit 1' INT TERM
conninfo=$("$postgres" up "$dir/postgres")
printf '%s\n' "Database=\"$conninfo\"" "SqlDir=$top/sql" >"$dir/predict.conf"
"$build/sbin/predictd" -f "$dir/predict.conf" --migrate 2>"$dir/migrate.log"
"$build/bin/bench-store" "$conninfo" "${2:-1000000}"

psql -XAtq -v ON_ERROR_STOP=1 "$conninfo" <<'END'
INSERT INTO predict.nodes (cluster_id, name)
SELECT cluster_id, 'n001' FROM predict.clusters;
INSERT INTO predict.run_shares (cluster_id, job_id, node_id, started_at,
	ended_at, cpu_s, peak_memory_mb, exit_code, exit_signal, tasks)
SELECT r.cluster_id, r.job_id, n.node_id, r.started_at, r.ended_at,
	1000 * random(), 4096 * random(), 0, 0, 8
FROM predict.runs r JOIN predict.nodes n USING (cluster_id);
VACUUM ANALYZE;
END
# report NAME ARGUMENTS: of predict.use(), the second time
report() {
	psql -XAtq "$conninfo" -c "SET work_mem = '64MB'" -c '\timing on' \
		-c "SELECT * FROM predict.use($2)" \
		-c "SELECT * FROM predict.use($2)" | awk -v name="$1" \
		'/^Time: / { ms = $2 } END { printf "bar %s %.0f\n", name, ms }'
}
last=$(psql -XAtq "$conninfo" -c 'SELECT max(ended_at) FROM predict.runs')
report report_ms "only_uid => 10017, newest => 20"
report report_week_ms "since => '$last'::timestamptz - interval '7 days'"
report report_all_ms ''
