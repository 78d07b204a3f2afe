-- SPDX-License-Identifier: GPL-2.0-or-later
-- traces.sql - statements that store and read traces
--
-- What is known of a traced run beside its events: application and time from
-- the run, nodes from its profile, else from what was measured meanwhile.

-- @begin trace
SET statement_timeout = '20s';
SET plan_cache_mode = force_custom_plan;

-- $13: the quota.
-- @trace trace_put
SELECT predict.put_trace_block(
	$1::text, $2::int8, $3::text, $4::int8, $5::int4, $6::int4, $7::text,
	$8::int4, $9::bool, $10::int4, $11::int8, decode($12::text, 'base64'),
	$13::int8
)::int4;

-- @part profiles_of_run
FROM predict.run_profiles p
JOIN predict.clusters c ON c.name = d.cluster AND c.cluster_id = p.cluster_id
WHERE p.job_id = d.job_id AND p.ended_at > d.started_at
AND p.started_at < coalesce(d.ended_at, 'infinity') + interval '60 s'

-- @part during_run
m.measured_at BETWEEN d.started_at - interval '1 hour'
AND coalesce(d.ended_at, now())

-- Ranks spin if most of their waiting used the CPU.
-- @trace traces
SELECT d.trace_id, d.cluster, d.job_id,
	coalesce(d.application, '') AS application,
	coalesce((
		SELECT x.user_name FROM predict.runs x
		WHERE x.run_id = d.run_id
	), '') AS user_name,
	extract(epoch FROM coalesce(d.ended_at, now()) - d.started_at)::float8
	AS runtime_s,
	(
		SELECT count(*) FROM predict.traces x
		JOIN predict.clusters c ON c.cluster_id = x.cluster_id
		WHERE c.name = d.cluster AND x.job_id = d.job_id
		AND x.user_id = d.user_id
	)::int4 AS programs,
	coalesce((
		SELECT sum(p.spinning_s) > 0.5 * sum(p.idle_s)
		{profiles_of_run}
	), false)::int4 AS spinning,
	d.ranks
FROM predict.trace_details d
WHERE (
	($4::text IS NULL AND d.job_id = $1::int8)
	OR (d.application = $4::text AND d.ended_at IS NOT NULL)
)
AND ($5::int8 = 0 OR d.ranks = $5::int8) AND NOT d.dropped
AND ($2::text IS NULL OR d.cluster = $2::text)
AND ($3::int8 = 4294967295 OR d.user_id = $3::int8)
ORDER BY d.trace_id DESC LIMIT {STORE_TRACES_MAX};

-- $1: the trace, in this one and those that follow.
-- @trace trace_nodes
SELECT n.name,
	coalesce(d.cpus::float8 / nullif(d.nodes, 0), b.ranks) AS cores,
	coalesce(p.cpu_available, m.cpu_available) AS cpu_available,
	coalesce(p.cpu_speed, m.cpu_speed) AS cpu_speed, m.cpu_turn_s
FROM (
	SELECT x.node_id, count(DISTINCT x.rank)::float8 AS ranks
	FROM predict.trace_blocks x WHERE x.trace_id = $1::int8
	GROUP BY x.node_id
) b
JOIN predict.nodes n ON n.node_id = b.node_id
JOIN predict.trace_details d ON d.trace_id = $1::int8
LEFT JOIN LATERAL (
	SELECT p.cpu_available, p.cpu_speed {profiles_of_run}
	AND p.node_id = b.node_id
	ORDER BY p.ended_at DESC LIMIT 1
) p ON true
LEFT JOIN LATERAL (
	SELECT avg(m.cpu_available) AS cpu_available,
		avg(m.cpu_speed) AS cpu_speed, avg(m.cpu_turn_s) AS cpu_turn_s
	FROM predict.measurements m
	WHERE m.node_id = b.node_id AND {during_run}
) m ON true
ORDER BY n.name;

-- Latencies are measured there and back.
-- @trace trace_links
SELECT f.name AS from_node, t.name AS to_node,
	avg(m.latency_s) / 2 AS latency_s,
	avg(m.bandwidth_bps) AS bandwidth_bps
FROM predict.trace_details d
JOIN predict.link_measurements m ON {during_run}
JOIN predict.nodes f ON f.node_id = m.from_node_id
JOIN predict.nodes t ON t.node_id = m.to_node_id
WHERE d.trace_id = $1::int8
AND m.from_node_id IN (
	SELECT x.node_id FROM predict.trace_blocks x
	WHERE x.trace_id = $1::int8
)
AND m.to_node_id IN (
	SELECT x.node_id FROM predict.trace_blocks x
	WHERE x.trace_id = $1::int8
)
GROUP BY f.name, t.name
HAVING count(m.latency_s) > 0 AND count(m.bandwidth_bps) > 0;

-- The same number of blocks of each rank, at least one.
-- @trace trace_parts
SELECT b.rank, b.block, n.name, b.raw_bytes, b.data
FROM predict.trace_blocks b
JOIN predict.nodes n ON n.node_id = b.node_id
WHERE b.trace_id = $1::int8 AND b.block <= coalesce((
	SELECT max(s.block) FROM (
		SELECT x.block,
			sum(sum(x.raw_bytes)) OVER (ORDER BY x.block) AS used
		FROM predict.trace_blocks x
		WHERE x.trace_id = $1::int8 GROUP BY x.block
	) s
	WHERE s.used <= {STORE_TRACE_BYTES_MAX}
), 0)
ORDER BY b.rank, b.block;
