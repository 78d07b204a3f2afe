-- 0018_requests.sql - what else jobs ask for: QOS, features of nodes, GPUs
--
-- Rows from before do not say; an empty text is "not given, or not known".

ALTER TABLE predict.runs
	ADD COLUMN qos text NOT NULL DEFAULT '' CHECK (length(qos) < 64),
	ADD COLUMN features text NOT NULL DEFAULT ''
		CHECK (length(features) < 128),
	ADD COLUMN gres text NOT NULL DEFAULT '' CHECK (length(gres) < 128);
COMMENT ON COLUMN predict.runs.qos IS 'Quality of service.';
COMMENT ON COLUMN predict.runs.features IS
	'Features of nodes asked for, as --constraint has them.';
COMMENT ON COLUMN predict.runs.gres IS
	'Generic resources asked for over all nodes, as in gpu:a100:8,shard:4.';

ALTER TABLE predict.predictions
	ADD COLUMN qos text NOT NULL DEFAULT '' CHECK (length(qos) < 64),
	ADD COLUMN features text NOT NULL DEFAULT ''
		CHECK (length(features) < 128),
	ADD COLUMN gres text NOT NULL DEFAULT '' CHECK (length(gres) < 128);
COMMENT ON COLUMN predict.predictions.qos IS
	'Quality of service asked for.';
COMMENT ON COLUMN predict.predictions.features IS
	'Features of nodes asked for, as --constraint has them.';
COMMENT ON COLUMN predict.predictions.gres IS
	'Generic resources asked for over all nodes, as in gpu:a100:8,shard:4.';

-- As they were, with the new columns at the end.
CREATE OR REPLACE VIEW predict.run_details AS
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
	r.parameter_names, r.parameter_values, r.import_id,
	r.qos, r.features, r.gres
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id;

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
	p.rejected_nodes, p.rejected_s, p.qos, p.features, p.gres
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
