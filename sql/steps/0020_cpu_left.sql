-- 0020_cpu_left.sql - under which conditions a profile was made
--
-- Rows from before have none, and count as disturbed.

ALTER TABLE predict.run_profiles
	ADD COLUMN cpu_left double precision;
COMMENT ON COLUMN predict.run_profiles.cpu_left IS
	'Of the CPU that the tasks could have had during the run, what processes '
	'outside of the job left them, 0 to 1; 1: nothing was shared.';

-- As they were, with the new column at the end.
CREATE OR REPLACE VIEW predict.profile_details AS
SELECT c.name AS cluster, p.job_id, p.started_at, n.name AS node, p.ended_at,
	p.source, p.tasks, p.busy_s, p.ready_s, p.idle_s, p.spinning_s,
	p.busy_phase_s, p.idle_phase_s, p.cpu_available, p.cpu_speed, p.mpi_s,
	p.mpi_cpu_s, p.missed_bytes, p.peer_names, p.peer_messages,
	p.peer_bytes, p.peer_bandwidths_bps, p.peer_latencies_s, p.peer_count,
	p.change, r.run_id,
	-- For rows from before: lists as long as the others.
	CASE WHEN p.peer_names IS NOT NULL THEN
		coalesce(p.peer_replies, u.unknown) END AS peer_replies,
	CASE WHEN p.peer_names IS NOT NULL THEN
		coalesce(p.peer_long_messages, u.unknown)
		END AS peer_long_messages,
	p.cpu_left
FROM predict.run_profiles p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.nodes n ON n.node_id = p.node_id
CROSS JOIN LATERAL (
	SELECT array_fill(NULL::double precision,
		ARRAY[coalesce(cardinality(p.peer_names), 0)]) AS unknown
) u
LEFT JOIN LATERAL (
	SELECT x.run_id FROM predict.runs x
	WHERE x.cluster_id = p.cluster_id AND x.job_id = p.job_id
	ORDER BY least(p.ended_at, coalesce(x.ended_at, 'infinity'))
		- greatest(p.started_at, x.started_at) DESC
	LIMIT 1
) r ON true;

CREATE OR REPLACE VIEW predict.profiles AS
SELECT d.run_id, d.cluster, d.job_id, r.application, r.nodes, d.node, d.tasks,
	CASE d.source WHEN 0 THEN 'packets' WHEN 1 THEN 'mpi' END AS source,
	d.busy_s, d.ready_s, d.idle_s, d.spinning_s, d.busy_phase_s,
	d.idle_phase_s, d.cpu_available,
	(SELECT sum(m) FROM unnest(d.peer_messages) m) AS messages,
	(SELECT sum(b) FROM unnest(d.peer_bytes) b) AS bytes,
	d.cpu_left
FROM predict.profile_details d
LEFT JOIN predict.run_details r ON r.run_id = d.run_id;
