-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0032_waiting_rows.sql - the last prediction before a start is not lost
--
-- A start is reported some moments later, and a waiting job may be predicted
-- again meanwhile: that row is newer than the start and must not take the place
-- of the one before it.  So a job may have some rows while it waits.

ALTER TABLE predict.predictions DROP CONSTRAINT predictions_pkey;
CREATE UNIQUE INDEX predictions_key ON predict.predictions (prediction_id,
	stage, (CASE stage WHEN 'waiting' THEN made_at ELSE '-infinity' END));
COMMENT ON TABLE predict.predictions IS
	'What was predicted, for which job, and what it rested on; one row '
	'for each stage, a few of those that are made while it waits.';
COMMENT ON COLUMN predict.predictions.stage IS
	'submission: on nodes assumed; waiting: again, as other runs had ended, '
	'the newest and those that a start may need which is reported within '
	'five minutes; start: again, on the nodes given.';

-- Before the start that was reported, the newest row stays.  Of the others, the
-- newest of all stays, the newest that is five minutes older than it, and
-- between them the first of every ten seconds: so there is one before any start
-- of this time, however often the job is predicted.  Which ones go depends on
-- the rows alone, not on the order in which two predictds write them.
CREATE OR REPLACE FUNCTION predict.forget_waiting(ids text[]) RETURNS void
	LANGUAGE sql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
	DELETE FROM predict.predictions p
	USING (SELECT w.prediction_id, w.made_at, s.made_at AS started_at,
			lag(w.made_at) OVER ids AS before,
			lead(w.made_at) OVER ids AS after,
			max(w.made_at) OVER (PARTITION BY w.prediction_id)
				- interval '5 minutes' AS old
		FROM predict.predictions w
		LEFT JOIN predict.predictions s ON s.stage = 'start'
			AND s.prediction_id = w.prediction_id
		WHERE w.prediction_id = ANY (ids) AND w.stage = 'waiting'
		WINDOW ids AS (PARTITION BY w.prediction_id
			ORDER BY w.made_at)) x
	WHERE p.prediction_id = x.prediction_id AND p.stage = 'waiting'
		AND p.made_at = x.made_at AND (x.after <= x.started_at
		OR (x.made_at > coalesce(x.started_at, '-infinity')
			AND (x.after <= x.old OR (x.after IS NOT NULL
				AND x.made_at > x.old
				AND date_bin('10 seconds', x.made_at, 'epoch')
				= date_bin('10 seconds', x.before, 'epoch')))))
$$;
COMMENT ON FUNCTION predict.forget_waiting(text[]) IS
	'Delete predictions of waiting jobs that no start can need.';

-- As it was, but of a waiting job the newest before each start.
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
		::double precision AS runtime_s) x
) o ON true
WHERE p.stage <> 'waiting' OR r.run_id IS NOT NULL
	OR NOT (EXISTS (SELECT FROM predict.predictions n
			WHERE n.prediction_id = p.prediction_id
			AND n.stage = 'waiting' AND n.made_at > p.made_at)
		OR EXISTS (SELECT FROM predict.runs x
			WHERE x.prediction_id = p.prediction_id
			AND x.cluster_id = p.cluster_id
			AND x.user_id = p.user_id));

-- Likewise.
CREATE OR REPLACE VIEW predict.run_outcomes AS
SELECT r.run_id, c.name AS cluster, r.partition, r.user_id, r.user_name,
	a.name AS application, coalesce(r.ended_at, r.started_at) AS ended_at,
	r.state::text AS state,
	extract(epoch FROM r.ended_at - r.started_at)::double precision
		AS runtime_s,
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

-- As they were, but for the order of stages.
CREATE OR REPLACE VIEW predict.accuracy_by_model AS
WITH answers AS (
	SELECT '(chosen)' AS model, o.stage, o.median_s, o.runtime_s,
		o.error_pct, o.covered
	FROM predict.prediction_outcomes o
	WHERE o.error_pct IS NOT NULL AND o.basis = 'history'
	UNION ALL
	SELECT k.model, o.stage, k.median_s, o.runtime_s,
		100 * abs(k.median_s - o.runtime_s) / o.runtime_s, NULL
	FROM predict.prediction_outcomes o
	JOIN predict.predictions p ON p.prediction_id = o.prediction_id
		AND p.stage = o.stage AND p.made_at = o.made_at,
		unnest(p.candidate_models, p.candidate_medians_s)
			k (model, median_s)
	WHERE o.error_pct IS NOT NULL AND k.median_s IS NOT NULL
)
SELECT model, stage, count(*) AS runs,
	100 * sum(abs(median_s - runtime_s)) / sum(runtime_s) AS error_pct,
	percentile_cont(0.5) WITHIN GROUP (ORDER BY error_pct)
		AS median_error_pct,
	100 * avg(covered::integer)::double precision AS covered_pct
FROM answers
GROUP BY model, stage
ORDER BY model,
	array_position(ARRAY['submission', 'waiting', 'start'], stage);

CREATE OR REPLACE VIEW predict.recent_runs AS
SELECT d.ended_at, d.cluster, d.job_id, d.user_name, d.application,
	d.node_list, d.state, d.runtime_s, p.median_s AS predicted_s, p.model
FROM predict.run_details d
LEFT JOIN LATERAL (
	SELECT x.median_s, x.model FROM predict.prediction_details x
	WHERE x.prediction_id = d.prediction_id
		AND x.cluster = d.cluster AND x.user_id = d.user_id
		AND (x.stage <> 'waiting' OR x.made_at <= d.started_at)
	ORDER BY array_position(ARRAY['start', 'waiting', 'submission'],
		x.stage), x.made_at DESC LIMIT 1
) p ON true
WHERE d.state <> 'RUNNING'
ORDER BY coalesce(d.ended_at, d.started_at) DESC, d.run_id DESC
LIMIT 200;

CREATE OR REPLACE VIEW predict.running AS
SELECT d.cluster, d.job_id, d.user_name, d.application, d.node_list,
	d.started_at,
	extract(epoch FROM now() - d.started_at)::double precision
		AS elapsed_s,
	p.median_s AS predicted_s, p.quantile, p.quantile_s, d.limit_s
FROM predict.run_details d
LEFT JOIN LATERAL (
	SELECT x.median_s, x.quantile, x.quantile_s
	FROM predict.prediction_details x
	WHERE x.prediction_id = d.prediction_id
		AND x.cluster = d.cluster AND x.user_id = d.user_id
		AND (x.stage <> 'waiting' OR x.made_at <= d.started_at)
	ORDER BY array_position(ARRAY['start', 'waiting', 'submission'],
		x.stage), x.made_at DESC LIMIT 1
) p ON true
WHERE d.state = 'RUNNING'
ORDER BY d.started_at;
