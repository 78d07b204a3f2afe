-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0035_limit_chance.sql - how likely a job is to reach its limit

ALTER TABLE predict.predictions ADD COLUMN limit_chance double precision
	CHECK (limit_chance BETWEEN 0 AND 1);
COMMENT ON COLUMN predict.predictions.limit_chance IS
	'The probability, predicted, that it reaches limit_s; NULL: not known.';

-- As it was, with the new column at the end.
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
	p.limit_chance
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
