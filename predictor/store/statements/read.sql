-- SPDX-License-Identifier: GPL-2.0-or-later
-- read.sql - statements that read, and those that begin a session
--
-- Changes are read by statements with parameters; the whole history by COPY,
-- which has none.  Lists of columns follow features/describe.c.

-- @alone schema_step
SELECT coalesce(max(step), 0) FROM predict.schema_steps;

-- In the order of the tables in features/describe.c.
-- @part conditions
nodes_known, cpu_load, cpu_load_max, cpu_available, cpu_available_min,
bandwidth_bps, latency_s, parameter_names, parameter_values, traits

-- @part run_fields
cluster, job_id, array_job_id, array_task_id, het_job_id, het_offset,
user_id, user_name, account, partition, qos, features, gres, licenses,
job_name, prediction_id, nodes, tasks, cpus, memory_mb, limit_s, node_list,
submitted_at, started_at, ended_at, suspended_s, used_cpu_s, used_memory_mb,
used_energy_j, used_gpus, state, exit_code, exit_signal, application,
{conditions}

-- @part prediction_fields
prediction_id, stage, made_at, mode, cluster, user_id, account, partition,
qos, features, gres, job_name, application, nodes, tasks, cpus, memory_mb,
limit_s, assumed_nodes, basis, model, median_s, quantile, quantile_s, runs,
evidence_level, evidence_runs, own_runs, judged, held, extrapolated,
similar_runs, over_limit, outside, unbounded, unlike, unlike_runs,
coalesce(unlike_shortest_s, 0) AS unlike_shortest_s,
coalesce(unlike_longest_s, 0) AS unlike_longest_s, last_error,
{conditions}, knots_s, evidence_job_ids, evidence_runtimes_s,
evidence_weights, candidate_models, candidate_medians_s, rejected_nodes,
rejected_s, seen, levels, limit_chance,
coalesce(advised_s, 0) AS advised_s,
coalesce(advised_memory_mb, 0) AS advised_memory_mb,
coalesce(advised_cpus, 0) AS advised_cpus

-- @part runs
SELECT run_id, change, {run_fields} FROM predict.run_details

-- @part predictions
SELECT {prediction_fields} FROM predict.prediction_details

-- --- Changes ----------------------------------------------------------------

-- @writer runs_since
{runs}
WHERE change > $1::int8
ORDER BY change LIMIT {RUNS_PAGE};

-- @writer predictions_of_others
{predictions}
WHERE prediction_id = ANY ($1::text[]) AND origin <> $2::int8
ORDER BY made_at;

-- @writer import_since
SELECT coalesce(max(change), 0) FROM predict.imports WHERE change > $1::int8;

-- @part profile_fields
d.cluster, d.job_id, d.started_at, d.node, d.ended_at, d.source, d.tasks,
d.busy_s, d.ready_s, d.idle_s, d.spinning_s, d.busy_phase_s, d.idle_phase_s,
d.cpu_available, d.cpu_speed, d.cpu_left, d.mpi_s, d.mpi_cpu_s,
d.missed_bytes, d.peer_names, d.peer_messages, d.peer_bytes, d.peer_replies,
d.peer_long_messages, d.peer_bandwidths_bps, d.peer_latencies_s, d.ranks,
d.rank_counts, d.rank_peers, d.rank_messages, d.rank_bytes,
d.rank_peer_messages, d.rank_peer_bytes, d.rank_asked_any, d.rank_own_s,
d.rank_tasks, d.rank_tasks_s, d.rank_tasks_s2, d.peer_count

-- @writer profiles_since
WITH touched AS (
	SELECT run_id FROM predict.profile_details
	WHERE change > $1::int8 AND run_id IS NOT NULL
	UNION
	SELECT r.run_id FROM predict.runs r
	WHERE r.change > $1::int8 AND EXISTS (
		SELECT FROM predict.run_profiles p
		WHERE p.cluster_id = r.cluster_id AND p.job_id = r.job_id
	)
),
newest AS (
	SELECT run_id FROM predict.runs
	WHERE run_id IN (SELECT run_id FROM touched)
	AND state = 'COMPLETED' AND ended_at IS NOT NULL
	ORDER BY ended_at DESC LIMIT {PROFILED_RUNS}
)
SELECT greatest(d.change, r.change) AS change, r.run_id, r.cluster, r.job_id,
	r.user_id, r.prediction_id, r.nodes, r.tasks, r.node_list,
	r.started_at, r.ended_at, r.suspended_s, r.state, r.application,
	r.parameter_names, r.parameter_values, r.traits, {profile_fields}
FROM newest
JOIN predict.run_details r USING (run_id)
JOIN predict.profile_details d ON d.run_id = r.run_id
	AND d.cluster = r.cluster AND d.job_id = r.job_id
ORDER BY r.ended_at, r.run_id;

-- @part end_of_run
coalesce({1}.ended_at, {1}.started_at)

-- Of the newest runs of a user those of an application that had been learned
-- when a prediction was made.
-- @writer used_runs
SELECT r.job_id, r.nodes, r.tasks, r.cpus,
	nullif(r.memory_mb, 0) AS memory_mb, r.limit_s,
	extract(epoch FROM r.ended_at - r.started_at)::float8 - r.suspended_s
		AS runtime_s,
	coalesce(u.cpu_s, nullif(r.used_cpu_s, 0)) AS cpu_s,
	coalesce(u.peak_memory_mb, nullif(r.used_memory_mb, 0))
		AS peak_memory_mb,
	NULL::float8 AS quantile_s,
	r.state::text AS state, (r.import_id IS NOT NULL)::int4 AS imported,
	r.parameter_names, r.parameter_values
FROM (
	SELECT n.* FROM (
		SELECT x.* FROM predict.runs x
		WHERE x.state <> 'RUNNING' AND x.user_id = $1::int8
		AND {end_of_run x} < $4::timestamptz
		AND {end_of_run x} >= $4::timestamptz - interval '90 days'
		AND (x.change IS NULL OR x.change < $5::int8)
		ORDER BY {end_of_run x} DESC LIMIT {STORE_USED_RUNS}
	) n
	JOIN predict.clusters c ON c.cluster_id = n.cluster_id
	JOIN predict.applications a ON a.application_id = n.application_id
	WHERE n.ended_at IS NOT NULL
	AND c.name = $2::text AND a.name = $3::text
	ORDER BY n.ended_at DESC, n.run_id DESC LIMIT {NEXT_REQUEST_RUNS}
) r
LEFT JOIN LATERAL predict.run_use(r.run_id, r.cluster_id, r.job_id,
	r.started_at, r.ended_at, r.nodes) u ON true
ORDER BY r.ended_at DESC, r.run_id DESC;

-- --- All of it --------------------------------------------------------------

-- @writer last_change
SELECT (SELECT coalesce(max(change), 0) FROM predict.runs),
	(SELECT coalesce(max(change), 0) FROM predict.imports);

-- COPY takes no parameters; this it can read.
-- @writer history_days
SELECT set_config('predict.history_days', ($1::int8)::text, true);

-- @part is_young
> (
	SELECT CASE d WHEN 0 THEN '-infinity'
		ELSE now() - d * interval '24 hours' END
	FROM (SELECT current_setting('predict.history_days')::integer) x (d)
)

-- @copy all_predictions
COPY (
	SELECT * FROM (
		{predictions}
		WHERE made_at {is_young}
		ORDER BY made_at DESC LIMIT {STORE_PREDICTIONS}
	) newest
	ORDER BY made_at
) TO STDOUT (FORMAT binary);

-- The last hours, and of many nodes the last minutes: as if each measured every
-- five seconds.  To find the newest rows by sorting would take longer than to
-- read them.
-- @copy all_measurements
COPY (
	SELECT c.name AS cluster, n.name AS node, m.measured_at, m.cpu_load,
		m.cpu_available, m.memory_available_mb, m.cpu_available_now,
		m.cpu_correction, m.cpu_speed, m.cpu_turn_s, m.cpu_credit_s
	FROM predict.measurements m
	JOIN predict.nodes n ON n.node_id = m.node_id
	JOIN predict.clusters c ON c.cluster_id = n.cluster_id
	WHERE m.measured_at > now() - least(
		interval '3 hours',
		5.0 * {STORE_MEASUREMENTS}
		/ (SELECT greatest(count(*), 1) FROM predict.nodes)
		* interval '1 second'
	)
	AND m.measured_at < now() + interval '1 hour'
	ORDER BY m.measured_at
) TO STDOUT (FORMAT binary);

-- @copy all_speeds
COPY (
	SELECT c.name AS cluster, n.name AS node,
		date_bin('3 hours', m.began_at, 'epoch') AS measured_at,
		avg(m.cpu_speed) AS cpu_speed
	FROM predict.measurements_hourly m
	JOIN predict.nodes n ON n.node_id = m.node_id
	JOIN predict.clusters c ON c.cluster_id = n.cluster_id
	WHERE m.began_at > now() - interval '16 days'
	AND m.cpu_speed IS NOT NULL
	GROUP BY 1, 2, 3
	ORDER BY 3
) TO STDOUT (FORMAT binary);

-- @copy all_links
COPY (
	SELECT * FROM (
		SELECT c.name AS cluster, f.name AS from_node,
			t.name AS to_node, m.measured_at, m.bandwidth_bps,
			m.latency_s, m.utilisation
		FROM predict.link_measurements m
		JOIN predict.nodes f ON f.node_id = m.from_node_id
		JOIN predict.nodes t ON t.node_id = m.to_node_id
		JOIN predict.clusters c ON c.cluster_id = f.cluster_id
		WHERE m.measured_at > now() - interval '3 hours'
		AND m.measured_at < now() + interval '1 hour'
		ORDER BY m.measured_at DESC LIMIT {STORE_LINKS}
	) newest
	ORDER BY measured_at
) TO STDOUT (FORMAT binary);

-- @part end_of
coalesce(ended_at, started_at)

-- The columns of run_brief_columns.  The first run that is not among the newest
-- is found backwards through the index runs_ended; where there is none, nothing
-- compares with it.
-- @copy brief_runs
COPY (
	SELECT r.run_id, r.change, c.name, r.job_id, r.user_id, r.account,
		r.partition, r.qos, r.features, r.gres, r.prediction_id,
		r.nodes, r.tasks, r.cpus, r.memory_mb, r.limit_s,
		r.submitted_at, r.started_at, r.ended_at, r.suspended_s,
		r.state, a.name, r.nodes_known, r.cpu_load, r.cpu_load_max,
		r.cpu_available, r.cpu_available_min, r.bandwidth_bps,
		r.latency_s, r.parameter_names, r.parameter_values, r.traits
	FROM predict.runs r
	JOIN predict.clusters c ON c.cluster_id = r.cluster_id
	JOIN predict.applications a ON a.application_id = r.application_id
	WHERE r.state <> 'RUNNING' AND {end_of_run r} {is_young}
	AND ({end_of_run r}, r.run_id) <= (
		SELECT {end_of_run x}, x.run_id FROM predict.runs x
		WHERE x.state <> 'RUNNING'
		ORDER BY {end_of_run x} DESC, x.run_id DESC
		OFFSET {STORE_RUNS_WHOLE} LIMIT 1
	)
	ORDER BY {end_of_run r}, r.run_id
) TO STDOUT (FORMAT binary);

-- The newest, and those that run.
-- @part newest_runs
COPY (
	SELECT * FROM (
		(
			{runs}
			WHERE state <> 'RUNNING' AND {end_of} {is_young}
			ORDER BY {end_of} DESC, run_id DESC
			LIMIT {{1}}
		)
		UNION ALL
		({runs} WHERE state = 'RUNNING')
	) whole
	ORDER BY state = 'RUNNING', {end_of}, run_id
) TO STDOUT (FORMAT binary)

-- @copy first_runs
{newest_runs STORE_RUNS_FIRST};

-- @copy whole_runs
{newest_runs STORE_RUNS_WHOLE};

-- --- Queries ----------------------------------------------------------------

-- @reader prediction
{predictions} WHERE prediction_id = $1::text ORDER BY made_at;

-- @reader run_of_prediction
{runs} r
WHERE r.prediction_id = $1::text AND r.import_id IS NULL
AND EXISTS (
	SELECT FROM predict.prediction_details p
	WHERE p.prediction_id = r.prediction_id
	AND p.cluster = r.cluster AND p.user_id = r.user_id
)
ORDER BY r.started_at DESC LIMIT 1;

-- @reader runs_page
{runs}
WHERE state <> 'RUNNING'
AND ($1::text IS NULL OR cluster = $1::text)
AND {end_of} >= coalesce($2::timestamptz, '-infinity')
AND {end_of} < coalesce($3::timestamptz, 'infinity')
AND ({end_of}, run_id) > (coalesce(
	CASE WHEN $5::int8 > 0 THEN $4::timestamptz END, '-infinity'),
	$5::int8)
AND ($7::int8 = 4294967295 OR user_id = $7::int8)
AND ($8::text IS NULL OR user_name = $8::text OR user_id::text = $8::text)
ORDER BY {end_of}, run_id LIMIT $6::int8;

-- A uid of UINT32_MAX is no restriction.
-- @reader accuracy
WITH b AS MATERIALIZED (
	SELECT * FROM predict.advice(
		$1::text, $2::timestamptz, $3::timestamptz, $4::text, $5::text,
		$6::text, $7::text, $8::text, $9::int4 <> 0,
		nullif($10::int8, 4294967295)
	)
	WHERE $13::int4 <> 0
)
SELECT a.name, stage, runs, predicted, error_pct / 100 AS error,
	median_error_pct / 100 AS median_error,
	accuracy_pct / 100 AS accuracy, under_pct / 100 AS under,
	covered_pct / 100 AS covered, quantile_pct / 100 AS quantile,
	limited, limit_missed_pct / 100 AS limit_missed,
	limit_error_pct / 100 AS limit_error, limit_factor, mean_s,
	predicted_mean_s, coalesce(b.advised, 0) AS advised,
	time_covered_pct / 100 AS time_covered, time_factor,
	memory_covered_pct / 100 AS memory_covered, memory_factor,
	cpus_covered_pct / 100 AS cpus_covered, cpus_factor,
	count(*) OVER () AS total
FROM predict.accuracy(
	$1::text, $2::timestamptz, $3::timestamptz, $4::text, $5::text,
	$6::text, $7::text, $8::text, $9::int4 <> 0,
	nullif($10::int8, 4294967295)
) a
LEFT JOIN b ON b.name = a.name AND a.stage = 'submission'
ORDER BY CASE WHEN $1::text = 'month' THEN a.name END DESC,
	max(runs) OVER (PARTITION BY a.name) DESC, a.name,
	array_position(ARRAY['submission', 'waiting', 'start'], stage)
LIMIT $11::int8 OFFSET $12::int8;

-- @reader use
SELECT u.name, u.groups, u.runs, u.mean_s, u.time_used, u.cpu_used,
	u.memory_used, u.most_memory_mb, u.job_id, u.nodes, u.tasks, u.cpus,
	u.memory_mb, u.limit_s, u.runtime_s, u.cpu_s, u.peak_memory_mb,
	u.quantile_s, u.state, u.imported, u.started_at, u.cached_memory_mb,
	r.parameter_names, r.parameter_values
FROM predict.use(
	$1::text, $2::int8, $3::text, $4::text, $5::text, $6::timestamptz,
	$7::timestamptz, $8::int8, $9::int8, $10::int8) WITH ORDINALITY u
-- Of a job on two clusters that started at the same time, those of one.
LEFT JOIN LATERAL (
	SELECT x.parameter_names, x.parameter_values
	FROM predict.runs x
	JOIN predict.clusters c ON c.cluster_id = x.cluster_id
	WHERE $5::text IS NOT NULL AND x.job_id = u.job_id
	AND x.started_at = u.started_at
	AND ($4::text IS NULL OR c.name = $4::text)
	LIMIT 1
) r ON true
ORDER BY u.ordinality;

-- --- Sessions ---------------------------------------------------------------

-- Settings of each session.  Timeouts keep our statements from lingering in the
-- server; "stored" must mean on disk even if the server's default is laxer.
-- client_connection_check_interval is of release 14 on; to compile (jit) takes
-- longer than it saves.
-- @begin session
SET search_path = pg_catalog;
SET statement_timeout = '20s';
SET lock_timeout = '10s';
SET idle_in_transaction_session_timeout = '20s';
SELECT set_config(name, '5s', false) FROM pg_settings
WHERE name = 'client_connection_check_interval';
SET jit = off;
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') = 'off';

-- Batches differ in size, so a plan must not depend on one.
-- @begin writer
SET plan_cache_mode = force_generic_plan;
CREATE TEMPORARY TABLE staged_runs ON COMMIT DELETE ROWS AS
SELECT {run_fields} FROM predict.run_details WITH NO DATA;
CREATE TEMPORARY TABLE staged_predictions ON COMMIT DELETE ROWS AS
SELECT {prediction_fields} FROM predict.prediction_details WITH NO DATA;
CREATE TEMPORARY TABLE staged_profiles ON COMMIT DELETE ROWS AS
SELECT {profile_fields} FROM predict.profile_details d WITH NO DATA;

-- A query ends before its client gives up.
-- @begin reader
SET default_transaction_read_only = on;
SET statement_timeout = '8s';
SET plan_cache_mode = force_custom_plan;
SET work_mem = '64MB';
