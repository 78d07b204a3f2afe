-- 0016_long_messages.sql - which messages are long
--
-- Rows from before do not tell.

ALTER TABLE predict.run_profiles
	ADD COLUMN peer_long_messages double precision[],
	ADD CHECK (cardinality(peer_long_messages) = cardinality(peer_names));
COMMENT ON COLUMN predict.run_profiles.peer_long_messages IS
	'Of the messages to each, those of 64 KiB and more, of which a first part '
	'is sent, and the rest once the receiver takes it; NULL: not known.';

-- As it was, with the new column at the end.
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
		END AS peer_long_messages
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
