-- 0013_rejected_sets.sql - the best nodes that a job did not get
--
-- Known at its start, of nodes that were free then.  Rows from before have none.

ALTER TABLE predict.predictions
	ADD COLUMN rejected_nodes text
		CHECK (length(rejected_nodes) BETWEEN 1 AND 1023),
	ADD COLUMN rejected_s double precision CHECK (rejected_s >= 0);
COMMENT ON COLUMN predict.predictions.rejected_nodes IS
	'At the start: the best set of free nodes that the job did not get, a '
	'host list; NULL: not known.';
COMMENT ON COLUMN predict.predictions.rejected_s IS
	'The median run time on these, in seconds; NULL: not known.';

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
	p.rejected_nodes, p.rejected_s
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;
