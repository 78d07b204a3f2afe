-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0042_imported_use.sql - what runs from job logs used

ALTER TABLE predict.runs
	ADD COLUMN used_cpu_s double precision NOT NULL DEFAULT 0
		CHECK (used_cpu_s >= 0),
	ADD COLUMN used_memory_mb double precision NOT NULL DEFAULT 0
		CHECK (used_memory_mb >= 0),
	ADD COLUMN used_energy_j double precision NOT NULL DEFAULT 0
		CHECK (used_energy_j >= 0),
	ADD COLUMN used_gpus double precision NOT NULL DEFAULT 0
		CHECK (used_gpus >= 0);
COMMENT ON COLUMN predict.runs.used_cpu_s IS
	'CPU time as its job log has it; 0: not known, run_shares may have it.';
COMMENT ON COLUMN predict.runs.used_memory_mb IS
	'Peak of memory on a node as its job log has it; 0: not known.';
COMMENT ON COLUMN predict.runs.used_energy_j IS
	'Energy as its job log has it; 0: not known.';
COMMENT ON COLUMN predict.runs.used_gpus IS
	'GPUs that were busy, a mean, as its job log has it; 0: not known.';

-- As they were, but for that; the new columns are at the end.
CREATE OR REPLACE VIEW predict.run_details AS
SELECT r.run_id, r.change, c.name AS cluster, r.job_id, r.array_job_id,
	r.array_task_id, r.user_id, r.user_name, r.account, r.partition,
	r.job_name, r.prediction_id, r.nodes, r.tasks, r.cpus, r.memory_mb,
	r.limit_s, r.node_list, r.submitted_at, r.started_at, r.ended_at,
	r.state::text AS state, r.exit_code, r.exit_signal,
	a.name AS application,
	extract(epoch FROM r.ended_at - r.started_at)::double precision
		- r.suspended_s AS runtime_s,
	r.nodes_known, r.cpu_load, r.cpu_load_max, r.cpu_available,
	r.cpu_available_min, r.bandwidth_bps, r.latency_s,
	r.parameter_names, r.parameter_values, r.import_id,
	r.qos, r.features, r.gres, r.traits, r.het_job_id, r.het_offset,
	r.licenses, r.suspended_s, r.used_cpu_s, r.used_memory_mb,
	r.used_energy_j, r.used_gpus
FROM predict.runs r
JOIN predict.clusters c ON c.cluster_id = r.cluster_id
JOIN predict.applications a ON a.application_id = r.application_id;

-- From its own text, which other steps may have changed.
DO $$
DECLARE
	definition text := pg_get_functiondef('predict.use(text, bigint, text,'
		' text, text, timestamptz, timestamptz, bigint, bigint, bigint)'
		::regprocedure);
	change text[];
BEGIN
	FOREACH change SLICE 1 IN ARRAY ARRAY[
		['r.prediction_id, r.started_at,',
		'r.prediction_id, r.used_cpu_s, r.used_memory_mb, r.started_at,'],
		['CASE WHEN u.count = w.nodes THEN u.cpu_s END AS cpu_s',
		'coalesce(CASE WHEN u.count = w.nodes THEN u.cpu_s END, '
			'nullif(w.used_cpu_s, 0)) AS cpu_s'],
		['CASE WHEN u.count = w.nodes THEN u.peak_mb END AS peak_mb',
		'coalesce(CASE WHEN u.count = w.nodes THEN u.peak_mb END, '
			'nullif(w.used_memory_mb, 0)) AS peak_mb']] LOOP
		IF strpos(definition, change[1]) = 0 THEN
			RAISE EXCEPTION 'predict.use() has no %', change[1];
		END IF;
		definition := replace(definition, change[1], change[2]);
	END LOOP;
	EXECUTE definition;
END $$;
