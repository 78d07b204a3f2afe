-- 0007_accuracy.sql - what an admin asks the history, with both stages
--
-- The first two views are how predictd reads runs and predictions back; the
-- rest is for people.  p is the predicted median, a the actual run time.

CREATE VIEW predict.run_details AS
SELECT r.run_id, r.change, c.name AS cluster, r.job_id, r.array_job_id,
	r.array_task_id, r.user_id, r.user_name, r.account, r.partition,
	r.job_name, r.prediction_id, r.nodes, r.tasks, r.cpus, r.memory_mb,
	r.limit_s, r.node_list, r.submitted_at, r.started_at, r.ended_at,
	r.state::text AS state, r.exit_code, r.exit_signal,
	a.name AS application,
	extract(epoch FROM r.ended_at - r.started_at)::double precision
		AS runtime_s,
	r.nodes_known, r.cpu_load, r.cpu_load_max, r.cpu_available,
	r.cpu_available_min, r.bandwidth_bps, r.latency_s,
	r.parameter_names, r.parameter_values, r.import_id
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id;
COMMENT ON VIEW predict.run_details IS
	'Runs with their names, parameters and conditions in one row.';

CREATE VIEW predict.prediction_details AS
SELECT p.prediction_id, p.stage, p.origin, p.made_at, p.mode,
	c.name AS cluster, p.user_id, p.account, p.partition, p.job_name,
	a.name AS application, p.nodes, p.tasks, p.cpus, p.memory_mb,
	p.limit_s, p.assumed_nodes, p.basis, p.model, p.median_s, p.quantile,
	p.quantile_s, p.runs, p.last_error, p.nodes_known, p.cpu_load,
	p.cpu_load_max, p.cpu_available, p.cpu_available_min,
	p.bandwidth_bps, p.latency_s, p.parameter_names, p.parameter_values,
	p.knots_s, p.evidence_job_ids, p.evidence_runtimes_s,
	p.evidence_weights, p.candidate_models, p.candidate_medians_s
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
COMMENT ON VIEW predict.prediction_details IS
	'Predictions with their names, parameters, evidence and candidates in '
	'one row.';

-- --- What the arrays hold, a row for each element -----------------------------

CREATE VIEW predict.run_parameters AS
SELECT r.run_id, p.name, p.value
FROM predict.runs r,
	unnest(r.parameter_names, r.parameter_values) p (name, value);
COMMENT ON VIEW predict.run_parameters IS
	'Numbers that the user gave to the application of a run.';

CREATE VIEW predict.prediction_parameters AS
SELECT o.prediction_id, o.stage, p.name, p.value
FROM predict.predictions o,
	unnest(o.parameter_names, o.parameter_values) p (name, value);
COMMENT ON VIEW predict.prediction_parameters IS
	'Numbers that the user gave to the application of a prediction.';

CREATE VIEW predict.prediction_candidates AS
SELECT o.prediction_id, o.stage, k.model, k.median_s
FROM predict.predictions o,
	unnest(o.candidate_models, o.candidate_medians_s)
		k (model, median_s);
COMMENT ON VIEW predict.prediction_candidates IS
	'What each model would have answered, right or wrong.';

CREATE VIEW predict.prediction_evidence AS
SELECT o.prediction_id, o.stage, c.name AS cluster, e.job_id,
	e.runtime_s::double precision AS runtime_s,
	e.weight::double precision AS weight
FROM predict.predictions o
JOIN predict.clusters c ON c.cluster_id = o.cluster_id,
	unnest(o.evidence_job_ids, o.evidence_runtimes_s, o.evidence_weights)
		e (job_id, runtime_s, weight);
COMMENT ON VIEW predict.prediction_evidence IS
	'The finished runs of most weight that a prediction rested on.';

-- --- Predicted and actual -------------------------------------------------------

-- Whether the run time says how long the job takes: not if the system ended
-- it, or nobody knows who did.  Models learn from the same runs.
CREATE FUNCTION predict.state_tells(state text) RETURNS boolean
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	AS $$ SELECT state IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT',
		'OUT_OF_MEMORY') $$;
COMMENT ON FUNCTION predict.state_tells(text) IS
	'Whether a run that ended so is compared with its prediction.';

CREATE VIEW predict.prediction_outcomes AS
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
	AND r.cluster_id = p.cluster_id
LEFT JOIN LATERAL (
	SELECT x.runtime_s, CASE WHEN predict.state_tells(r.state)
		THEN x.runtime_s END AS told_s
	FROM (SELECT extract(epoch FROM r.ended_at - r.started_at)
		::double precision AS runtime_s) x
) o ON true;
COMMENT ON VIEW predict.prediction_outcomes IS
	'What was predicted and what happened; error_pct and covered are NULL '
	'unless the run''s end tells something (see state_tells).';

-- coalesce(), though there is an end, because that is what runs_ended indexes.
CREATE VIEW predict.run_outcomes AS
SELECT r.run_id, c.name AS cluster, r.partition, r.user_id, r.user_name,
	a.name AS application, coalesce(r.ended_at, r.started_at) AS ended_at,
	r.state::text AS state,
	extract(epoch FROM r.ended_at - r.started_at)::double precision
		AS runtime_s,
	nullif(r.limit_s, 'Infinity') AS limit_s, s.stage,
	coalesce(p.basis = 'history' AND p.median_s IS NOT NULL, false)
		AS predicted,
	p.model, p.median_s, p.quantile, p.quantile_s
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id
CROSS JOIN (VALUES ('submission'), ('start')) s (stage)
LEFT JOIN predict.predictions p ON p.prediction_id = r.prediction_id
	AND p.stage = s.stage AND p.cluster_id = r.cluster_id
WHERE r.ended_at IS NOT NULL AND r.state <> 'RUNNING'
	AND r.import_id IS NULL AND predict.state_tells(r.state);
COMMENT ON VIEW predict.run_outcomes IS
	'Each run that was reported and whose end tells something, twice: with '
	'what was predicted at its submission and at its start; NULL: nothing '
	'was.';

-- Run times below a second count as one second where something is divided by
-- them.  A group without predictions at the start has no row for that stage.
CREATE FUNCTION predict.accuracy(
	by_what text DEFAULT 'all', since timestamptz DEFAULT NULL,
	until timestamptz DEFAULT NULL, only_cluster text DEFAULT NULL,
	only_partition text DEFAULT NULL, only_user text DEFAULT NULL,
	only_application text DEFAULT NULL, only_model text DEFAULT NULL,
	only_completed boolean DEFAULT false, only_uid bigint DEFAULT NULL)
	RETURNS TABLE (name text, stage text, runs bigint, predicted bigint,
		error_pct double precision, median_error_pct double precision,
		accuracy_pct double precision, under_pct double precision,
		covered_pct double precision, quantile_pct double precision,
		limited bigint, limit_missed_pct double precision,
		limit_error_pct double precision,
		limit_factor double precision)
	LANGUAGE sql STABLE
AS $$
	SELECT CASE by_what
			WHEN 'cluster' THEN o.cluster
			WHEN 'partition' THEN o.partition
			WHEN 'user' THEN coalesce(nullif(o.user_name, ''),
				o.user_id::text)
			WHEN 'application' THEN o.application
			WHEN 'model' THEN CASE WHEN o.predicted
				THEN o.model ELSE '' END
			WHEN 'month' THEN to_char(o.ended_at
				AT TIME ZONE 'UTC', 'YYYY-MM')
			ELSE 'all' END,
		o.stage, count(*), count(*) FILTER (WHERE o.predicted),
		100 * sum(abs(o.median_s - o.runtime_s))
			FILTER (WHERE o.predicted)
			/ nullif(sum(o.runtime_s)
				FILTER (WHERE o.predicted), 0),
		100 * percentile_cont(0.5) WITHIN GROUP (ORDER BY
			abs(o.median_s - o.runtime_s)
				/ greatest(o.runtime_s, 1))
			FILTER (WHERE o.predicted),
		100 * avg(greatest(least(o.median_s, o.runtime_s), 1)
			/ greatest(o.median_s, o.runtime_s, 1))
			FILTER (WHERE o.predicted),
		100 * avg((o.runtime_s > o.median_s)::integer)
			FILTER (WHERE o.predicted)::double precision,
		100 * avg((o.runtime_s <= o.quantile_s)::integer)
			FILTER (WHERE o.predicted)::double precision,
		100 * avg(o.quantile) FILTER (WHERE o.predicted),
		count(o.limit_s),
		100 * avg((o.state = 'TIMEOUT'
			OR o.runtime_s > o.limit_s)::integer)
			FILTER (WHERE o.limit_s IS NOT NULL)
			::double precision,
		100 * sum(abs(o.limit_s - o.runtime_s))
			/ nullif(sum(o.runtime_s)
				FILTER (WHERE o.limit_s IS NOT NULL), 0),
		sum(o.limit_s) / nullif(sum(o.runtime_s)
			FILTER (WHERE o.limit_s IS NOT NULL), 0)
	FROM predict.run_outcomes o
	WHERE (since IS NULL OR o.ended_at >= since)
		AND (until IS NULL OR o.ended_at < until)
		AND (only_cluster IS NULL OR o.cluster = only_cluster)
		AND (only_partition IS NULL OR o.partition = only_partition)
		AND (only_user IS NULL OR o.user_name = only_user
			OR o.user_id::text = only_user)
		AND (only_uid IS NULL OR o.user_id = only_uid)
		AND (only_application IS NULL
			OR o.application = only_application)
		AND (only_model IS NULL
			OR (o.predicted AND o.model = only_model))
		AND (NOT only_completed OR o.state = 'COMPLETED')
	GROUP BY 1, 2
	HAVING o.stage = 'submission' OR bool_or(o.predicted)
$$;
COMMENT ON FUNCTION predict.accuracy(text, timestamptz, timestamptz, text,
	text, text, text, text, boolean, bigint) IS
	'How right predictions from history were, and the users'' limits, by '
	'''all'', ''cluster'', ''partition'', ''user'', ''application'', '
	'''model'' or ''month'' (UTC).';

DO $$
DECLARE
	what text;
BEGIN
	FOREACH what IN ARRAY ARRAY['cluster', 'partition', 'user',
			'application', 'month'] LOOP
		EXECUTE format('CREATE VIEW predict.%I AS '
			'SELECT name AS %I, stage, runs, predicted, '
			'error_pct, median_error_pct, accuracy_pct, '
			'under_pct, covered_pct, quantile_pct, limited, '
			'limit_missed_pct, limit_error_pct, limit_factor '
			'FROM predict.accuracy(%L) '
			'ORDER BY %s, name, stage DESC',
			'accuracy_by_' || what,
			CASE what WHEN 'user' THEN 'user_name' ELSE what END,
			what, CASE what WHEN 'month' THEN 'name DESC'
			ELSE 'runs DESC' END);
		EXECUTE format('COMMENT ON VIEW predict.%I IS %L',
			'accuracy_by_' || what,
			'How right predictions have been, per ' || what
			|| ' and stage.');
	END LOOP;
END $$;

CREATE VIEW predict.accuracy_by_model AS
WITH answers AS (
	SELECT '(chosen)' AS model, o.stage, o.median_s, o.runtime_s,
		o.error_pct, o.covered
	FROM predict.prediction_outcomes o
	WHERE o.error_pct IS NOT NULL AND o.basis = 'history'
	UNION ALL
	SELECT k.model, o.stage, k.median_s, o.runtime_s,
		100 * abs(k.median_s - o.runtime_s) / o.runtime_s, NULL
	FROM predict.prediction_outcomes o
	JOIN predict.prediction_candidates k
		ON k.prediction_id = o.prediction_id AND k.stage = o.stage
	WHERE o.error_pct IS NOT NULL AND k.median_s IS NOT NULL
)
SELECT model, stage, count(*) AS runs,
	100 * sum(abs(median_s - runtime_s)) / sum(runtime_s) AS error_pct,
	percentile_cont(0.5) WITHIN GROUP (ORDER BY error_pct)
		AS median_error_pct,
	100 * avg(covered::integer)::double precision AS covered_pct
FROM answers
GROUP BY model, stage
ORDER BY model, stage DESC;
COMMENT ON VIEW predict.accuracy_by_model IS
	'How right each model has been, and the one that was chosen each time, '
	'per stage.';

-- --- Runs -------------------------------------------------------------------------

-- The start knows more than the submission did.
CREATE VIEW predict.recent_runs AS
SELECT d.ended_at, d.cluster, d.job_id, d.user_name, d.application,
	d.node_list, d.state, d.runtime_s, p.median_s AS predicted_s, p.model
FROM predict.run_details d
LEFT JOIN LATERAL (
	SELECT x.median_s, x.model FROM predict.predictions x
	WHERE x.prediction_id = d.prediction_id
	ORDER BY x.stage LIMIT 1
) p ON true
WHERE d.state <> 'RUNNING'
ORDER BY coalesce(d.ended_at, d.started_at) DESC, d.run_id DESC
LIMIT 200;
COMMENT ON VIEW predict.recent_runs IS 'The last 200 runs that ended.';

CREATE VIEW predict.running AS
SELECT d.cluster, d.job_id, d.user_name, d.application, d.node_list,
	d.started_at,
	extract(epoch FROM now() - d.started_at)::double precision
		AS elapsed_s,
	p.median_s AS predicted_s, p.quantile, p.quantile_s, d.limit_s
FROM predict.run_details d
LEFT JOIN LATERAL (
	SELECT x.median_s, x.quantile, x.quantile_s
	FROM predict.predictions x
	WHERE x.prediction_id = d.prediction_id
	ORDER BY x.stage LIMIT 1
) p ON true
WHERE d.state = 'RUNNING'
ORDER BY d.started_at;
COMMENT ON VIEW predict.running IS 'Runs whose end has not been reported.';
