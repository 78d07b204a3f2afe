-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0023_extrapolated.sql - predictions outside of the runs, limits below them
--
-- Rows from before do not say.

ALTER TABLE predict.predictions
	ADD COLUMN extrapolated integer NOT NULL DEFAULT 0
		CHECK (extrapolated IN (0, 1)),
	ADD COLUMN similar_runs bigint NOT NULL DEFAULT 0,
	ADD COLUMN over_limit bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN predict.predictions.extrapolated IS
	'1: the number of nodes or tasks, or a parameter, is outside of all runs '
	'of the application.';
COMMENT ON COLUMN predict.predictions.similar_runs IS
	'The newest runs of the same application, size and parameters, a count '
	'of at most 32.';
COMMENT ON COLUMN predict.predictions.over_limit IS
	'How many of these took longer than limit_s.';

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
	p.extrapolated, p.similar_runs, p.over_limit
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
