-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0040_advice.sql - what users were advised to request, and whether it was right

ALTER TABLE predict.predictions
	ADD COLUMN advised_s double precision CHECK (advised_s > 0),
	ADD COLUMN advised_memory_mb double precision
		CHECK (advised_memory_mb > 0),
	ADD COLUMN advised_cpus bigint CHECK (advised_cpus > 0);
COMMENT ON COLUMN predict.predictions.advised_s IS
	'Time limit that a user would have been advised at submission; NULL: none.';
COMMENT ON COLUMN predict.predictions.advised_memory_mb IS
	'Memory of each node that would have been advised; NULL: none.';
COMMENT ON COLUMN predict.predictions.advised_cpus IS
	'CPUs of the one task that would have been advised; NULL: none.';

-- As it was, with the new columns at the end.
CREATE OR REPLACE VIEW predict.prediction_details AS
SELECT p.prediction_id, p.stage, p.origin, p.made_at, p.mode,
	c.name AS cluster, p.user_id, p.account, p.partition, p.job_name,
	a.name AS application, p.nodes, p.tasks, p.cpus, p.memory_mb,
	p.limit_s, p.assumed_nodes, p.basis, p.model, p.median_s, p.quantile,
	p.quantile_s, p.runs, p.last_error, p.nodes_known, p.cpu_load,
	p.cpu_load_max, p.cpu_available, p.cpu_available_min,
	p.bandwidth_bps, p.latency_s, p.parameter_names, p.parameter_values,
	p.knots_s, p.evidence_job_ids, p.evidence_runtimes_s,
	p.evidence_weights, p.candidate_models, p.candidate_medians_s,
	p.rejected_nodes, p.rejected_s, p.qos, p.features, p.gres,
	p.evidence_level, p.evidence_runs, p.own_runs, p.judged, p.held,
	p.extrapolated, p.similar_runs, p.over_limit, p.traits,
	p.outside, p.unbounded, p.unlike, p.unlike_runs, p.unlike_shortest_s,
	p.unlike_longest_s, p.seen, p.levels,
	p.limit_chance, p.advised_s, p.advised_memory_mb, p.advised_cpus
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;

-- A share belongs to the attempt of its job with which it overlaps most.
CREATE FUNCTION predict.run_use(of_run bigint, of_cluster integer,
	of_job bigint, began_at timestamptz, end_at timestamptz,
	on_nodes bigint)
	RETURNS TABLE (cpu_s double precision, peak_memory_mb double precision)
	LANGUAGE sql STABLE
AS $$
	SELECT sum(s.cpu_s), max(s.peak_memory_mb)
	FROM predict.run_shares s
	WHERE s.cluster_id = of_cluster AND s.job_id = of_job
		AND NOT EXISTS (
			SELECT FROM predict.runs x
			WHERE x.cluster_id = of_cluster AND x.job_id = of_job
				AND x.run_id <> of_run
				AND least(s.ended_at, x.ended_at)
					- greatest(s.started_at, x.started_at)
				> least(s.ended_at, end_at)
					- greatest(s.started_at, began_at))
	HAVING count(*) = on_nodes
$$;
COMMENT ON FUNCTION predict.run_use(bigint, integer, bigint, timestamptz,
	timestamptz, bigint) IS
	'CPU time of a run, and its peak of memory on the fullest node; no row '
	'until all of its nodes have reported.';

-- A run that ran out of what was advised, or of less, tells nothing of the
-- advice; one that ran out of more tells that it was too low.
CREATE FUNCTION predict.advice(
	by_what text DEFAULT 'all', since timestamptz DEFAULT NULL,
	until timestamptz DEFAULT NULL, only_cluster text DEFAULT NULL,
	only_partition text DEFAULT NULL, only_user text DEFAULT NULL,
	only_application text DEFAULT NULL, only_model text DEFAULT NULL,
	only_completed boolean DEFAULT false, only_uid bigint DEFAULT NULL)
	RETURNS TABLE (name text, advised bigint,
		time_covered_pct double precision, time_factor double precision,
		memory_covered_pct double precision,
		memory_factor double precision,
		cpus_covered_pct double precision, cpus_factor double precision)
	LANGUAGE sql STABLE
AS $$
WITH ended AS (
	SELECT CASE by_what
			WHEN 'cluster' THEN c.name
			WHEN 'partition' THEN r.partition
			WHEN 'user' THEN coalesce(nullif(r.user_name, ''),
				r.user_id::text)
			WHEN 'application' THEN a.name
			WHEN 'model' THEN CASE WHEN p.basis = 'history'
				THEN p.model ELSE '' END
			WHEN 'month' THEN to_char(r.ended_at
				AT TIME ZONE 'UTC', 'YYYY-MM')
			ELSE 'all' END AS name,
		greatest(extract(epoch FROM r.ended_at - r.started_at)
			::double precision - r.suspended_s, 1) AS runtime_s,
		p.advised_s, p.advised_memory_mb, p.advised_cpus,
		u.cpu_s, u.peak_memory_mb, r.nodes,
		CASE r.state WHEN 'TIMEOUT' THEN r.limit_s END AS short_s,
		CASE r.state WHEN 'OUT_OF_MEMORY'
			THEN r.memory_mb / nullif(r.nodes, 0) END AS short_mb
	FROM predict.runs r
	JOIN predict.clusters c ON c.cluster_id = r.cluster_id
	JOIN predict.applications a ON a.application_id = r.application_id
	JOIN predict.predictions p ON p.prediction_id = r.prediction_id
		AND p.stage = 'submission' AND p.cluster_id = r.cluster_id
		AND p.user_id = r.user_id
	LEFT JOIN LATERAL predict.run_use(r.run_id, r.cluster_id, r.job_id,
		r.started_at, r.ended_at, r.nodes) u ON true
	WHERE r.ended_at IS NOT NULL AND r.import_id IS NULL
		AND r.state IN ('COMPLETED', 'TIMEOUT', 'OUT_OF_MEMORY')
		AND coalesce(p.advised_s, p.advised_memory_mb, p.advised_cpus)
			IS NOT NULL
		AND coalesce(r.ended_at, r.started_at)
			>= coalesce(since, '-infinity')
		AND coalesce(r.ended_at, r.started_at)
			< coalesce(until, 'infinity')
		AND (only_cluster IS NULL OR c.name = only_cluster)
		AND (only_partition IS NULL OR r.partition = only_partition)
		AND (only_user IS NULL OR r.user_name = only_user
			OR r.user_id::text = only_user)
		AND (only_uid IS NULL OR r.user_id = only_uid)
		AND (only_application IS NULL OR a.name = only_application)
		AND (only_model IS NULL
			OR (p.basis = 'history' AND p.model = only_model))
		AND (NOT only_completed OR r.state = 'COMPLETED')
), judged AS (
	SELECT e.*,
		CASE WHEN e.short_s IS NULL OR e.runtime_s > e.advised_s
			THEN e.advised_s END AS told_s,
		CASE WHEN e.short_mb IS NULL AND e.peak_memory_mb > 0
			OR e.short_mb >= e.advised_memory_mb
			THEN e.advised_memory_mb END AS told_mb,
		CASE WHEN e.cpu_s > 0 THEN e.advised_cpus END AS told_cpus
	FROM ended e
)
SELECT j.name, count(*),
	100 * avg((j.runtime_s <= j.told_s)::integer)::double precision,
	sum(j.told_s) / nullif(sum(j.runtime_s)
		FILTER (WHERE j.told_s IS NOT NULL), 0),
	100 * avg((j.short_mb IS NULL AND j.peak_memory_mb <= j.told_mb)
		::integer) FILTER (WHERE j.told_mb IS NOT NULL)
		::double precision,
	sum(j.told_mb) FILTER (WHERE j.short_mb IS NULL)
		/ nullif(sum(j.peak_memory_mb) FILTER (WHERE j.short_mb IS NULL
			AND j.told_mb IS NOT NULL), 0),
	100 * avg((j.cpu_s <= (j.told_cpus + 0.05) * j.runtime_s)::integer)
		::double precision,
	sum(j.told_cpus * j.runtime_s) / nullif(sum(j.cpu_s)
		FILTER (WHERE j.told_cpus IS NOT NULL), 0)
FROM judged j
GROUP BY j.name
$$;
COMMENT ON FUNCTION predict.advice(text, timestamptz, timestamptz, text,
	text, text, text, text, boolean, bigint) IS
	'How often the time, memory and CPUs that would have been advised at '
	'submission were enough for the run, and how many times its use they '
	'were; by what, as predict.accuracy().';
