-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0033_use.sql - what runs used of what they requested

CREATE INDEX runs_user ON predict.runs
	(user_id, (coalesce(ended_at, started_at))) WHERE state <> 'RUNNING';

-- The newest runs of each group, each with the sums of its group.  What nodes
-- reported counts if all nodes of a run did.  A share belongs to the run of its
-- job with which it overlaps most, as in run_nodes.  The quantile is that of
-- the newest run, from runs of its application.
CREATE FUNCTION predict.use(
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
			::double precision AS runtime_s,
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
COMMENT ON FUNCTION predict.use(text, bigint, text, text, text, timestamptz,
	timestamptz, bigint, bigint, bigint) IS
	'What runs used of their limits, CPUs and memory, by application, day, '
	'user or account: the newest runs of each group, and in each row the '
	'sums of its group; shares of what was requested, 0 to 1.';
