-- 0003_views.sql - what an admin asks the history
--
-- The first two views are how predictd reads runs and predictions back; the
-- rest is for people.  Errors are |predicted - actual| / actual, sums of them
-- the normalized error sum |predicted - actual| / sum actual, both in percent.

CREATE VIEW predict.run_details AS
SELECT r.run_id, r.change, c.name AS cluster, r.job_id, r.array_job_id,
	r.array_task_id, r.user_id, r.user_name, r.account, r.partition,
	r.job_name, r.prediction_id, r.nodes, r.tasks, r.cpus, r.memory_mb,
	r.limit_s, r.node_list, r.submitted_at, r.started_at, r.ended_at,
	r.state::text AS state, r.exit_code, r.exit_signal,
	a.name AS application,
	extract(epoch FROM r.ended_at - r.started_at)::double precision
		AS runtime_s,
	k.nodes_known, k.cpu_load, k.cpu_load_max, k.cpu_available,
	k.cpu_available_min, k.bandwidth_bps, k.latency_s,
	p.names AS parameter_names, p.values AS parameter_values
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id
LEFT JOIN predict.run_conditions k ON k.run_id = r.run_id
LEFT JOIN LATERAL (
	SELECT array_agg(q.name ORDER BY q.name COLLATE "C") AS names,
		array_agg(q.value ORDER BY q.name COLLATE "C") AS values
	FROM predict.run_parameters q WHERE q.run_id = r.run_id
) p ON true;
COMMENT ON VIEW predict.run_details IS
	'Runs with their names, parameters and conditions in one row.';

CREATE VIEW predict.prediction_details AS
SELECT p.prediction_id, p.origin, p.made_at, p.mode, c.name AS cluster,
	p.user_id, p.account, p.partition, p.job_name, a.name AS application,
	p.nodes, p.tasks, p.cpus, p.limit_s, p.assumed_nodes, p.basis,
	p.model, p.median_s, p.quantile, p.quantile_s, p.runs, p.last_error,
	p.nodes_known, p.cpu_load, p.cpu_load_max, p.cpu_available,
	p.cpu_available_min, p.bandwidth_bps, p.latency_s,
	q.names AS parameter_names, q.values AS parameter_values,
	k.models AS candidate_models, k.medians AS candidate_medians_s
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id
LEFT JOIN LATERAL (
	SELECT array_agg(x.name ORDER BY x.name COLLATE "C") AS names,
		array_agg(x.value ORDER BY x.name COLLATE "C") AS values
	FROM predict.prediction_parameters x
	WHERE x.prediction_id = p.prediction_id
) q ON true
LEFT JOIN LATERAL (
	SELECT array_agg(x.model ORDER BY x.position) AS models,
		array_agg(x.median_s ORDER BY x.position) AS medians
	FROM predict.prediction_candidates x
	WHERE x.prediction_id = p.prediction_id
) k ON true;
COMMENT ON VIEW predict.prediction_details IS
	'Predictions with their names, parameters and candidates in one row.';

-- A share belongs to the attempt of its job with which it overlaps most.
-- Clocks of node and controller may differ a little, and a share may be a
-- moment: hence the closest attempt where none overlaps.
CREATE VIEW predict.run_nodes AS
SELECT r.run_id, c.name AS cluster, s.job_id, n.name AS node, s.started_at,
	s.ended_at,
	extract(epoch FROM s.ended_at - s.started_at)::double precision
		AS runtime_s,
	s.cpu_s, s.peak_memory_mb, s.exit_code, s.exit_signal, s.tasks
FROM predict.run_shares s
JOIN predict.clusters c ON c.cluster_id = s.cluster_id
JOIN predict.nodes n ON n.node_id = s.node_id
LEFT JOIN LATERAL (
	SELECT x.run_id FROM predict.runs x
	WHERE x.cluster_id = s.cluster_id AND x.job_id = s.job_id
	ORDER BY least(s.ended_at, coalesce(x.ended_at, 'infinity'))
		- greatest(s.started_at, x.started_at) DESC
	LIMIT 1
) r ON true;
COMMENT ON VIEW predict.run_nodes IS
	'What each node saw, with the run that it was part of.';

CREATE VIEW predict.prediction_outcomes AS
SELECT p.prediction_id, p.made_at, c.name AS cluster, p.user_id, p.account,
	p.partition, p.job_name, a.name AS application, p.mode, p.basis,
	p.model, p.runs AS rests_on_runs, p.median_s, p.quantile, p.quantile_s,
	r.run_id, r.job_id, r.started_at, r.ended_at, r.state::text AS state,
	o.runtime_s,
	100 * abs(p.median_s - o.completed_s) / nullif(o.completed_s, 0)
		AS error_pct,
	o.completed_s <= p.quantile_s AS covered
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id
LEFT JOIN predict.runs r ON r.prediction_id = p.prediction_id
	AND r.cluster_id = p.cluster_id
LEFT JOIN LATERAL (
	SELECT x.runtime_s,
		CASE r.state WHEN 'COMPLETED' THEN x.runtime_s END
			AS completed_s
	FROM (SELECT extract(epoch FROM r.ended_at - r.started_at)
		::double precision AS runtime_s) x
) o ON true;
COMMENT ON VIEW predict.prediction_outcomes IS
	'What was predicted and what happened; error_pct and covered are NULL '
	'unless the run completed.';

CREATE VIEW predict.accuracy_by_model AS
WITH answers AS (
	SELECT '(chosen)' AS model, o.median_s, o.runtime_s, o.covered
	FROM predict.prediction_outcomes o
	WHERE o.state = 'COMPLETED' AND o.basis = 'history'
	UNION ALL
	SELECT k.model, k.median_s, o.runtime_s, NULL
	FROM predict.prediction_outcomes o
	JOIN predict.prediction_candidates k
		ON k.prediction_id = o.prediction_id
	WHERE o.state = 'COMPLETED'
)
SELECT model, count(*) AS runs,
	100 * sum(abs(median_s - runtime_s)) / nullif(sum(runtime_s), 0)
		AS error_pct,
	100 * percentile_cont(0.5) WITHIN GROUP (ORDER BY
		abs(median_s - runtime_s) / nullif(runtime_s, 0))
		AS median_error_pct,
	100 * avg(covered::integer)::double precision AS covered_pct
FROM answers
WHERE median_s IS NOT NULL AND runtime_s IS NOT NULL
GROUP BY model
ORDER BY model;
COMMENT ON VIEW predict.accuracy_by_model IS
	'How right each model has been, and the one that was chosen each time.';

CREATE VIEW predict.accuracy_by_application AS
SELECT cluster, application, count(*) AS runs,
	100 * sum(abs(median_s - runtime_s)) / nullif(sum(runtime_s), 0)
		AS error_pct,
	percentile_cont(0.5) WITHIN GROUP (ORDER BY error_pct)
		AS median_error_pct,
	100 * avg(covered::integer)::double precision AS covered_pct,
	max(ended_at) AS last_ended_at
FROM predict.prediction_outcomes
WHERE state = 'COMPLETED' AND basis = 'history' AND median_s IS NOT NULL
GROUP BY cluster, application
ORDER BY runs DESC, cluster, application;
COMMENT ON VIEW predict.accuracy_by_application IS
	'How right the predictions from history have been, per application.';

CREATE VIEW predict.accuracy_by_month AS
SELECT cluster, date_trunc('month', ended_at AT TIME ZONE 'UTC')::date
		AS month,
	count(*) AS runs,
	100 * sum(abs(median_s - runtime_s)) / nullif(sum(runtime_s), 0)
		AS error_pct,
	percentile_cont(0.5) WITHIN GROUP (ORDER BY error_pct)
		AS median_error_pct,
	100 * avg(covered::integer)::double precision AS covered_pct
FROM predict.prediction_outcomes
WHERE state = 'COMPLETED' AND basis = 'history' AND median_s IS NOT NULL
GROUP BY 1, 2
ORDER BY 2 DESC, 1;
COMMENT ON VIEW predict.accuracy_by_month IS
	'How right the predictions from history have been, per month (UTC).';

CREATE VIEW predict.recent_runs AS
SELECT d.ended_at, d.cluster, d.job_id, d.user_name, d.application,
	d.node_list, d.state, d.runtime_s, p.median_s AS predicted_s, p.model
FROM predict.run_details d
LEFT JOIN predict.predictions p ON p.prediction_id = d.prediction_id
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
LEFT JOIN predict.predictions p ON p.prediction_id = d.prediction_id
WHERE d.state = 'RUNNING'
ORDER BY d.started_at;
COMMENT ON VIEW predict.running IS 'Runs whose end has not been reported.';

CREATE VIEW predict.node_load_now AS
SELECT c.name AS cluster, n.name AS node, m.measured_at, m.cpu_load,
	m.cpu_available, m.memory_available_mb,
	extract(epoch FROM now() - m.measured_at)::double precision AS age_s
FROM predict.nodes n
JOIN predict.clusters c ON c.cluster_id = n.cluster_id
JOIN LATERAL (
	SELECT x.measured_at, x.cpu_load, x.cpu_available,
		x.memory_available_mb
	FROM predict.measurements x
	WHERE x.node_id = n.node_id
		AND x.measured_at > now() - interval '1 day'
	ORDER BY x.measured_at DESC
	LIMIT 1
) m ON true
ORDER BY c.name, n.name;
COMMENT ON VIEW predict.node_load_now IS
	'The newest measurement of each node that measured within a day.';
