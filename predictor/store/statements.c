/* statements.c - what we say to PostgreSQL */
#include <stddef.h>

#include "predictor/store/schema.h"
#include "predictor/store/statements.h"

#define TEXT_(number) #number
#define TEXT(number)  TEXT_(number)

const struct statement statement_schema_step = {
	"schema_step", "SELECT coalesce(max(step), 0) FROM predict.schema_steps"
};

const struct statement statement_create_days = {
	"create_days",
	"SELECT predict.create_measurement_days($1::int8::integer)"
};

const struct statement statement_drop_days = {
	"drop_days", "SELECT predict.drop_measurement_days($1::int8::integer)"
};

/* --- Names ----------------------------------------------------------------
 * NOT EXISTS spares the numbers that ON CONFLICT would draw in vain. */

const struct statement statement_clusters = {
	"clusters",
	"INSERT INTO predict.clusters (name) "
	"SELECT DISTINCT n FROM unnest($1::text[]) n WHERE NOT EXISTS "
	"(SELECT FROM predict.clusters c WHERE c.name = n) ORDER BY n "
	"ON CONFLICT DO NOTHING"
};

const struct statement statement_applications = {
	"applications",
	"INSERT INTO predict.applications (name) "
	"SELECT DISTINCT n FROM unnest($1::text[]) n WHERE NOT EXISTS "
	"(SELECT FROM predict.applications a WHERE a.name = n) ORDER BY n "
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

/* --- Runs ----------------------------------------------------------------- */

const struct statement statement_lock_changes = {
	"lock_changes", "SELECT pg_advisory_xact_lock(" TEXT(
				SCHEMA_LOCK) ", " TEXT(SCHEMA_LOCK_CHANGES) ")"
};

/* A report that says more than the row does (see predict.state_rank) replaces
 * it; what was known at the start and is not at the end stays: predictd may
 * have been started anew meanwhile, without the measurements of that time. */
const struct statement statement_runs = {
	"runs",
	"WITH stored AS (INSERT INTO predict.runs AS r (change, cluster_id, "
	"application_id, job_id, array_job_id, array_task_id, user_id, "
	"user_name, account, partition, job_name, prediction_id, nodes, tasks, "
	"cpus, memory_mb, limit_s, node_list, submitted_at, started_at, "
	"ended_at, state, exit_code, exit_signal) "
	"SELECT nextval('predict.run_changes'), c.cluster_id, "
	"a.application_id, i.job_id, i.array_job_id, i.array_task_id, "
	"i.user_id, i.user_name, i.account, i.partition, i.job_name, "
	"i.prediction_id, i.nodes, i.tasks, i.cpus, i.memory_mb, i.limit_s, "
	"i.node_list, i.submitted_at, i.started_at, i.ended_at, i.state, "
	"i.exit_code, i.exit_signal "
	"FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], "
	"$5::int8[], $6::text[], $7::text[], $8::text[], $9::text[], "
	"$10::text[], $11::int8[], $12::int8[], $13::int8[], $14::float8[], "
	"$15::float8[], $16::text[], $17::timestamptz[], $18::timestamptz[], "
	"$19::timestamptz[], $20::text[], $21::int4[], $22::int4[], "
	"$23::text[]) i (cluster, job_id, array_job_id, array_task_id, "
	"user_id, user_name, account, partition, job_name, prediction_id, "
	"nodes, tasks, cpus, memory_mb, limit_s, node_list, submitted_at, "
	"started_at, ended_at, state, exit_code, exit_signal, application) "
	"JOIN predict.clusters c ON c.name = i.cluster "
	"JOIN predict.applications a ON a.name = i.application "
	"ON CONFLICT (cluster_id, job_id, started_at) DO UPDATE SET "
	"change = excluded.change, "
	"application_id = CASE WHEN EXISTS (SELECT FROM "
	"predict.run_parameters p WHERE p.run_id = r.run_id) "
	"THEN r.application_id ELSE excluded.application_id END, "
	"array_job_id = excluded.array_job_id, "
	"array_task_id = excluded.array_task_id, "
	"user_id = excluded.user_id, user_name = excluded.user_name, "
	"account = excluded.account, partition = excluded.partition, "
	"job_name = excluded.job_name, "
	"prediction_id = coalesce(excluded.prediction_id, r.prediction_id), "
	"nodes = excluded.nodes, tasks = excluded.tasks, "
	"cpus = excluded.cpus, memory_mb = excluded.memory_mb, "
	"limit_s = coalesce(excluded.limit_s, r.limit_s), "
	"node_list = excluded.node_list, "
	"submitted_at = coalesce(excluded.submitted_at, r.submitted_at), "
	"ended_at = excluded.ended_at, state = excluded.state, "
	"exit_code = excluded.exit_code, exit_signal = excluded.exit_signal "
	"WHERE predict.state_rank(excluded.state) "
	"> predict.state_rank(r.state) RETURNING r.change) "
	"SELECT coalesce(min(change), 0) FROM stored"
};

/* What a run has of its own is joined to it by the key that its report gives,
 * and only to runs that the statement above has changed. */
#define CHANGED_RUN(since)                                         \
	"JOIN predict.clusters c ON c.name = i.cluster "           \
	"JOIN predict.runs r ON r.cluster_id = c.cluster_id "      \
	"AND r.job_id = i.job_id AND r.started_at = i.started_at " \
	"AND r.change >= " since

const struct statement statement_run_parameters = {
	"run_parameters",
	"INSERT INTO predict.run_parameters (run_id, name, value) "
	"SELECT r.run_id, i.name, i.value "
	"FROM unnest($1::text[], $2::int8[], $3::timestamptz[], $4::text[], "
	"$5::float8[]) i (cluster, job_id, started_at, name, "
	"value) " CHANGED_RUN(
		"$6::int8") " WHERE NOT EXISTS (SELECT FROM "
			    "predict.run_parameters p "
			    "WHERE p.run_id = r.run_id) ON CONFLICT DO NOTHING"
};

const struct statement statement_run_conditions = {
	"run_conditions",
	"INSERT INTO predict.run_conditions AS k (run_id, nodes_known, "
	"cpu_load, cpu_load_max, cpu_available, cpu_available_min, "
	"bandwidth_bps, latency_s) "
	"SELECT r.run_id, i.nodes_known, i.cpu_load, i.cpu_load_max, "
	"i.cpu_available, i.cpu_available_min, i.bandwidth_bps, i.latency_s "
	"FROM unnest($1::text[], $2::int8[], $3::timestamptz[], $4::int4[], "
	"$5::float8[], $6::float8[], $7::float8[], $8::float8[], "
	"$9::float8[], $10::float8[]) i (cluster, job_id, started_at, "
	"nodes_known, cpu_load, cpu_load_max, cpu_available, "
	"cpu_available_min, bandwidth_bps, latency_s) " CHANGED_RUN(
		"$11::int8") " ON CONFLICT (run_id) DO UPDATE SET "
			     "nodes_known = excluded.nodes_known, cpu_load = "
			     "excluded.cpu_load, "
			     "cpu_load_max = excluded.cpu_load_max, "
			     "cpu_available = excluded.cpu_available, "
			     "cpu_available_min = excluded.cpu_available_min, "
			     "bandwidth_bps = excluded.bandwidth_bps, "
			     "latency_s = excluded.latency_s WHERE "
			     "k.nodes_known = 0"
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

/* --- Predictions ------------------------------------------------------------ */

const struct statement statement_predictions = {
	"predictions",
	"INSERT INTO predict.predictions (prediction_id, origin, made_at, "
	"mode, cluster_id, user_id, account, partition, job_name, "
	"application_id, nodes, tasks, cpus, limit_s, assumed_nodes, basis, "
	"model, median_s, quantile, quantile_s, runs, last_error, nodes_known, "
	"cpu_load, cpu_load_max, cpu_available, cpu_available_min, "
	"bandwidth_bps, latency_s) "
	"SELECT i.prediction_id, $29::int8, i.made_at, i.mode, c.cluster_id, "
	"i.user_id, i.account, i.partition, i.job_name, a.application_id, "
	"i.nodes, i.tasks, i.cpus, i.limit_s, i.assumed_nodes, i.basis, "
	"i.model, i.median_s, i.quantile, i.quantile_s, i.runs, i.last_error, "
	"i.nodes_known, i.cpu_load, i.cpu_load_max, i.cpu_available, "
	"i.cpu_available_min, i.bandwidth_bps, i.latency_s "
	"FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], "
	"$5::int8[], $6::text[], $7::text[], $8::text[], $9::text[], "
	"$10::int8[], $11::int8[], $12::int8[], $13::float8[], $14::text[], "
	"$15::text[], $16::text[], $17::float8[], $18::float8[], "
	"$19::float8[], $20::int8[], $21::float8[], $22::int4[], "
	"$23::float8[], $24::float8[], $25::float8[], $26::float8[], "
	"$27::float8[], $28::float8[]) i (prediction_id, made_at, mode, "
	"cluster, user_id, account, partition, job_name, application, nodes, "
	"tasks, cpus, limit_s, assumed_nodes, basis, model, median_s, "
	"quantile, quantile_s, runs, last_error, nodes_known, cpu_load, "
	"cpu_load_max, cpu_available, cpu_available_min, bandwidth_bps, "
	"latency_s) "
	"JOIN predict.clusters c ON c.name = i.cluster "
	"JOIN predict.applications a ON a.name = i.application "
	"ON CONFLICT DO NOTHING"
};

const struct statement statement_prediction_parameters = {
	"prediction_parameters",
	"INSERT INTO predict.prediction_parameters (prediction_id, name, "
	"value) SELECT * FROM unnest($1::text[], $2::text[], $3::float8[]) "
	"ON CONFLICT DO NOTHING"
};

const struct statement statement_prediction_candidates = {
	"prediction_candidates",
	"INSERT INTO predict.prediction_candidates (prediction_id, position, "
	"model, median_s) SELECT * FROM unnest($1::text[], $2::int4[], "
	"$3::text[], $4::float8[]) ON CONFLICT DO NOTHING"
};

/* --- Measurements ------------------------------------------------------------
 * Those from outside the days that have a partition (a clock is wrong, or a
 * collector kept them for long) are left out. */

const struct statement statement_measurements = {
	"measurements",
	"INSERT INTO predict.measurements (node_id, measured_at, cpu_load, "
	"cpu_available, memory_available_mb) "
	"SELECT n.node_id, i.measured_at, i.cpu_load, i.cpu_available, "
	"i.memory_available_mb "
	"FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::float8[], "
	"$5::float8[], $6::float8[]) i (cluster, node, measured_at, cpu_load, "
	"cpu_available, memory_available_mb) "
	"JOIN predict.clusters c ON c.name = i.cluster "
	"JOIN predict.nodes n ON n.cluster_id = c.cluster_id "
	"AND n.name = i.node "
	"WHERE i.measured_at < now() + interval '1 day' "
	"AND i.measured_at >= now() - $7::int8 * interval '24 hours' "
	"ON CONFLICT DO NOTHING"
};

/* --- Reading ------------------------------------------------------------------- */

#define CONDITIONS                                             \
	"nodes_known, cpu_load, cpu_load_max, cpu_available, " \
	"cpu_available_min, bandwidth_bps, latency_s, "
#define RUNS                                                              \
	"SELECT run_id, change, cluster, job_id, array_job_id, "          \
	"array_task_id, user_id, user_name, account, partition, "         \
	"job_name, prediction_id, nodes, tasks, cpus, memory_mb, "        \
	"limit_s, node_list, submitted_at, started_at, ended_at, state, " \
	"exit_code, exit_signal, application, " CONDITIONS                \
	"parameter_names, parameter_values FROM predict.run_details "
#define PREDICTIONS                                                        \
	"SELECT prediction_id, made_at, mode, cluster, user_id, account, " \
	"partition, job_name, application, nodes, tasks, cpus, limit_s, "  \
	"assumed_nodes, basis, model, median_s, quantile, quantile_s, "    \
	"runs, last_error, " CONDITIONS                                    \
	"parameter_names, parameter_values, candidate_models, "            \
	"candidate_medians_s FROM predict.prediction_details "

const struct statement statement_runs_since = {
	"runs_since",
	RUNS "WHERE change > $1::int8 ORDER BY change LIMIT " TEXT(RUNS_PAGE)
};

const struct statement statement_predictions_of_others = {
	"predictions_of_others",
	PREDICTIONS "WHERE prediction_id = ANY ($1::text[]) "
		    "AND origin <> $2::int8"
};

const struct statement statement_last_change = {
	"last_change", "SELECT coalesce(max(change), 0) FROM predict.runs"
};

/* The newest 200 000 predictions that are young or have a run. */
const char cursor_predictions[] =
	"DECLARE history NO SCROLL CURSOR FOR " PREDICTIONS
	"WHERE prediction_id IN (SELECT p.prediction_id "
	"FROM predict.predictions p "
	"WHERE p.made_at > now() - interval '30 days' OR EXISTS (SELECT FROM "
	"predict.runs r WHERE r.prediction_id = p.prediction_id) "
	"ORDER BY p.made_at DESC LIMIT 200000) ORDER BY made_at";

const char cursor_measurements[] =
	"DECLARE history NO SCROLL CURSOR FOR "
	"SELECT c.name AS cluster, n.name AS node, m.measured_at, m.cpu_load, "
	"m.cpu_available, m.memory_available_mb FROM predict.measurements m "
	"JOIN predict.nodes n ON n.node_id = m.node_id "
	"JOIN predict.clusters c ON c.cluster_id = n.cluster_id "
	"WHERE m.measured_at > now() - interval '1 hour' "
	"AND m.measured_at < now() + interval '1 hour' "
	"ORDER BY m.measured_at";

const char cursor_runs_ended[] =
	"DECLARE history NO SCROLL CURSOR FOR " RUNS "WHERE state <> 'RUNNING' "
	"ORDER BY coalesce(ended_at, started_at), run_id";

const char cursor_runs_running[] =
	"DECLARE history NO SCROLL CURSOR FOR " RUNS
	"WHERE state = 'RUNNING' ORDER BY started_at";

const struct statement *const statements[] = {
	&statement_schema_step,
	&statement_create_days,
	&statement_drop_days,
	&statement_clusters,
	&statement_applications,
	&statement_nodes,
	&statement_lock_changes,
	&statement_runs,
	&statement_run_parameters,
	&statement_run_conditions,
	&statement_run_shares,
	&statement_predictions,
	&statement_prediction_parameters,
	&statement_prediction_candidates,
	&statement_measurements,
	&statement_runs_since,
	&statement_predictions_of_others,
	&statement_last_change,
	NULL,
};
