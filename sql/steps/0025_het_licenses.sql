-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0025_het_licenses.sql - heterogeneous jobs, and licenses that jobs ask for
--
-- Rows from before do not say; an empty text is "none, or not known".

ALTER TABLE predict.runs
	ADD COLUMN het_job_id bigint NOT NULL DEFAULT 0,
	ADD COLUMN het_offset bigint NOT NULL DEFAULT 0,
	ADD COLUMN licenses text NOT NULL DEFAULT ''
		CHECK (octet_length(licenses) < 128);
COMMENT ON COLUMN predict.runs.het_job_id IS
	'Heterogeneous job of which this is a component; 0: none.';
COMMENT ON COLUMN predict.runs.het_offset IS
	'Component of that job, if het_job_id is not 0.';
COMMENT ON COLUMN predict.runs.licenses IS
	'Licenses asked for, as --licenses has them: matlab:2.';

-- As it was, with the new columns at the end.
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
	r.qos, r.features, r.gres, r.traits, r.het_job_id, r.het_offset,
	r.licenses
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id;
