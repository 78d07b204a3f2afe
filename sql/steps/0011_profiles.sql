-- 0011_profiles.sql - what applications do with CPUs and links
--
-- A row is what one node saw of one run: how busy its tasks were, and what they
-- sent to the run's other nodes.  As a share (run_shares) it may arrive before
-- its run does, and names the job.  Lists of peers lie in arrays, as all that
-- is only read together.

CREATE TABLE predict.run_profiles (
	profile_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	change         bigint NOT NULL,
	cluster_id     integer NOT NULL REFERENCES predict.clusters,
	job_id         bigint NOT NULL,
	node_id        integer NOT NULL REFERENCES predict.nodes,
	started_at     timestamptz NOT NULL,
	ended_at       timestamptz NOT NULL,
	source         integer NOT NULL CHECK (source >= 0),
	tasks          bigint NOT NULL,
	busy_s         double precision,
	ready_s        double precision,
	idle_s         double precision,
	spinning_s     double precision,
	busy_phase_s   double precision,
	idle_phase_s   double precision,
	cpu_available  double precision,
	cpu_speed      double precision,
	mpi_s          double precision,
	mpi_cpu_s      double precision,
	missed_bytes   double precision,
	peer_names           text[],
	peer_messages        double precision[],
	peer_bytes           double precision[],
	peer_bandwidths_bps  double precision[],
	peer_latencies_s     double precision[],
	peer_count     integer NOT NULL CHECK (peer_count >= -1),
	UNIQUE (cluster_id, job_id, node_id, started_at),
	CHECK (cardinality(peer_names) = cardinality(peer_messages)
		AND cardinality(peer_names) = cardinality(peer_bytes))
);
CREATE INDEX run_profiles_change ON predict.run_profiles (change);
COMMENT ON TABLE predict.run_profiles IS
	'What each node saw a run do; the view profiles knows which run.';
COMMENT ON COLUMN predict.run_profiles.profile_id IS 'Number here.';
COMMENT ON COLUMN predict.run_profiles.change IS
	'Number of the change, as in runs.';
COMMENT ON COLUMN predict.run_profiles.cluster_id IS 'Cluster of the node.';
COMMENT ON COLUMN predict.run_profiles.job_id IS 'Slurm''s job id.';
COMMENT ON COLUMN predict.run_profiles.node_id IS 'The node.';
COMMENT ON COLUMN predict.run_profiles.started_at IS
	'First start on the node, by its clock.';
COMMENT ON COLUMN predict.run_profiles.ended_at IS
	'Last end on the node, by its clock.';
COMMENT ON COLUMN predict.run_profiles.source IS
	'Who counted messages: 0 packets, 1 the MPI library.';
COMMENT ON COLUMN predict.run_profiles.tasks IS
	'Processes that did the work; what follows are means over these.';
COMMENT ON COLUMN predict.run_profiles.busy_s IS
	'CPU seconds of computing and of handling messages; here as in what '
	'follows NULL is unknown.';
COMMENT ON COLUMN predict.run_profiles.ready_s IS
	'Seconds in which it would have been busy, but had no CPU.';
COMMENT ON COLUMN predict.run_profiles.idle_s IS
	'All other seconds: asleep, or spinning.';
COMMENT ON COLUMN predict.run_profiles.spinning_s IS
	'CPU seconds of asking for messages that have not come.';
COMMENT ON COLUMN predict.run_profiles.busy_phase_s IS
	'Mean length of a busy phase in seconds.';
COMMENT ON COLUMN predict.run_profiles.idle_phase_s IS
	'Mean length of an idle phase in seconds.';
COMMENT ON COLUMN predict.run_profiles.cpu_available IS
	'Share of a CPU that a process got there just before, 0 to 1.';
COMMENT ON COLUMN predict.run_profiles.cpu_speed IS
	'Speed of its CPUs, relative to a fixed reference.';
COMMENT ON COLUMN predict.run_profiles.mpi_s IS
	'Seconds in MPI, as the library says.';
COMMENT ON COLUMN predict.run_profiles.mpi_cpu_s IS 'CPU seconds of that.';
COMMENT ON COLUMN predict.run_profiles.missed_bytes IS
	'Bytes that were sent, but not seen.';
COMMENT ON COLUMN predict.run_profiles.peer_names IS
	'Other nodes of the run, in the order of what follows.';
COMMENT ON COLUMN predict.run_profiles.peer_messages IS
	'Messages sent to each.';
COMMENT ON COLUMN predict.run_profiles.peer_bytes IS 'Bytes in these.';
COMMENT ON COLUMN predict.run_profiles.peer_bandwidths_bps IS
	'Bits per second of the link to each, just before.';
COMMENT ON COLUMN predict.run_profiles.peer_latencies_s IS
	'Seconds one way to each, just before.';
COMMENT ON COLUMN predict.run_profiles.peer_count IS
	'How many peers there are; -1: messages were not watched.';

CREATE VIEW predict.profile_details AS
SELECT c.name AS cluster, p.job_id, p.started_at, n.name AS node, p.ended_at,
	p.source, p.tasks, p.busy_s, p.ready_s, p.idle_s, p.spinning_s,
	p.busy_phase_s, p.idle_phase_s, p.cpu_available, p.cpu_speed, p.mpi_s,
	p.mpi_cpu_s, p.missed_bytes, p.peer_names, p.peer_messages,
	p.peer_bytes, p.peer_bandwidths_bps, p.peer_latencies_s, p.peer_count,
	p.change, r.run_id
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
COMMENT ON VIEW predict.profile_details IS
	'What each node saw a run do, with names and the run.';

CREATE VIEW predict.profiles AS
SELECT d.run_id, d.cluster, d.job_id, r.application, r.nodes, d.node, d.tasks,
	CASE d.source WHEN 0 THEN 'packets' WHEN 1 THEN 'mpi' END AS source,
	d.busy_s, d.ready_s, d.idle_s, d.spinning_s, d.busy_phase_s,
	d.idle_phase_s, d.cpu_available,
	(SELECT sum(m) FROM unnest(d.peer_messages) m) AS messages,
	(SELECT sum(b) FROM unnest(d.peer_bytes) b) AS bytes
FROM predict.profile_details d
LEFT JOIN predict.run_details r ON r.run_id = d.run_id;
COMMENT ON VIEW predict.profiles IS
	'What each node saw a run do, summed up over its peers.';
