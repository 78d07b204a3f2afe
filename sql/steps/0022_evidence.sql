-- 0022_evidence.sql - whose runs predictions rest on
--
-- Rows from before do not say.

ALTER TABLE predict.predictions
	ADD COLUMN evidence_level text NOT NULL DEFAULT 'none'
		CHECK (evidence_level IN
			('none', 'site', 'user', 'application')),
	ADD COLUMN evidence_runs bigint NOT NULL DEFAULT 0,
	ADD COLUMN own_runs bigint NOT NULL DEFAULT 0,
	ADD COLUMN judged bigint NOT NULL DEFAULT 0,
	ADD COLUMN held bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN predict.predictions.evidence_level IS
	'Whose runs it rests on.  application: this user''s of this application, '
	'or other users'' of it with the same parameters; user: this user''s of '
	'other applications; site: other users'' only; none, or not recorded.';
COMMENT ON COLUMN predict.predictions.evidence_runs IS
	'Finished runs at that level, a count.';
COMMENT ON COLUMN predict.predictions.own_runs IS
	'Completed runs of this user and application, a count.';
COMMENT ON COLUMN predict.predictions.judged IS
	'Of the last predictions for this user and application, those whose runs '
	'had ended, a count.';
COMMENT ON COLUMN predict.predictions.held IS
	'How many of these runs completed within their quantile.';

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
	p.evidence_level, p.evidence_runs, p.own_runs, p.judged, p.held
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
