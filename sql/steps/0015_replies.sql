-- 0015_replies.sql - which messages are replies
--
-- Only the MPI library tells; rows of packets, and those from before, do not.

ALTER TABLE predict.run_profiles
	ADD COLUMN peer_replies double precision[],
	ADD CHECK (cardinality(peer_replies) = cardinality(peer_names));
COMMENT ON COLUMN predict.run_profiles.peer_replies IS
	'Of the messages to each, those that were sent because one of it had '
	'come, not because work was done; NULL: not known.';

-- As it was, with the new column at the end.
CREATE OR REPLACE VIEW predict.profile_details AS
SELECT c.name AS cluster, p.job_id, p.started_at, n.name AS node, p.ended_at,
	p.source, p.tasks, p.busy_s, p.ready_s, p.idle_s, p.spinning_s,
	p.busy_phase_s, p.idle_phase_s, p.cpu_available, p.cpu_speed, p.mpi_s,
	p.mpi_cpu_s, p.missed_bytes, p.peer_names, p.peer_messages,
	p.peer_bytes, p.peer_bandwidths_bps, p.peer_latencies_s, p.peer_count,
	p.change, r.run_id,
	-- For rows from before: a list as long as the others.
	CASE WHEN p.peer_names IS NOT NULL THEN coalesce(p.peer_replies,
		array_fill(NULL::double precision,
			ARRAY[cardinality(p.peer_names)])) END AS peer_replies
FROM predict.run_profiles p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.nodes n ON n.node_id = p.node_id
LEFT JOIN LATERAL (
	SELECT x.run_id FROM predict.runs x
	WHERE x.cluster_id = p.cluster_id AND x.job_id = p.job_id
	ORDER BY least(p.ended_at, coalesce(x.ended_at, 'infinity'))
		- greatest(p.started_at, x.started_at) DESC
	LIMIT 1
) r ON true;
