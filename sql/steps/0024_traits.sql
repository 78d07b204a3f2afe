-- 0024_traits.sql - the texts that users gave to applications
--
-- Rows from before do not say; an empty text is "none, or not known".

ALTER TABLE predict.runs
	ADD COLUMN traits text NOT NULL DEFAULT ''
		CHECK (octet_length(traits) < 256);
COMMENT ON COLUMN predict.runs.traits IS
	'Texts that the user gave to the application, by name, as in '
	'dataset=imagenet model=llama.';

ALTER TABLE predict.predictions
	ADD COLUMN traits text NOT NULL DEFAULT ''
		CHECK (octet_length(traits) < 256);
COMMENT ON COLUMN predict.predictions.traits IS
	'Texts that the user gave to the application, by name, as in '
	'dataset=imagenet model=llama.';

-- As they were, with the new column at the end.
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
	r.qos, r.features, r.gres, r.traits
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
	p.rejected_nodes, p.rejected_s, p.qos, p.features, p.gres,
	p.evidence_level, p.evidence_runs, p.own_runs, p.judged, p.held,
	p.extrapolated, p.similar_runs, p.over_limit, p.traits
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
