-- SPDX-License-Identifier: GPL-2.0-or-later
-- write.sql - statements that write
--
-- Names first (clusters, applications, nodes), then the rows that refer to
-- them.  Plain rows come as arrays of columns; runs, profiles and predictions,
-- which hold arrays, through temporary tables.  Writing the same rows again
-- changes nothing.

-- @writer create_days
SELECT predict.create_measurement_days($1::int8::integer);

-- @writer drop_days
SELECT predict.drop_measurement_days($1::int8::integer);

-- @writer thin
SELECT predict.thin_measurements($1::int8::integer)::int8;

-- @writer lock_changes
SELECT pg_advisory_xact_lock({SCHEMA_LOCK}, {SCHEMA_LOCK_CHANGES});

-- --- Names ------------------------------------------------------------------
-- NOT EXISTS: ON CONFLICT would use up a sequence number for each conflict.

-- @writer clusters
INSERT INTO predict.clusters (name)
SELECT DISTINCT n FROM unnest($1::text[]) n
WHERE NOT EXISTS (SELECT FROM predict.clusters c WHERE c.name = n)
ORDER BY n
ON CONFLICT DO NOTHING;

-- @writer nodes
INSERT INTO predict.nodes (cluster_id, name)
SELECT DISTINCT c.cluster_id, i.node
FROM unnest($1::text[], $2::text[]) i (cluster, node)
JOIN predict.clusters c ON c.name = i.cluster
WHERE NOT EXISTS (
	SELECT FROM predict.nodes n
	WHERE n.cluster_id = c.cluster_id AND n.name = i.node
)
ORDER BY 1, 2
ON CONFLICT DO NOTHING;

-- @part clusters_of
INSERT INTO predict.clusters (name)
SELECT DISTINCT i.cluster FROM pg_temp.{1} i
WHERE NOT EXISTS (SELECT FROM predict.clusters c WHERE c.name = i.cluster)
ORDER BY 1
ON CONFLICT DO NOTHING

-- @part applications_of
INSERT INTO predict.applications (name)
SELECT DISTINCT i.application FROM pg_temp.{1} i
WHERE NOT EXISTS (
	SELECT FROM predict.applications a WHERE a.name = i.application
)
ORDER BY 1
ON CONFLICT DO NOTHING

-- @writer run_clusters
{clusters_of staged_runs};
-- @writer run_applications
{applications_of staged_runs};
-- @writer prediction_clusters
{clusters_of staged_predictions};
-- @writer prediction_applications
{applications_of staged_predictions};
-- @writer profile_clusters
{clusters_of staged_profiles};

-- @writer profile_nodes
INSERT INTO predict.nodes (cluster_id, name)
SELECT DISTINCT c.cluster_id, i.node FROM pg_temp.staged_profiles i
JOIN predict.clusters c ON c.name = i.cluster
WHERE NOT EXISTS (
	SELECT FROM predict.nodes n
	WHERE n.cluster_id = c.cluster_id AND n.name = i.node
)
ORDER BY 1, 2
ON CONFLICT DO NOTHING;

-- --- Runs -------------------------------------------------------------------

-- @copy runs
COPY pg_temp.staged_runs FROM STDIN (FORMAT binary);

-- What runs and staged runs name in the same way.
-- @part run_columns
job_id, array_job_id, array_task_id, het_job_id, het_offset, user_id,
user_name, account, partition, qos, features, gres, licenses, job_name, nodes,
tasks, cpus, memory_mb, limit_s, node_list, submitted_at, started_at,
ended_at, suspended_s, used_cpu_s, used_memory_mb, used_energy_j, used_gpus,
state, exit_code, exit_signal, nodes_known, cpu_load,
cpu_load_max, cpu_available, cpu_available_min, bandwidth_bps, latency_s,
parameter_names, parameter_values, traits

-- @part run_targets
cluster_id, application_id, prediction_id, {run_columns}

-- @part staged_runs
c.cluster_id, a.application_id,
predict.own_prediction(
	i.prediction_id, c.cluster_id, i.user_id, i.job_id, i.array_job_id
),
{run_columns}
FROM pg_temp.staged_runs i
JOIN predict.clusters c ON c.name = i.cluster
JOIN predict.applications a ON a.name = i.application

-- The conditions at the start stay.
-- @part keep_condition
{1} = CASE WHEN r.nodes_known > 0 THEN r.{1} ELSE excluded.{1} END

-- So do an application and its parameters.
-- @part keep_application
{1} = CASE WHEN r.parameter_names IS NULL THEN excluded.{1} ELSE r.{1} END

-- A report of a later state (see predict.state_rank) replaces the row; values
-- known at the start only stay: predictd may have been restarted meanwhile,
-- without the measurements of that time.
-- @writer runs
INSERT INTO predict.runs AS r (change, {run_targets})
SELECT nextval('predict.run_changes'), {staged_runs}
ON CONFLICT (cluster_id, job_id, started_at) DO UPDATE SET
	change = excluded.change,
	import_id = NULL,
	{keep_application application_id},
	{keep_application parameter_names},
	{keep_application parameter_values},
	{keep_application traits},
	array_job_id = excluded.array_job_id,
	array_task_id = excluded.array_task_id,
	het_job_id = excluded.het_job_id,
	het_offset = excluded.het_offset,
	user_id = excluded.user_id,
	user_name = excluded.user_name,
	account = excluded.account,
	partition = excluded.partition,
	qos = excluded.qos,
	features = excluded.features,
	gres = excluded.gres,
	licenses = excluded.licenses,
	job_name = excluded.job_name,
	prediction_id = coalesce(excluded.prediction_id, r.prediction_id),
	nodes = excluded.nodes,
	tasks = excluded.tasks,
	cpus = excluded.cpus,
	memory_mb = excluded.memory_mb,
	limit_s = coalesce(excluded.limit_s, r.limit_s),
	node_list = excluded.node_list,
	submitted_at = coalesce(excluded.submitted_at, r.submitted_at),
	{keep_condition cpu_load},
	{keep_condition cpu_load_max},
	{keep_condition cpu_available},
	{keep_condition cpu_available_min},
	{keep_condition bandwidth_bps},
	{keep_condition latency_s},
	{keep_condition nodes_known},
	ended_at = excluded.ended_at,
	suspended_s = excluded.suspended_s,
	state = excluded.state,
	exit_code = excluded.exit_code,
	exit_signal = excluded.exit_signal
WHERE predict.state_rank(excluded.state) > predict.state_rank(r.state);

-- @writer runs_done
DELETE FROM pg_temp.staged_runs;

-- A run that is stored already stays as it is, reported or imported; older
-- releases began one later by the time for which it was suspended.
-- @writer import
WITH batch AS (
	INSERT INTO predict.imports (sent) VALUES ($1::int8::integer)
	RETURNING import_id
),
stored AS (
	INSERT INTO predict.runs (import_id, {run_targets})
	SELECT (SELECT import_id FROM batch), {staged_runs}
	WHERE i.suspended_s = 0 OR NOT EXISTS (
		SELECT FROM predict.runs r
		WHERE r.cluster_id = c.cluster_id AND r.job_id = i.job_id
		AND r.ended_at = i.ended_at
	)
	ON CONFLICT (cluster_id, job_id, started_at) DO NOTHING
	RETURNING run_id
)
SELECT count(*) FROM stored;

-- A transaction of its own, which takes the lock first.
-- @writer import_last
WITH locked AS MATERIALIZED (
	SELECT pg_advisory_xact_lock({SCHEMA_LOCK}, {SCHEMA_LOCK_CHANGES})
)
INSERT INTO predict.imports (sent, change)
SELECT 0, nextval('predict.run_changes') FROM locked;

-- @writer run_shares
INSERT INTO predict.run_shares (cluster_id, job_id, node_id, started_at,
	ended_at, cpu_s, peak_memory_mb, exit_code, exit_signal, tasks,
	own_memory_mb, task_memory_mb, cached_memory_mb)
SELECT c.cluster_id, i.job_id, n.node_id, i.started_at, i.ended_at, i.cpu_s,
	i.peak_memory_mb, i.exit_code, i.exit_signal, i.tasks,
	i.own_memory_mb, i.task_memory_mb, i.cached_memory_mb
FROM unnest(
	$1::text[], $2::int8[], $3::timestamptz[], $4::text[],
	$5::timestamptz[], $6::float8[], $7::float8[], $8::int4[], $9::int4[],
	$10::int8[], $11::float8[], $12::float8[], $13::float8[]
) i (cluster, job_id, started_at, node, ended_at, cpu_s, peak_memory_mb,
	exit_code, exit_signal, tasks, own_memory_mb, task_memory_mb,
	cached_memory_mb)
JOIN predict.clusters c ON c.name = i.cluster
JOIN predict.nodes n ON n.cluster_id = c.cluster_id AND n.name = i.node
ON CONFLICT DO NOTHING;

-- --- Profiles ---------------------------------------------------------------

-- @copy profiles
COPY pg_temp.staged_profiles FROM STDIN (FORMAT binary);

-- @part profile_columns
job_id, started_at, ended_at, source, tasks, busy_s, ready_s, idle_s,
spinning_s, busy_phase_s, idle_phase_s, cpu_available, cpu_speed, cpu_left,
mpi_s, mpi_cpu_s, missed_bytes, peer_names, peer_messages, peer_bytes,
peer_replies, peer_long_messages, peer_bandwidths_bps, peer_latencies_s,
ranks, rank_counts, rank_peers, rank_messages, rank_bytes,
rank_peer_messages, rank_peer_bytes, rank_asked_any, rank_own_s, rank_tasks,
rank_tasks_s, rank_tasks_s2, peer_count

-- @writer profiles
INSERT INTO predict.run_profiles (change, cluster_id, node_id,
	{profile_columns})
SELECT nextval('predict.run_changes'), c.cluster_id, n.node_id,
	{profile_columns}
FROM pg_temp.staged_profiles i
JOIN predict.clusters c ON c.name = i.cluster
JOIN predict.nodes n ON n.cluster_id = c.cluster_id AND n.name = i.node
ON CONFLICT DO NOTHING;

-- --- Predictions ------------------------------------------------------------

-- @copy predictions
COPY pg_temp.staged_predictions FROM STDIN (FORMAT binary);

-- @part prediction_columns
prediction_id, stage, made_at, mode, user_id, account, partition, qos,
features, gres, job_name, nodes, tasks, cpus, limit_s, assumed_nodes, basis,
model, median_s, quantile, quantile_s, runs, evidence_level, evidence_runs,
own_runs, judged, held, extrapolated, similar_runs, over_limit, outside,
unbounded, last_error, limit_chance, seen, nodes_known, cpu_load, cpu_load_max,
cpu_available, cpu_available_min, bandwidth_bps, latency_s, parameter_names,
parameter_values, traits, knots_s, evidence_job_ids, evidence_runtimes_s,
evidence_weights, candidate_models, candidate_medians_s, rejected_nodes,
rejected_s, levels

-- In one order, as two predictds may insert the same.
-- @writer predictions
INSERT INTO predict.predictions (origin, cluster_id, application_id,
	memory_mb, unlike, unlike_runs, unlike_shortest_s, unlike_longest_s,
	advised_s, advised_memory_mb, advised_cpus,
	{prediction_columns})
SELECT $1::int8, c.cluster_id, a.application_id, coalesce(memory_mb, 0),
	nullif(unlike, ''), nullif(unlike_runs, 0),
	nullif(unlike_shortest_s, 0), nullif(unlike_longest_s, 0),
	nullif(advised_s, 0), nullif(advised_memory_mb, 0),
	nullif(advised_cpus, 0),
	{prediction_columns}
FROM pg_temp.staged_predictions i
JOIN predict.clusters c ON c.name = i.cluster
JOIN predict.applications a ON a.name = i.application
ORDER BY i.prediction_id, i.stage, i.made_at
ON CONFLICT DO NOTHING;

-- After these are stored: a waiting job has some rows, for a start that has not
-- been reported yet.
-- @writer predictions_renew
SELECT predict.forget_waiting(ARRAY(
	SELECT i.prediction_id FROM pg_temp.staged_predictions i
	WHERE i.stage <> 'submission'
));

-- --- Measurements -----------------------------------------------------------
-- Rows of days without a partition (wrong clock, or kept by a collector for
-- long) are left out.

-- @part in_time
WHERE i.measured_at < now() + interval '1 day'
AND i.measured_at >= now() - {1}::int8 * interval '24 hours'
ON CONFLICT DO NOTHING

-- @writer measurements
INSERT INTO predict.measurements (node_id, measured_at, cpu_load,
	cpu_available, memory_available_mb, cpu_available_now, cpu_correction,
	cpu_speed, cpu_turn_s, cpu_credit_s)
SELECT n.node_id, i.measured_at, i.cpu_load, i.cpu_available,
	i.memory_available_mb, i.cpu_available_now, i.cpu_correction,
	i.cpu_speed, i.cpu_turn_s, i.cpu_credit_s
FROM unnest(
	$1::text[], $2::text[], $3::timestamptz[], $4::float8[], $5::float8[],
	$6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[],
	$11::float8[]
)
i (cluster, node, measured_at, cpu_load, cpu_available, memory_available_mb,
	cpu_available_now, cpu_correction, cpu_speed, cpu_turn_s,
	cpu_credit_s)
JOIN predict.clusters c ON c.name = i.cluster
JOIN predict.nodes n ON n.cluster_id = c.cluster_id AND n.name = i.node
{in_time $12};

-- @writer links
INSERT INTO predict.link_measurements (from_node_id, to_node_id, measured_at,
	bandwidth_bps, latency_s, utilisation)
SELECT f.node_id, t.node_id, i.measured_at, i.bandwidth_bps, i.latency_s,
	i.utilisation
FROM unnest(
	$1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::float8[],
	$6::float8[], $7::float8[]
) i (cluster, from_node, to_node, measured_at, bandwidth_bps, latency_s,
	utilisation)
JOIN predict.clusters c ON c.name = i.cluster
JOIN predict.nodes f ON f.cluster_id = c.cluster_id AND f.name = i.from_node
JOIN predict.nodes t ON t.cluster_id = c.cluster_id AND t.name = i.to_node
{in_time $8};
