-- 0027_traces.sql - what each process of a run did, message by message
--
-- A trace is one MPI run of a job; it comes in blocks, as the files of its
-- processes grow, deflated by the nodes.  Kept are the newest two of each user's
-- application and size, and no more bytes than the quota: of the user who has
-- most, the oldest go first.  A dropped trace stays as a row without blocks for
-- some weeks, so that blocks which come late do not begin it again.

CREATE TABLE predict.traces (
	trace_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	cluster_id integer NOT NULL REFERENCES predict.clusters,
	job_id     bigint NOT NULL,
	mpi_run    text NOT NULL CHECK (length(mpi_run) BETWEEN 1 AND 16),
	user_id    bigint NOT NULL,
	ranks      integer NOT NULL CHECK (ranks BETWEEN 1 AND 4096),
	ranks_done integer NOT NULL DEFAULT 0,
	begun_at   timestamptz NOT NULL DEFAULT now(),
	raw_bytes  bigint NOT NULL DEFAULT 0,
	bytes      bigint NOT NULL DEFAULT 0,
	dropped    boolean NOT NULL DEFAULT false,
	UNIQUE (cluster_id, job_id, mpi_run)
);
COMMENT ON TABLE predict.traces IS
	'One row for each MPI run that was traced, under way or finished.';
COMMENT ON COLUMN predict.traces.trace_id IS 'Grows with time.';
COMMENT ON COLUMN predict.traces.cluster_id IS 'Cluster of the job.';
COMMENT ON COLUMN predict.traces.job_id IS 'Slurm''s job id.';
COMMENT ON COLUMN predict.traces.user_id IS 'Whose job it is.';
COMMENT ON COLUMN predict.traces.mpi_run IS
	'The same in all processes of one MPI run of the job.';
COMMENT ON COLUMN predict.traces.ranks IS 'Processes of the MPI run.';
COMMENT ON COLUMN predict.traces.ranks_done IS
	'Those of which all blocks are here.';
COMMENT ON COLUMN predict.traces.begun_at IS 'When its first block came.';
COMMENT ON COLUMN predict.traces.raw_bytes IS 'Of all blocks, inflated.';
COMMENT ON COLUMN predict.traces.bytes IS 'Of all blocks, as stored.';
COMMENT ON COLUMN predict.traces.dropped IS
	'Its blocks made room for newer ones.';

CREATE TABLE predict.trace_blocks (
	trace_id  bigint NOT NULL REFERENCES predict.traces ON DELETE CASCADE,
	rank      integer NOT NULL CHECK (rank BETWEEN 0 AND 4095),
	block     integer NOT NULL CHECK (block BETWEEN 0 AND 256),
	node_id   integer NOT NULL REFERENCES predict.nodes,
	last      boolean NOT NULL,
	raw_bytes integer NOT NULL CHECK (raw_bytes BETWEEN 0 AND 65536),
	checksum  bigint NOT NULL,
	data      bytea NOT NULL,
	PRIMARY KEY (trace_id, rank, block)
);
ALTER TABLE predict.trace_blocks ALTER data SET STORAGE EXTERNAL;
COMMENT ON TABLE predict.trace_blocks IS
	'The file of each process, in blocks of 64 KiB.';
COMMENT ON COLUMN predict.trace_blocks.trace_id IS 'Of which trace.';
COMMENT ON COLUMN predict.trace_blocks.rank IS 'The process.';
COMMENT ON COLUMN predict.trace_blocks.block IS 'Its place, from 0 on.';
COMMENT ON COLUMN predict.trace_blocks.node_id IS 'Where the process ran.';
COMMENT ON COLUMN predict.trace_blocks.last IS 'No block follows.';
COMMENT ON COLUMN predict.trace_blocks.raw_bytes IS 'Bytes, inflated.';
COMMENT ON COLUMN predict.trace_blocks.checksum IS 'CRC-32 of these.';
COMMENT ON COLUMN predict.trace_blocks.data IS
	'Deflated (zlib), in the format of predictor/replay/FORMAT.md.';

-- The newest attempt of a job is the one that was traced.
CREATE VIEW predict.trace_details AS
SELECT t.trace_id, c.name AS cluster, t.job_id, t.mpi_run, t.user_id,
	a.name AS application, r.nodes, t.ranks, t.ranks_done,
	t.ranks_done = t.ranks AS complete, t.begun_at, t.raw_bytes, t.bytes,
	t.dropped, r.run_id, r.cpus, r.started_at, r.ended_at
FROM predict.traces t
JOIN predict.clusters c ON c.cluster_id = t.cluster_id
LEFT JOIN LATERAL (
	SELECT x.* FROM predict.runs x
	WHERE x.cluster_id = t.cluster_id AND x.job_id = t.job_id
	AND x.user_id = t.user_id
	ORDER BY x.started_at DESC LIMIT 1
) r ON true
LEFT JOIN predict.applications a ON a.application_id = r.application_id;
COMMENT ON VIEW predict.trace_details IS
	'Traces with the application and the size of their runs.';

-- One at a time; with the rights of the schema's owner, as predictd may delete
-- nothing itself.
CREATE FUNCTION predict.thin_traces(quota bigint) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	gone bigint[];
BEGIN
	WITH finished AS (
		SELECT d.trace_id, row_number() OVER (PARTITION BY d.cluster,
			d.user_id, d.application, d.nodes, d.ranks
			ORDER BY d.trace_id DESC) AS place
		FROM predict.trace_details d
		WHERE NOT d.dropped AND d.application IS NOT NULL
		AND (d.complete OR d.ended_at IS NOT NULL)
	), kept AS (
		SELECT t.trace_id, t.bytes, sum(t.bytes) OVER (
			PARTITION BY t.user_id ORDER BY t.trace_id DESC) AS used
		FROM predict.traces t
		WHERE NOT t.dropped AND t.trace_id NOT IN
			(SELECT f.trace_id FROM finished f WHERE f.place > 2)
	), summed AS (
		SELECT k.trace_id, sum(k.bytes) OVER (
			ORDER BY k.used, k.trace_id DESC) AS used FROM kept k
	)
	SELECT array_agg(x.trace_id) INTO gone FROM (
		SELECT f.trace_id FROM finished f WHERE f.place > 2
		UNION ALL SELECT s.trace_id FROM summed s WHERE s.used > quota
	) x;
	DELETE FROM predict.trace_blocks WHERE trace_id = ANY (gone);
	UPDATE predict.traces SET dropped = true, bytes = 0, raw_bytes = 0
		WHERE trace_id = ANY (gone);
	DELETE FROM predict.traces
		WHERE dropped AND begun_at < now() - interval '30 days';
END $$;
COMMENT ON FUNCTION predict.thin_traces(bigint) IS
	'Drop all but the newest two traces of each user''s application and '
	'size, and what is above the quota.';

-- A block that is there already changes nothing.  Another one in its place is of
-- another attempt of the job, whose trace replaces that of the one before.
CREATE FUNCTION predict.put_trace_block(cluster text, job bigint, run text,
	uid bigint, of_ranks integer, of_rank integer, node text,
	number integer, is_last boolean, raw integer, crc bigint, content bytea,
	quota bigint) RETURNS boolean
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	cluster_number integer;
	node_number    integer;
	t              predict.traces;
	old            bigint;
BEGIN
	PERFORM pg_advisory_xact_lock(7361, 5);
	INSERT INTO predict.clusters (name) SELECT cluster WHERE NOT EXISTS
		(SELECT FROM predict.clusters c WHERE c.name = cluster)
		ON CONFLICT DO NOTHING;
	SELECT c.cluster_id INTO STRICT cluster_number
		FROM predict.clusters c WHERE c.name = cluster;
	INSERT INTO predict.nodes (cluster_id, name)
		SELECT cluster_number, node WHERE NOT EXISTS
		(SELECT FROM predict.nodes n WHERE n.cluster_id = cluster_number
		AND n.name = node) ON CONFLICT DO NOTHING;
	SELECT n.node_id INTO STRICT node_number FROM predict.nodes n
		WHERE n.cluster_id = cluster_number AND n.name = node;

	SELECT x.* INTO t FROM predict.traces x WHERE x.job_id = job
		AND x.cluster_id = cluster_number AND x.mpi_run = run;
	IF t.dropped THEN
		RETURN false;
	END IF;
	SELECT b.checksum INTO old FROM predict.trace_blocks b
		WHERE b.trace_id = t.trace_id AND b.rank = of_rank
		AND b.block = number;
	IF old = crc AND t.user_id = uid AND t.ranks = of_ranks THEN
		RETURN true;
	END IF;
	IF old IS NOT NULL OR t.user_id <> uid OR t.ranks <> of_ranks THEN
		DELETE FROM predict.traces x WHERE x.trace_id = t.trace_id;
		t := NULL;
	END IF;
	IF t.trace_id IS NULL THEN
		INSERT INTO predict.traces (cluster_id, job_id, mpi_run, user_id,
			ranks) VALUES (cluster_number, job, run, uid, of_ranks)
			RETURNING * INTO t;
	END IF;
	INSERT INTO predict.trace_blocks VALUES (t.trace_id, of_rank, number,
		node_number, is_last, raw, crc, content);
	UPDATE predict.traces SET bytes = bytes + length(content),
		raw_bytes = raw_bytes + raw,
		ranks_done = ranks_done + is_last::integer
		WHERE trace_id = t.trace_id;
	PERFORM predict.thin_traces(quota);
	RETURN NOT (SELECT x.dropped FROM predict.traces x
		WHERE x.trace_id = t.trace_id);
END $$;
COMMENT ON FUNCTION predict.put_trace_block(text, bigint, text, bigint, integer,
	integer, text, integer, boolean, integer, bigint, bytea, bigint) IS
	'Store a block of a trace; whether its trace is kept.';

REVOKE ALL ON FUNCTION predict.thin_traces(bigint),
	predict.put_trace_block(text, bigint, text, bigint, integer, integer,
		text, integer, boolean, integer, bigint, bytea, bigint)
	FROM PUBLIC;
