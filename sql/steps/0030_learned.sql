-- SPDX-License-Identifier: GPL-2.0-or-later
-- 0030_learned.sql - what predictions knew; traces found without a walk

-- Rows from before do not say.
ALTER TABLE predict.predictions
	ADD COLUMN seen bigint NOT NULL DEFAULT 0 CHECK (seen >= 0);
COMMENT ON COLUMN predict.predictions.seen IS
	'Changes of runs below this number were known to it; 0: it does not say.';

-- As it was, with the new column at the end.
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
	p.rejected_nodes, p.rejected_s, p.qos, p.features, p.gres,
	p.evidence_level, p.evidence_runs, p.own_runs, p.judged, p.held,
	p.extrapolated, p.similar_runs, p.over_limit, p.traits,
	p.outside, p.unbounded, p.unlike, p.unlike_runs, p.unlike_shortest_s,
	p.unlike_longest_s, p.seen
FROM predict.predictions p
JOIN predict.clusters c ON c.cluster_id = p.cluster_id
JOIN predict.applications a ON a.application_id = p.application_id;

-- --- Traces ------------------------------------------------------------------

-- What a block costs must not grow with the number of traces: those like its
-- own are found by an index, and the sum of all bytes is kept.
ALTER TABLE predict.traces
	ADD COLUMN application_id integer REFERENCES predict.applications,
	ADD COLUMN nodes bigint;
COMMENT ON COLUMN predict.traces.application_id IS
	'Of its run; NULL: not known when its last block came.';
COMMENT ON COLUMN predict.traces.nodes IS 'Of its run, likewise.';
UPDATE predict.traces t SET (application_id, nodes) =
	(SELECT r.application_id, r.nodes FROM predict.runs r
	WHERE r.cluster_id = t.cluster_id AND r.job_id = t.job_id
	AND r.user_id = t.user_id ORDER BY r.started_at DESC LIMIT 1);
CREATE INDEX traces_similar ON predict.traces
	(user_id, application_id, cluster_id, nodes, ranks) WHERE NOT dropped;

CREATE TABLE predict.traces_sum (bytes bigint NOT NULL);
COMMENT ON TABLE predict.traces_sum IS
	'One row, of all traces; it is counted anew each time that traces are '
	'thinned.';
COMMENT ON COLUMN predict.traces_sum.bytes IS 'Of all blocks, as stored.';
INSERT INTO predict.traces_sum
	SELECT coalesce(sum(bytes), 0) FROM predict.traces;

CREATE FUNCTION predict.drop_traces(gone bigint[]) RETURNS void
	LANGUAGE sql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
	UPDATE predict.traces_sum SET bytes = bytes - (SELECT
		coalesce(sum(t.bytes), 0) FROM predict.traces t
		WHERE t.trace_id = ANY (gone));
	DELETE FROM predict.trace_blocks WHERE trace_id = ANY (gone);
	UPDATE predict.traces SET dropped = true, bytes = 0, raw_bytes = 0
		WHERE trace_id = ANY (gone);
$$;
COMMENT ON FUNCTION predict.drop_traces(bigint[]) IS
	'Drop these traces, whose rows stay for some weeks.';

-- As it was, but for the sum.
CREATE OR REPLACE FUNCTION predict.thin_traces(quota bigint) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM predict.drop_traces(coalesce(array_agg(x.trace_id), '{}'))
	FROM (
		WITH finished AS (
			SELECT d.trace_id, row_number() OVER (
				PARTITION BY d.cluster, d.user_id,
				d.application, d.nodes, d.ranks
				ORDER BY d.trace_id DESC) AS place
			FROM predict.trace_details d
			WHERE NOT d.dropped AND d.application IS NOT NULL
			AND (d.complete OR d.ended_at IS NOT NULL)
		), kept AS (
			SELECT t.trace_id, t.bytes, sum(t.bytes) OVER (
				PARTITION BY t.user_id
				ORDER BY t.trace_id DESC) AS used
			FROM predict.traces t
			WHERE NOT t.dropped AND t.trace_id NOT IN
				(SELECT f.trace_id FROM finished f
				WHERE f.place > 2)
		), summed AS (
			SELECT k.trace_id, sum(k.bytes) OVER (
				ORDER BY k.used, k.trace_id DESC) AS used
			FROM kept k
		)
		SELECT f.trace_id FROM finished f WHERE f.place > 2
		UNION ALL SELECT s.trace_id FROM summed s WHERE s.used > quota
	) x;
	DELETE FROM predict.traces
		WHERE dropped AND begun_at < now() - interval '30 days';
	UPDATE predict.traces_sum SET bytes =
		(SELECT coalesce(sum(t.bytes), 0) FROM predict.traces t);
END $$;

-- A block that is there already changes nothing.  Another one in its place is
-- of another attempt of the job, whose trace replaces that of the one before.
-- All traces are walked through when they have too many bytes, then down to a
-- little less, and now and then, as runs may be stored later than their traces.
CREATE OR REPLACE FUNCTION predict.put_trace_block(cluster text, job bigint,
	run text, uid bigint, of_ranks integer, of_rank integer, node text,
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
	is_new         boolean := false;
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
		PERFORM predict.drop_traces(ARRAY[t.trace_id]);
		DELETE FROM predict.traces x WHERE x.trace_id = t.trace_id;
		t := NULL;
	END IF;
	IF t.trace_id IS NULL THEN
		INSERT INTO predict.traces (cluster_id, job_id, mpi_run, user_id,
			ranks) VALUES (cluster_number, job, run, uid, of_ranks)
			RETURNING * INTO t;
		is_new := true;
	END IF;
	INSERT INTO predict.trace_blocks VALUES (t.trace_id, of_rank, number,
		node_number, is_last, raw, crc, content);
	UPDATE predict.traces SET bytes = bytes + length(content),
		raw_bytes = raw_bytes + raw,
		ranks_done = ranks_done + is_last::integer
		WHERE trace_id = t.trace_id;
	UPDATE predict.traces_sum SET bytes = bytes + length(content);
	UPDATE predict.traces x SET application_id = r.application_id,
		nodes = r.nodes
	FROM (SELECT y.application_id, y.nodes FROM predict.runs y
		WHERE y.cluster_id = cluster_number AND y.job_id = job
		AND y.user_id = uid ORDER BY y.started_at DESC LIMIT 1) r
	WHERE x.trace_id = t.trace_id AND (x.application_id, x.nodes)
		IS DISTINCT FROM (r.application_id, r.nodes);

	PERFORM predict.drop_traces(array_agg(o.trace_id)) FROM (
		SELECT o.trace_id FROM predict.traces x JOIN predict.traces o
			ON o.user_id = x.user_id
			AND o.application_id = x.application_id
			AND o.cluster_id = x.cluster_id AND o.nodes = x.nodes
			AND o.ranks = x.ranks AND NOT o.dropped
		WHERE x.trace_id = t.trace_id AND (o.ranks_done = o.ranks OR
			(SELECT y.ended_at FROM predict.runs y
			WHERE y.cluster_id = o.cluster_id
			AND y.job_id = o.job_id AND y.user_id = o.user_id
			ORDER BY y.started_at DESC LIMIT 1) IS NOT NULL)
		ORDER BY o.trace_id DESC OFFSET 2) o HAVING count(*) > 0;
	IF (SELECT s.bytes > quota FROM predict.traces_sum s) THEN
		PERFORM predict.thin_traces(quota - quota / 64);
	ELSIF is_new AND t.trace_id % 256 = 0 THEN
		PERFORM predict.thin_traces(quota);
	END IF;
	RETURN NOT (SELECT x.dropped FROM predict.traces x
		WHERE x.trace_id = t.trace_id);
END $$;

REVOKE ALL ON FUNCTION predict.drop_traces(bigint[]) FROM PUBLIC;
