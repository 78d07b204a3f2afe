-- 0021_own_predictions.sql - a run has the predictions of its own user only
--
-- The id of a prediction is a text in the job's AdminComment, and everybody may
-- read it there.  Whoever writes it into a job of his own must not get the
-- prediction, nor be counted as its outcome.

-- Called for each run that is stored; runs of one array share a prediction.  In
-- plpgsql, so that runs that name none are stored while predictions are locked.
CREATE FUNCTION predict.own_prediction(id text, in_cluster integer, uid bigint,
	job bigint, array_job bigint) RETURNS text
	LANGUAGE plpgsql STABLE STRICT
AS $$
BEGIN
	IF EXISTS (SELECT FROM predict.predictions p
			WHERE p.prediction_id = id
			AND (p.cluster_id <> in_cluster OR p.user_id <> uid))
		OR EXISTS (SELECT FROM predict.runs r
			WHERE r.prediction_id = id
			AND r.cluster_id = in_cluster AND r.user_id = uid
			AND coalesce(nullif(r.array_job_id, 0), r.job_id)
				<> coalesce(nullif(array_job, 0), job)) THEN
		RETURN NULL;
	END IF;
	RETURN id;
END $$;
COMMENT ON FUNCTION predict.own_prediction(text, integer, bigint, bigint,
	bigint) IS
	'The id, unless that prediction is of another user, cluster or job.';

-- As they were, with the user in the conditions.
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
LEFT JOIN LATERAL (
	SELECT x.runtime_s, CASE WHEN predict.state_tells(r.state)
		THEN x.runtime_s END AS told_s
	FROM (SELECT extract(epoch FROM r.ended_at - r.started_at)
		::double precision AS runtime_s) x
) o ON true;

CREATE OR REPLACE VIEW predict.run_outcomes AS
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
	AND p.user_id = r.user_id
WHERE r.ended_at IS NOT NULL AND r.state <> 'RUNNING'
	AND r.import_id IS NULL AND predict.state_tells(r.state);

CREATE OR REPLACE VIEW predict.recent_runs AS
SELECT d.ended_at, d.cluster, d.job_id, d.user_name, d.application,
	d.node_list, d.state, d.runtime_s, p.median_s AS predicted_s, p.model
FROM predict.run_details d
LEFT JOIN LATERAL (
	SELECT x.median_s, x.model FROM predict.prediction_details x
	WHERE x.prediction_id = d.prediction_id
		AND x.cluster = d.cluster AND x.user_id = d.user_id
	ORDER BY x.stage LIMIT 1
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
	ORDER BY x.stage LIMIT 1
) p ON true
WHERE d.state = 'RUNNING'
ORDER BY d.started_at;
