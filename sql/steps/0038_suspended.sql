-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0038_suspended.sql - time for which runs were suspended

-- Imported runs from before began later by that time.
ALTER TABLE predict.runs ADD COLUMN suspended_s double precision
	NOT NULL DEFAULT 0 CHECK (suspended_s >= 0);
COMMENT ON COLUMN predict.runs.suspended_s IS
	'Seconds between started_at and ended_at for which it was suspended; they '
	'are no part of its run time.';

-- As they were, but for that; the new column is at the end.
CREATE OR REPLACE VIEW predict.run_details AS
SELECT r.run_id, r.change, c.name AS cluster, r.job_id, r.array_job_id,
	r.array_task_id, r.user_id, r.user_name, r.account, r.partition,
	r.job_name, r.prediction_id, r.nodes, r.tasks, r.cpus, r.memory_mb,
	r.limit_s, r.node_list, r.submitted_at, r.started_at, r.ended_at,
	r.state::text AS state, r.exit_code, r.exit_signal,
	a.name AS application,
	extract(epoch FROM r.ended_at - r.started_at)::double precision
		- r.suspended_s AS runtime_s,
	r.nodes_known, r.cpu_load, r.cpu_load_max, r.cpu_available,
	r.cpu_available_min, r.bandwidth_bps, r.latency_s,
	r.parameter_names, r.parameter_values, r.import_id,
	r.qos, r.features, r.gres, r.traits, r.het_job_id, r.het_offset,
	r.licenses, r.suspended_s
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id;

CREATE OR REPLACE VIEW predict.prediction_outcomes AS
SELECT p.prediction_id, p.stage, p.made_at, c.name AS cluster, p.user_id,
	p.account, p.partition, p.job_name, a.name AS application, p.mode,
	p.basis, p.model, p.runs AS rests_on_runs, p.median_s, p.quantile,
	p.quantile_s, r.run_id, r.job_id, r.started_at, r.ended_at,
	r.state::text AS state, o.runtime_s,
	100 * abs(p.median_s - o.told_s) / nullif(o.told_s, 0) AS error_pct,
	o.told_s <= p.quantile_s AS covered
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id
LEFT JOIN predict.runs r ON r.prediction_id = p.prediction_id
	AND r.cluster_id = p.cluster_id AND r.user_id = p.user_id
	AND (p.stage <> 'waiting' OR (p.made_at <= r.started_at
		AND NOT EXISTS (SELECT FROM predict.predictions n
			WHERE n.prediction_id = p.prediction_id
			AND n.stage = 'waiting' AND n.made_at > p.made_at
			AND n.made_at <= r.started_at)))
LEFT JOIN LATERAL (
	SELECT x.runtime_s, CASE WHEN predict.state_tells(r.state)
		THEN x.runtime_s END AS told_s
	FROM (SELECT extract(epoch FROM r.ended_at - r.started_at)
		::double precision - r.suspended_s AS runtime_s) x
) o ON true
WHERE p.stage <> 'waiting' OR r.run_id IS NOT NULL
	OR NOT (EXISTS (SELECT FROM predict.predictions n
			WHERE n.prediction_id = p.prediction_id
			AND n.stage = 'waiting' AND n.made_at > p.made_at)
		OR EXISTS (SELECT FROM predict.runs x
			WHERE x.prediction_id = p.prediction_id
			AND x.cluster_id = p.cluster_id
			AND x.user_id = p.user_id));

CREATE OR REPLACE VIEW predict.run_outcomes AS
SELECT r.run_id, c.name AS cluster, r.partition, r.user_id, r.user_name,
	a.name AS application, coalesce(r.ended_at, r.started_at) AS ended_at,
	r.state::text AS state,
	extract(epoch FROM r.ended_at - r.started_at)::double precision
		- r.suspended_s AS runtime_s,
	nullif(r.limit_s, 'Infinity') AS limit_s, s.stage,
	coalesce(p.basis = 'history' AND p.median_s IS NOT NULL, false)
		AS predicted,
	p.model, p.median_s, p.quantile, p.quantile_s,
	coalesce(p.stage = 'waiting', false) AS renewed
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id
CROSS JOIN (VALUES ('submission'), ('waiting'), ('start')) s (stage)
LEFT JOIN LATERAL (
	SELECT max(x.made_at) AS made_at FROM predict.predictions x
	WHERE s.stage = 'waiting' AND x.prediction_id = r.prediction_id
		AND x.stage = 'waiting' AND x.cluster_id = r.cluster_id
		AND x.user_id = r.user_id AND x.made_at <= r.started_at
) w ON true
LEFT JOIN predict.predictions p ON p.prediction_id = r.prediction_id
	AND p.stage = CASE WHEN s.stage = 'waiting' AND w.made_at IS NULL
		THEN 'submission' ELSE s.stage END
	AND (p.stage <> 'waiting' OR p.made_at = w.made_at)
	AND p.cluster_id = r.cluster_id AND p.user_id = r.user_id
WHERE r.ended_at IS NOT NULL AND r.state <> 'RUNNING'
	AND r.import_id IS NULL AND predict.state_tells(r.state);

CREATE OR REPLACE FUNCTION predict.use(
	by_what text DEFAULT 'application', only_uid bigint DEFAULT 4294967295,
	only_user text DEFAULT NULL, only_cluster text DEFAULT NULL,
	only_application text DEFAULT NULL, since timestamptz DEFAULT NULL,
	until timestamptz DEFAULT NULL, newest bigint DEFAULT 1,
	only_job bigint DEFAULT 0, most bigint DEFAULT 1000)
	RETURNS TABLE (name text, groups bigint, runs bigint,
		mean_s double precision, time_used double precision,
		cpu_used double precision, memory_used double precision,
		most_memory_mb double precision, job_id bigint, nodes bigint,
		tasks bigint, cpus bigint, memory_mb double precision,
		limit_s double precision, runtime_s double precision,
		cpu_s double precision, peak_memory_mb double precision,
		quantile_s double precision, state text, imported integer,
		started_at timestamptz)
	LANGUAGE sql STABLE
AS $$
WITH wanted AS MATERIALIZED (
	SELECT r.run_id, r.cluster_id, r.job_id, r.user_id, r.nodes, r.tasks,
		r.cpus, nullif(r.memory_mb, 0) AS memory_mb, r.limit_s, r.state,
		r.prediction_id, r.started_at, r.ended_at,
		r.import_id IS NOT NULL AS imported,
		extract(epoch FROM r.ended_at - r.started_at)
			::double precision - r.suspended_s AS runtime_s,
		CASE by_what
			WHEN 'day' THEN to_char(r.ended_at AT TIME ZONE 'UTC',
				'YYYY-MM-DD')
			WHEN 'user' THEN coalesce(nullif(r.user_name, ''),
				r.user_id::text)
			WHEN 'account' THEN r.account
			ELSE a.name END AS name
	FROM predict.runs r
	JOIN predict.clusters c ON c.cluster_id = r.cluster_id
	JOIN predict.applications a ON a.application_id = r.application_id
	WHERE r.state <> 'RUNNING' AND r.ended_at IS NOT NULL
		AND (only_uid = 4294967295 OR r.user_id = only_uid)
		AND (only_user IS NULL OR r.user_name = only_user
			OR r.user_id::text = only_user)
		AND (only_cluster IS NULL OR c.name = only_cluster)
		AND (only_application IS NULL OR a.name = only_application)
		AND coalesce(r.ended_at, r.started_at)
			>= coalesce(since, '-infinity')
		AND coalesce(r.ended_at, r.started_at)
			< coalesce(until, 'infinity')
), seen AS (
	SELECT w.run_id, sum(s.cpu_s) AS cpu_s,
		max(s.peak_memory_mb) AS peak_mb, count(*) AS count
	FROM wanted w
	JOIN predict.run_shares s ON s.cluster_id = w.cluster_id
		AND s.job_id = w.job_id
	WHERE NOT EXISTS (
		SELECT FROM predict.runs x
		WHERE x.cluster_id = w.cluster_id AND x.job_id = w.job_id
			AND x.run_id <> w.run_id
			AND least(s.ended_at, x.ended_at)
				- greatest(s.started_at, x.started_at)
				> least(s.ended_at, w.ended_at)
				- greatest(s.started_at, w.started_at))
	GROUP BY w.run_id
), used AS (
	SELECT w.*, w.cpus * w.runtime_s AS cpu_given_s,
		nullif(w.limit_s, 'Infinity') AS given_s,
		CASE WHEN u.count = w.nodes THEN u.cpu_s END AS cpu_s,
		CASE WHEN u.count = w.nodes THEN u.peak_mb END AS peak_mb,
		row_number() OVER (PARTITION BY w.name
			ORDER BY w.ended_at DESC, w.run_id DESC) AS nth
	FROM wanted w LEFT JOIN seen u ON u.run_id = w.run_id
), sums AS (
	SELECT u.name, count(*) OVER () AS groups, count(*) AS runs,
		avg(u.runtime_s) AS mean_s,
		sum(u.runtime_s) FILTER (WHERE u.given_s IS NOT NULL)
			/ nullif(sum(u.given_s), 0) AS time_used,
		sum(u.cpu_s) / nullif(sum(u.cpu_given_s)
			FILTER (WHERE u.cpu_s IS NOT NULL), 0) AS cpu_used,
		sum(u.peak_mb * u.nodes * u.runtime_s)
			FILTER (WHERE u.memory_mb IS NOT NULL)
			/ nullif(sum(u.memory_mb * u.runtime_s)
				FILTER (WHERE u.peak_mb IS NOT NULL), 0)
			AS memory_used,
		max(u.peak_mb) AS most_memory_mb
	FROM used u
	GROUP BY u.name
	ORDER BY runs DESC, u.name
	LIMIT most
)
SELECT g.*, u.job_id, u.nodes, u.tasks, u.cpus, u.memory_mb, u.limit_s,
	u.runtime_s, u.cpu_s, u.peak_mb, p.quantile_s, u.state::text,
	u.imported::integer, u.started_at
FROM sums g
JOIN used u ON u.name = g.name
LEFT JOIN LATERAL (
	SELECT x.quantile_s FROM predict.predictions x
	WHERE u.nth = 1 AND x.prediction_id = u.prediction_id
		AND x.user_id = u.user_id AND x.cluster_id = u.cluster_id
		AND x.stage <> 'waiting' AND x.basis = 'history'
		AND x.evidence_level = 'application'
	ORDER BY x.stage
	LIMIT 1
) p ON true
WHERE u.nth <= newest OR u.job_id = only_job
ORDER BY g.runs DESC, g.name, u.nth
$$;
