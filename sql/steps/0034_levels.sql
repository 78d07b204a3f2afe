-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0034_levels.sql - what quantiles were before calibration

-- Rows from before do not say.
ALTER TABLE predict.predictions
	ADD COLUMN levels real[] CHECK (cardinality(levels) <= 32);
COMMENT ON COLUMN predict.predictions.levels IS
	'Levels at which calibration read the quantiles for 0.1, 0.25, 0.75, '
	'0.9, 0.95 and 0.99 off the distribution; below 0 and above 1 it was '
	'stretched.  NULL: not known.';

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
	p.unlike_longest_s, p.seen, p.levels
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
