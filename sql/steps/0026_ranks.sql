-- 0026_ranks.sql - processes of MPI programs, by which farms are recognised
--
-- Which program is a farm is decided when rows are read, so that what is
-- learned later counts for old runs, too.

ALTER TABLE predict.run_profiles
	ADD COLUMN ranks bigint[],
	ADD COLUMN rank_counts bigint[],
	ADD COLUMN rank_peers integer[],
	ADD COLUMN rank_messages double precision[],
	ADD COLUMN rank_bytes double precision[],
	ADD COLUMN rank_peer_messages double precision[],
	ADD COLUMN rank_peer_bytes double precision[],
	ADD COLUMN rank_asked_any double precision[],
	ADD COLUMN rank_own_s double precision[],
	ADD COLUMN rank_tasks double precision[],
	ADD COLUMN rank_tasks_s double precision[],
	ADD COLUMN rank_tasks_s2 double precision[];
COMMENT ON COLUMN predict.run_profiles.ranks IS
	'Processes of an MPI program on the node, in the order of what follows.';
COMMENT ON COLUMN predict.run_profiles.rank_counts IS
	'How many processes the numbers of each are sums over: those that '
	'send most messages to the same one, where there are many.';
COMMENT ON COLUMN predict.run_profiles.rank_peers IS
	'The rank that each sent most messages to; its own: it sent none.';
COMMENT ON COLUMN predict.run_profiles.rank_messages IS
	'Messages that each sent.';
COMMENT ON COLUMN predict.run_profiles.rank_bytes IS
	'Bytes in these.';
COMMENT ON COLUMN predict.run_profiles.rank_peer_messages IS
	'Messages that each sent to that rank.';
COMMENT ON COLUMN predict.run_profiles.rank_peer_bytes IS
	'Bytes in these.';
COMMENT ON COLUMN predict.run_profiles.rank_asked_any IS
	'Receives of each from whoever was first.';
COMMENT ON COLUMN predict.run_profiles.rank_own_s IS
	'CPU seconds of each outside of MPI.';
COMMENT ON COLUMN predict.run_profiles.rank_tasks IS
	'How often each worked between a message from that rank and the next '
	'one to it.';
COMMENT ON COLUMN predict.run_profiles.rank_tasks_s IS
	'CPU seconds of that.';
COMMENT ON COLUMN predict.run_profiles.rank_tasks_s2 IS
	'Sum of the squares of these.';

-- As it was, with the new columns at the end; rows from before have no ranks.
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
	p.cpu_left,
	coalesce(p.ranks, '{}') AS ranks,
	coalesce(p.rank_counts, '{}') AS rank_counts,
	coalesce(p.rank_peers, '{}') AS rank_peers,
	coalesce(p.rank_messages, '{}') AS rank_messages,
	coalesce(p.rank_bytes, '{}') AS rank_bytes,
	coalesce(p.rank_peer_messages, '{}') AS rank_peer_messages,
	coalesce(p.rank_peer_bytes, '{}') AS rank_peer_bytes,
	coalesce(p.rank_asked_any, '{}') AS rank_asked_any,
	coalesce(p.rank_own_s, '{}') AS rank_own_s,
	coalesce(p.rank_tasks, '{}') AS rank_tasks,
	coalesce(p.rank_tasks_s, '{}') AS rank_tasks_s,
	coalesce(p.rank_tasks_s2, '{}') AS rank_tasks_s2
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
