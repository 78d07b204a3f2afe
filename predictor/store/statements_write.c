/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statements_write.c - statements that write
 *
 * Names first (clusters, applications, nodes), then the rows that refer to
 * them.  Plain rows come as arrays of columns; runs, profiles and predictions,
 * which hold arrays, through temporary tables.  Writing the same rows again
 * changes nothing.
 */

#include "predictor/store/schema.h"
#include "predictor/store/statements.h"

#define TEXT_(number) #number
#define TEXT(number)  TEXT_(number)

const struct statement statement_create_days = {
	"create_days",
	"SELECT predict.create_measurement_days($1::int8::integer)"
};

const struct statement statement_drop_days = {
	"drop_days", "SELECT predict.drop_measurement_days($1::int8::integer)"
};

const struct statement statement_thin = {
	"thin", "SELECT predict.thin_measurements($1::int8::integer)::int8"
};

const struct statement statement_lock_changes = {
	"lock_changes", "SELECT pg_advisory_xact_lock(" TEXT(
				SCHEMA_LOCK) ", " TEXT(SCHEMA_LOCK_CHANGES) ")"
};

/* --- Names ----------------------------------------------------------------
 * NOT EXISTS: ON CONFLICT would use up a sequence number for each conflict. */

const struct statement statement_clusters = {
	"clusters",
	"INSERT INTO predict.clusters (name) "
	"SELECT DISTINCT n FROM unnest($1::text[]) n WHERE NOT EXISTS "
	"(SELECT FROM predict.clusters c WHERE c.name = n) ORDER BY n "
	"ON CONFLICT DO NOTHING"
};

const struct statement statement_nodes = {
	"nodes",
	"INSERT INTO predict.nodes (cluster_id, name) "
	"SELECT DISTINCT c.cluster_id, i.node "
	"FROM unnest($1::text[], $2::text[]) i (cluster, node) "
	"JOIN predict.clusters c ON c.name = i.cluster WHERE NOT EXISTS "
	"(SELECT FROM predict.nodes n WHERE n.cluster_id = c.cluster_id "
	"AND n.name = i.node) ORDER BY 1, 2 ON CONFLICT DO NOTHING"
};

#define CLUSTERS_OF(table)                                     \
	"INSERT INTO predict.clusters (name) "                 \
	"SELECT DISTINCT i.cluster FROM pg_temp." table        \
	" i WHERE NOT EXISTS (SELECT FROM predict.clusters c " \
	"WHERE c.name = i.cluster) ORDER BY 1 ON CONFLICT DO NOTHING"
#define APPLICATIONS_OF(table)                                     \
	"INSERT INTO predict.applications (name) "                 \
	"SELECT DISTINCT i.application FROM pg_temp." table        \
	" i WHERE NOT EXISTS (SELECT FROM predict.applications a " \
	"WHERE a.name = i.application) ORDER BY 1 ON CONFLICT DO NOTHING"

const struct statement statement_run_clusters = { "run_clusters",
						  CLUSTERS_OF("staged_runs") };
const struct statement statement_run_applications = {
	"run_applications", APPLICATIONS_OF("staged_runs")
};
const struct statement statement_prediction_clusters = {
	"prediction_clusters", CLUSTERS_OF("staged_predictions")
};
const struct statement statement_prediction_applications = {
	"prediction_applications", APPLICATIONS_OF("staged_predictions")
};

/* --- Runs ----------------------------------------------------------------- */

const char copy_runs[] = "COPY pg_temp.staged_runs FROM STDIN (FORMAT binary)";

/* What runs and staged runs name in the same way. */
#define RUN_COLUMNS                                                     \
	"job_id, array_job_id, array_task_id, het_job_id, het_offset, " \
	"user_id, user_name, account, partition, qos, features, gres, " \
	"licenses, job_name, nodes, tasks, cpus, memory_mb, limit_s, "  \
	"node_list, submitted_at, started_at, ended_at, state, "        \
	"exit_code, exit_signal, nodes_known, cpu_load, cpu_load_max, " \
	"cpu_available, cpu_available_min, bandwidth_bps, latency_s, "  \
	"parameter_names, parameter_values, traits"
#define RUN_TARGETS "cluster_id, application_id, prediction_id, " RUN_COLUMNS
#define STAGED_RUNS                                                        \
	"c.cluster_id, a.application_id, "                                 \
	"predict.own_prediction(i.prediction_id, "                         \
	"c.cluster_id, i.user_id, i.job_id, i.array_job_id), " RUN_COLUMNS \
	" FROM pg_temp.staged_runs i "                                     \
	"JOIN predict.clusters c ON c.name = i.cluster "                   \
	"JOIN predict.applications a ON a.name = i.application "

/* The conditions at the start stay. */
#define KEEP_CONDITION(name)                               \
	name " = CASE WHEN r.nodes_known > 0 THEN r." name \
	     " ELSE excluded." name " END, "

#define KEEP_CONDITIONS                     \
	KEEP_CONDITION("cpu_load")          \
	KEEP_CONDITION("cpu_load_max")      \
	KEEP_CONDITION("cpu_available")     \
	KEEP_CONDITION("cpu_available_min") \
	KEEP_CONDITION("bandwidth_bps")     \
	KEEP_CONDITION("latency_s")         \
	KEEP_CONDITION("nodes_known")

/* A report of a later state (see predict.state_rank) replaces the row; values
 * known at the start only stay: predictd may have been restarted meanwhile,
 * without the measurements of that time. */
const struct statement statement_runs = {
	"runs",
	"INSERT INTO predict.runs AS r (change, " RUN_TARGETS ") "
	"SELECT nextval('predict.run_changes'), " STAGED_RUNS
	"ON CONFLICT (cluster_id, job_id, started_at) DO UPDATE SET "
	"change = excluded.change, import_id = NULL, "
	"application_id = CASE WHEN r.parameter_names IS NULL "
	"THEN excluded.application_id ELSE r.application_id END, "
	"parameter_names = CASE WHEN r.parameter_names IS NULL "
	"THEN excluded.parameter_names ELSE r.parameter_names END, "
	"parameter_values = CASE WHEN r.parameter_names IS NULL "
	"THEN excluded.parameter_values ELSE r.parameter_values END, "
	"traits = CASE WHEN r.parameter_names IS NULL "
	"THEN excluded.traits ELSE r.traits END, "
	"array_job_id = excluded.array_job_id, "
	"array_task_id = excluded.array_task_id, "
	"het_job_id = excluded.het_job_id, het_offset = excluded.het_offset, "
	"user_id = excluded.user_id, user_name = excluded.user_name, "
	"account = excluded.account, partition = excluded.partition, "
	"qos = excluded.qos, features = excluded.features, "
	"gres = excluded.gres, licenses = excluded.licenses, "
	"job_name = excluded.job_name, "
	"prediction_id = coalesce(excluded.prediction_id, r.prediction_id), "
	"nodes = excluded.nodes, tasks = excluded.tasks, "
	"cpus = excluded.cpus, memory_mb = excluded.memory_mb, "
	"limit_s = coalesce(excluded.limit_s, r.limit_s), "
	"node_list = excluded.node_list, "
	"submitted_at = coalesce(excluded.submitted_at, "
	"r.submitted_at), " KEEP_CONDITIONS
	"ended_at = excluded.ended_at, state = excluded.state, "
	"exit_code = excluded.exit_code, exit_signal = excluded.exit_signal "
	"WHERE predict.state_rank(excluded.state) "
	"> predict.state_rank(r.state)"
};

const struct statement statement_runs_done = {
	"runs_done", "DELETE FROM pg_temp.staged_runs"
};

/* A run that is stored already stays as it is, reported or imported. */
const struct statement statement_import = {
	"import",
	"WITH batch AS (INSERT INTO predict.imports (sent) "
	"VALUES ($1::int8::integer) RETURNING import_id), "
	"stored AS (INSERT INTO predict.runs (import_id, " RUN_TARGETS ") "
	"SELECT (SELECT import_id FROM batch), " STAGED_RUNS
	"ON CONFLICT (cluster_id, job_id, started_at) DO NOTHING "
	"RETURNING run_id) "
	"SELECT count(*) FROM stored"
};

const struct statement statement_import_last = {
	"import_last",
	"INSERT INTO predict.imports (sent, change) "
	"VALUES (0, nextval('predict.run_changes')) RETURNING change"
};

const char copy_profiles[] =
	"COPY pg_temp.staged_profiles FROM STDIN (FORMAT binary)";

const struct statement statement_profile_clusters = {
	"profile_clusters", CLUSTERS_OF("staged_profiles")
};

const struct statement statement_profile_nodes = {
	"profile_nodes",
	"INSERT INTO predict.nodes (cluster_id, name) "
	"SELECT DISTINCT c.cluster_id, i.node FROM pg_temp.staged_profiles i "
	"JOIN predict.clusters c ON c.name = i.cluster WHERE NOT EXISTS "
	"(SELECT FROM predict.nodes n WHERE n.cluster_id = c.cluster_id "
	"AND n.name = i.node) ORDER BY 1, 2 ON CONFLICT DO NOTHING"
};

#define PROFILE_COLUMNS                                                   \
	"job_id, started_at, ended_at, source, tasks, busy_s, ready_s, "  \
	"idle_s, spinning_s, busy_phase_s, idle_phase_s, cpu_available, " \
	"cpu_speed, cpu_left, mpi_s, mpi_cpu_s, missed_bytes, "           \
	"peer_names, peer_messages, peer_bytes, peer_replies, "           \
	"peer_long_messages, peer_bandwidths_bps, peer_latencies_s, "     \
	"ranks, rank_counts, rank_peers, rank_messages, rank_bytes, "     \
	"rank_peer_messages, rank_peer_bytes, rank_asked_any, "           \
	"rank_own_s, rank_tasks, rank_tasks_s, rank_tasks_s2, peer_count"

const struct statement statement_profiles = {
	"profiles",
	"INSERT INTO predict.run_profiles (change, cluster_id, "
	"node_id, " PROFILE_COLUMNS ") "
	"SELECT nextval('predict.run_changes'), c.cluster_id, "
	"n.node_id, " PROFILE_COLUMNS " FROM pg_temp.staged_profiles i "
	"JOIN predict.clusters c ON c.name = i.cluster "
	"JOIN predict.nodes n ON n.cluster_id = c.cluster_id "
	"AND n.name = i.node ON CONFLICT DO NOTHING"
};

const struct statement statement_run_shares = {
	"run_shares",
	"INSERT INTO predict.run_shares (cluster_id, job_id, node_id, "
	"started_at, ended_at, cpu_s, peak_memory_mb, exit_code, exit_signal, "
	"tasks) "
	"SELECT c.cluster_id, i.job_id, n.node_id, i.started_at, i.ended_at, "
	"i.cpu_s, i.peak_memory_mb, i.exit_code, i.exit_signal, i.tasks "
	"FROM unnest($1::text[], $2::int8[], $3::timestamptz[], $4::text[], "
	"$5::timestamptz[], $6::float8[], $7::float8[], $8::int4[], "
	"$9::int4[], $10::int8[]) i (cluster, job_id, started_at, node, "
	"ended_at, cpu_s, peak_memory_mb, exit_code, exit_signal, tasks) "
	"JOIN predict.clusters c ON c.name = i.cluster "
	"JOIN predict.nodes n ON n.cluster_id = c.cluster_id "
	"AND n.name = i.node ON CONFLICT DO NOTHING"
};

/* --- Predictions ---------------------------------------------------------- */

const char copy_predictions[] =
	"COPY pg_temp.staged_predictions FROM STDIN (FORMAT binary)";

#define PREDICTION_COLUMNS                                                \
	"prediction_id, stage, made_at, mode, user_id, account, "         \
	"partition, qos, features, gres, job_name, nodes, tasks, "        \
	"cpus, limit_s, assumed_nodes, basis, model, median_s, "          \
	"quantile, quantile_s, runs, evidence_level, evidence_runs, "     \
	"own_runs, judged, held, extrapolated, similar_runs, "            \
	"over_limit, outside, unbounded, last_error, seen, nodes_known, " \
	"cpu_load, cpu_load_max, cpu_available, cpu_available_min, "      \
	"bandwidth_bps, latency_s, parameter_names, "                     \
	"parameter_values, traits, knots_s, evidence_job_ids, "           \
	"evidence_runtimes_s, evidence_weights, candidate_models, "       \
	"candidate_medians_s, rejected_nodes, rejected_s"

const struct statement statement_predictions = {
	"predictions",
	"INSERT INTO predict.predictions (origin, cluster_id, "
	"application_id, memory_mb, unlike, unlike_runs, unlike_shortest_s, "
	"unlike_longest_s, " PREDICTION_COLUMNS ") "
	"SELECT $1::int8, c.cluster_id, "
	"a.application_id, coalesce(memory_mb, 0), nullif(unlike, ''), "
	"nullif(unlike_runs, 0), nullif(unlike_shortest_s, 0), "
	"nullif(unlike_longest_s, 0), " PREDICTION_COLUMNS
	" FROM pg_temp.staged_predictions i "
	"JOIN predict.clusters c ON c.name = i.cluster "
	"JOIN predict.applications a ON a.name = i.application "
	"ON CONFLICT DO NOTHING"
};

/* After these are stored: a waiting job has some rows, for a start that has not
 * been reported yet. */
const struct statement statement_predictions_renew = {
	"predictions_renew",
	"SELECT predict.forget_waiting(ARRAY(SELECT i.prediction_id "
	"FROM pg_temp.staged_predictions i WHERE i.stage <> 'submission'))"
};

/* --- Measurements ------------------------------------------------------------
 * Rows of days without a partition (wrong clock, or kept by a collector for
 * long) are left out. */

#define IN_TIME(days)                                     \
	"WHERE i.measured_at < now() + interval '1 day' " \
	"AND i.measured_at >= now() - " days "::int8 * "  \
	"interval '24 hours' ON CONFLICT DO NOTHING"

const struct statement statement_measurements = {
	"measurements",
	"INSERT INTO predict.measurements (node_id, measured_at, cpu_load, "
	"cpu_available, memory_available_mb, cpu_available_now, "
	"cpu_correction, cpu_speed, cpu_turn_s, cpu_credit_s) "
	"SELECT n.node_id, i.measured_at, i.cpu_load, i.cpu_available, "
	"i.memory_available_mb, i.cpu_available_now, i.cpu_correction, "
	"i.cpu_speed, i.cpu_turn_s, i.cpu_credit_s "
	"FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::float8[], "
	"$5::float8[], $6::float8[], $7::float8[], $8::float8[], $9::float8[], "
	"$10::float8[], $11::float8[]) "
	"i (cluster, node, measured_at, cpu_load, cpu_available, "
	"memory_available_mb, cpu_available_now, cpu_correction, cpu_speed, "
	"cpu_turn_s, cpu_credit_s) "
	"JOIN predict.clusters c ON c.name = i.cluster "
	"JOIN predict.nodes n ON n.cluster_id = c.cluster_id "
	"AND n.name = i.node " IN_TIME("$12")
};

const struct statement statement_links = {
	"links",
	"INSERT INTO predict.link_measurements (from_node_id, to_node_id, "
	"measured_at, bandwidth_bps, latency_s, utilisation) "
	"SELECT f.node_id, t.node_id, i.measured_at, i.bandwidth_bps, "
	"i.latency_s, i.utilisation "
	"FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], "
	"$5::float8[], $6::float8[], $7::float8[]) i (cluster, from_node, "
	"to_node, measured_at, bandwidth_bps, latency_s, utilisation) "
	"JOIN predict.clusters c ON c.name = i.cluster "
	"JOIN predict.nodes f ON f.cluster_id = c.cluster_id "
	"AND f.name = i.from_node "
	"JOIN predict.nodes t ON t.cluster_id = c.cluster_id "
	"AND t.name = i.to_node " IN_TIME("$8")
};
