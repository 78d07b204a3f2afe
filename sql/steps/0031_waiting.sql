-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0031_waiting.sql - predictions that are made again while a job waits
--
-- The last one is kept, beside those at submission and at the start.

ALTER TABLE predict.predictions
	DROP CONSTRAINT predictions_stage_check,
	ADD CONSTRAINT predictions_stage_check
		CHECK (stage IN ('submission', 'waiting', 'start'));
COMMENT ON COLUMN predict.predictions.stage IS
	'submission: on nodes assumed; waiting: again, as other runs had ended, '
	'the newest; start: again, on the nodes given.';

CREATE FUNCTION predict.forget_waiting(ids text[]) RETURNS void
	LANGUAGE sql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
	AS $$ DELETE FROM predict.predictions
		WHERE prediction_id = ANY (ids) AND stage = 'waiting' $$;
COMMENT ON FUNCTION predict.forget_waiting(text[]) IS
	'Delete predictions of waiting jobs, for which there are newer ones.';
REVOKE ALL ON FUNCTION predict.forget_waiting(text[]) FROM PUBLIC;

-- As it was, but of a waiting job only what was predicted before its start: a
-- start is reported a moment later, and tasks of an array start one by one.
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
	AND (p.stage <> 'waiting' OR p.made_at <= r.started_at)
LEFT JOIN LATERAL (
	SELECT x.runtime_s, CASE WHEN predict.state_tells(r.state)
		THEN x.runtime_s END AS told_s
	FROM (SELECT extract(epoch FROM r.ended_at - r.started_at)
		::double precision AS runtime_s) x
) o ON true;

-- Where nothing had changed, the last prediction before the start is that at
-- the submission, so that all stages are of the same runs.
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
LEFT JOIN predict.predictions w ON s.stage = 'waiting'
	AND w.prediction_id = r.prediction_id AND w.stage = 'waiting'
	AND w.cluster_id = r.cluster_id AND w.user_id = r.user_id
	AND w.made_at <= r.started_at
LEFT JOIN predict.predictions p ON p.prediction_id = r.prediction_id
	AND p.stage = CASE WHEN s.stage = 'waiting' AND w.stage IS NULL
		THEN 'submission' ELSE s.stage END
	AND p.cluster_id = r.cluster_id AND p.user_id = r.user_id
WHERE r.ended_at IS NOT NULL AND r.state <> 'RUNNING'
	AND r.import_id IS NULL AND predict.state_tells(r.state);
COMMENT ON VIEW predict.run_outcomes IS
	'Each run that was reported and whose end tells something, three times: '
	'with what was predicted at its submission, last before its start, and '
	'at its start; NULL: nothing was.  renewed: while it waited.';

-- Run times below a second count as one second where something is divided by
-- them.  A group without predictions at a later stage has no row for it.
CREATE OR REPLACE FUNCTION predict.accuracy(
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
	HAVING o.stage = 'submission' OR bool_or(o.renewed)
		OR (o.stage = 'start' AND bool_or(o.predicted))
$$;

DO $$
DECLARE
	what text;
BEGIN
	FOREACH what IN ARRAY ARRAY['cluster', 'partition', 'user',
			'application', 'month'] LOOP
		EXECUTE format('CREATE OR REPLACE VIEW predict.%I AS '
			'SELECT name AS %I, stage, runs, predicted, '
			'error_pct, median_error_pct, accuracy_pct, '
			'under_pct, covered_pct, quantile_pct, limited, '
			'limit_missed_pct, limit_error_pct, limit_factor '
			'FROM predict.accuracy(%L) '
			'ORDER BY %s, name, array_position(ARRAY['
			'''submission'', ''waiting'', ''start''], stage)',
			'accuracy_by_' || what,
			CASE what WHEN 'user' THEN 'user_name' ELSE what END,
			what, CASE what WHEN 'month' THEN 'name DESC'
			ELSE 'runs DESC' END);
	END LOOP;
END $$;
