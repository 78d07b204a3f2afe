-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0041_memory_kinds.sql - the memory of a run on each node, by its kind

ALTER TABLE predict.run_shares
	ADD COLUMN own_memory_mb double precision,
	ADD COLUMN task_memory_mb double precision,
	ADD COLUMN cached_memory_mb double precision;
COMMENT ON COLUMN predict.run_shares.peak_memory_mb IS
	'Most memory that counts in MiB: of own_memory_mb and task_memory_mb, '
	'this without files that were mapped; without a control group the sum '
	'over processes, where shared memory counts again; NULL: unknown.';
COMMENT ON COLUMN predict.run_shares.own_memory_mb IS
	'Greatest sample of anonymous and shared memory of its control group '
	'in MiB; NULL: it had none.';
COMMENT ON COLUMN predict.run_shares.task_memory_mb IS
	'Most resident memory of one process in MiB, files that it had mapped '
	'included; NULL: unknown.';
COMMENT ON COLUMN predict.run_shares.cached_memory_mb IS
	'Most memory of its control group in MiB, with all pages of files that '
	'it read; NULL: unknown, as before Linux 5.19 with groups of v2.';

-- As it was, with the new columns at the end.
CREATE OR REPLACE VIEW predict.run_nodes AS
SELECT r.run_id, c.name AS cluster, s.job_id, n.name AS node, s.started_at,
	s.ended_at,
	extract(epoch FROM s.ended_at - s.started_at)::double precision
		AS runtime_s,
	s.cpu_s, s.peak_memory_mb, s.exit_code, s.exit_signal, s.tasks,
	s.own_memory_mb, s.task_memory_mb, s.cached_memory_mb
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

-- The columns that a function returns cannot be changed: it is made again from
-- its own text, with one more at the end.
DO $$
DECLARE
	signature constant text := 'predict.use(text, bigint, text, text, text,'
		' timestamptz, timestamptz, bigint, bigint, bigint)';
	definition text := pg_get_functiondef(signature::regprocedure);
	change text[];
BEGIN
	FOREACH change SLICE 1 IN ARRAY ARRAY[
		['started_at timestamp with time zone)',
		'started_at timestamp with time zone, '
			'cached_memory_mb double precision)'],
		['max(s.peak_memory_mb) AS peak_mb,',
		'max(s.peak_memory_mb) AS peak_mb, '
			'max(s.cached_memory_mb) AS cached_mb,'],
		['THEN u.peak_mb END AS peak_mb,',
		'THEN u.peak_mb END AS peak_mb, '
			'CASE WHEN u.count = w.nodes THEN u.cached_mb END '
			'AS cached_mb,'],
		['u.imported::integer, u.started_at',
		'u.imported::integer, u.started_at, u.cached_mb']] LOOP
		IF strpos(definition, change[1]) = 0 THEN
			RAISE 'predict.use: no %', change[1];
		END IF;
		definition := replace(definition, change[1], change[2]);
	END LOOP;
	EXECUTE 'DROP FUNCTION ' || signature;
	EXECUTE definition;
END $$;
COMMENT ON FUNCTION predict.use(text, bigint, text, text, text, timestamptz,
	timestamptz, bigint, bigint, bigint) IS
	'What runs used of their limits, CPUs and memory, by application, day, '
	'user or account: the newest runs of each group, and in each row the '
	'sums of its group; shares of what was requested, 0 to 1.';
