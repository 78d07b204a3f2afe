-- 0009_links.sql - links between nodes; measurements become thinner with age
--
-- What was measured is kept as it was for MeasurementsKeepDays.  Meanwhile means
-- are made of it, a slice at a time: over five minutes, kept for a year, and
-- over hours, kept for ten.  What arrives more than an hour late is not in the
-- means.

ALTER TABLE predict.measurements
	ADD cpu_available_now double precision,
	ADD cpu_correction    double precision,
	ADD cpu_speed         double precision;
COMMENT ON COLUMN predict.measurements.cpu_available IS
	'Share of a CPU that a new process would get, 0 to 1, were there no '
	'jobs of Slurm on the node.';
COMMENT ON COLUMN predict.measurements.cpu_available_now IS
	'The same beside the jobs that were there.';
COMMENT ON COLUMN predict.measurements.cpu_correction IS
	'Factor in both of what a probe got to what was expected.';
COMMENT ON COLUMN predict.measurements.cpu_speed IS
	'Speed of a CPU relative to a fixed reference.';

-- --- Links --------------------------------------------------------------------

CREATE TABLE predict.link_measurements (
	from_node_id  integer NOT NULL REFERENCES predict.nodes,
	to_node_id    integer NOT NULL REFERENCES predict.nodes,
	measured_at   timestamptz NOT NULL,
	bandwidth_bps double precision,
	latency_s     double precision,
	utilisation   double precision,
	PRIMARY KEY (from_node_id, to_node_id, measured_at)
) PARTITION BY RANGE (measured_at);
CREATE INDEX link_measurements_time ON predict.link_measurements
	USING brin (measured_at);
COMMENT ON TABLE predict.link_measurements IS
	'State of the ways between nodes, kept for MeasurementsKeepDays; NULL: '
	'not measured.';
COMMENT ON COLUMN predict.link_measurements.from_node_id IS
	'The node that sends.';
COMMENT ON COLUMN predict.link_measurements.to_node_id IS
	'The node that receives.';
COMMENT ON COLUMN predict.link_measurements.measured_at IS
	'When, by the clock of the node that sends.';
COMMENT ON COLUMN predict.link_measurements.bandwidth_bps IS
	'Bits of payload per second that a new TCP stream gets.';
COMMENT ON COLUMN predict.link_measurements.latency_s IS
	'Seconds there and back.';
COMMENT ON COLUMN predict.link_measurements.utilisation IS
	'Share of the sender''s interface in use by others, 0 to 1.';

CREATE VIEW predict.links_now AS
SELECT DISTINCT ON (c.name, f.name, t.name) c.name AS cluster,
	f.name AS from_node, t.name AS to_node, m.measured_at,
	m.bandwidth_bps, m.latency_s, m.utilisation,
	extract(epoch FROM now() - m.measured_at)::double precision AS age_s
FROM predict.link_measurements m
JOIN predict.nodes f ON f.node_id = m.from_node_id
JOIN predict.nodes t ON t.node_id = m.to_node_id
JOIN predict.clusters c ON c.cluster_id = f.cluster_id
WHERE m.measured_at > now() - interval '6 hours'
ORDER BY c.name, f.name, t.name, m.measured_at DESC;
COMMENT ON VIEW predict.links_now IS
	'The newest measurement of each link that was measured within six '
	'hours.';

-- --- Means --------------------------------------------------------------------

CREATE TABLE predict.measurements_5min (
	node_id             integer NOT NULL REFERENCES predict.nodes,
	began_at            timestamptz NOT NULL,
	samples             bigint NOT NULL,
	cpu_load            double precision,
	cpu_available       double precision,
	cpu_available_now   double precision,
	cpu_speed           double precision,
	memory_available_mb double precision,
	PRIMARY KEY (node_id, began_at)
) PARTITION BY RANGE (began_at);
CREATE INDEX measurements_5min_time ON predict.measurements_5min
	USING brin (began_at);
CREATE TABLE predict.measurements_hourly (
	LIKE predict.measurements_5min INCLUDING INDEXES
) PARTITION BY RANGE (began_at);
ALTER TABLE predict.measurements_hourly
	ADD FOREIGN KEY (node_id) REFERENCES predict.nodes;
CREATE TABLE predict.link_measurements_hourly (
	from_node_id  integer NOT NULL REFERENCES predict.nodes,
	to_node_id    integer NOT NULL REFERENCES predict.nodes,
	began_at      timestamptz NOT NULL,
	samples       bigint NOT NULL,
	bandwidth_bps double precision,
	latency_s     double precision,
	utilisation   double precision,
	PRIMARY KEY (from_node_id, to_node_id, began_at)
) PARTITION BY RANGE (began_at);

COMMENT ON TABLE predict.measurements_5min IS
	'Means of measurements over five minutes, kept for a year.';
COMMENT ON TABLE predict.measurements_hourly IS
	'Means of measurements over hours, kept for ten years.';
COMMENT ON TABLE predict.link_measurements_hourly IS
	'Means of measurements of links over hours, kept for ten years.';
DO $$
DECLARE
	name text;
	described record;
BEGIN
	FOREACH name IN ARRAY ARRAY['measurements_5min', 'measurements_hourly',
			'link_measurements_hourly'] LOOP
		FOR described IN SELECT * FROM (VALUES
			('node_id', 'The node.'),
			('from_node_id', 'The node that sends.'),
			('to_node_id', 'The node that receives.'),
			('began_at', 'When the span began.'),
			('samples', 'Measurements in it, a count.'),
			('cpu_load', 'Mean, as in measurements.'),
			('cpu_available', 'Mean, as in measurements.'),
			('cpu_available_now', 'Mean, as in measurements.'),
			('cpu_speed', 'Mean, as in measurements.'),
			('memory_available_mb', 'Mean, as in measurements.'),
			('bandwidth_bps', 'Mean, as in link_measurements.'),
			('latency_s', 'Mean, as in link_measurements.'),
			('utilisation', 'Mean, as in link_measurements.')
			) c (attname, told) JOIN pg_attribute a
			USING (attname)
			WHERE a.attrelid = ('predict.' || name)::regclass
		LOOP
			EXECUTE format('COMMENT ON COLUMN predict.%I.%I IS %L',
				name, described.attname, described.told);
		END LOOP;
	END LOOP;
END $$;

CREATE TABLE predict.thinned (
	means    text PRIMARY KEY,
	until_at timestamptz NOT NULL
);
COMMENT ON TABLE predict.thinned IS 'How far means have been made.';
COMMENT ON COLUMN predict.thinned.means IS 'Table of the means.';
COMMENT ON COLUMN predict.thinned.until_at IS
	'All that was measured before is in them.';

-- --- Partitions -----------------------------------------------------------------

CREATE FUNCTION predict.create_partition(parent text, suffix text,
		first date, next date) RETURNS integer
	LANGUAGE plpgsql
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF to_regclass('predict.' || parent || suffix) IS NOT NULL THEN
		RETURN 0;
	END IF;
	EXECUTE format('CREATE TABLE predict.%I PARTITION OF predict.%I '
		'FOR VALUES FROM (%L) TO (%L)', parent || suffix, parent,
		first::text || ' 00:00:00+00', next::text || ' 00:00:00+00');
	RETURN 1;
END $$;
COMMENT ON FUNCTION predict.create_partition(text, text, date, date) IS
	'Create a partition for the days from first up to next, unless it is '
	'there; returns how many.';

CREATE OR REPLACE FUNCTION predict.create_measurement_days(keep_days integer)
	RETURNS integer
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '2s'
AS $$
DECLARE
	today date := (now() AT TIME ZONE 'UTC')::date;
	day   date;
	month date;
	name  text;
	made  integer := 0;
BEGIN
	IF keep_days IS NULL OR keep_days NOT BETWEEN 1 AND 3650 THEN
		RAISE EXCEPTION 'measurements are kept for 1 to 3650 days, '
			'not %', keep_days;
	END IF;
	PERFORM pg_advisory_xact_lock(7361, 2);
	-- Two days ahead: predictd may be away over midnight.
	FOR offset_days IN -keep_days .. 2 LOOP
		day := today + offset_days;
		FOREACH name IN ARRAY ARRAY['measurements',
				'link_measurements'] LOOP
			made := made + predict.create_partition(name,
				'_' || to_char(day, 'YYYYMMDD'), day, day + 1);
		END LOOP;
	END LOOP;
	month := date_trunc('month', today - keep_days);
	WHILE month <= today + 2 LOOP
		FOREACH name IN ARRAY ARRAY['measurements_5min',
				'measurements_hourly',
				'link_measurements_hourly'] LOOP
			made := made + predict.create_partition(name,
				'_' || to_char(month, 'YYYYMM'), month,
				(month + interval '1 month')::date);
		END LOOP;
		month := month + interval '1 month';
	END LOOP;
	RETURN made;
END $$;

-- A day that is not in the means yet stays until it is.
CREATE OR REPLACE FUNCTION predict.drop_measurement_days(keep_days integer)
	RETURNS integer
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '2s'
AS $$
DECLARE
	today   date := (now() AT TIME ZONE 'UTC')::date;
	old     record;
	dropped integer := 0;
BEGIN
	IF keep_days IS NULL OR keep_days NOT BETWEEN 1 AND 3650 THEN
		RAISE EXCEPTION 'measurements are kept for 1 to 3650 days, '
			'not %', keep_days;
	END IF;
	PERFORM pg_advisory_xact_lock(7361, 2);
	FOR old IN SELECT c.relname AS name FROM (VALUES
			('measurements', 'YYYYMMDD', keep_days,
				'measurements_5min'),
			('link_measurements', 'YYYYMMDD', keep_days,
				'link_measurements_hourly'),
			('measurements_5min', 'YYYYMM', 366,
				'measurements_hourly'),
			('measurements_hourly', 'YYYYMM', 3660, NULL),
			('link_measurements_hourly', 'YYYYMM', 3660, NULL)
			) p (parent, pattern, days, means)
		JOIN pg_inherits i
			ON i.inhparent = ('predict.' || p.parent)::regclass
		JOIN pg_class c ON c.oid = i.inhrelid
		LEFT JOIN predict.thinned t ON t.means = p.means
		WHERE c.relname ~ ('^' || p.parent || '_[0-9]{' ||
			length(p.pattern) || '}$')
		AND c.relname < p.parent || '_' || to_char(least(
			today - p.days,
			(t.until_at AT TIME ZONE 'UTC')::date), p.pattern)
		ORDER BY c.relname
	LOOP
		EXECUTE format('DROP TABLE predict.%I', old.name);
		dropped := dropped + 1;
	END LOOP;
	RETURN dropped;
END $$;
COMMENT ON FUNCTION predict.drop_measurement_days(integer) IS
	'Drop the partitions that are older than so many days and in the means, '
	'and means that are too old; returns how many.';

-- --- Making means ---------------------------------------------------------------

CREATE FUNCTION predict.thin_nodes(since timestamptz, until timestamptz)
	RETURNS void LANGUAGE sql
	SET search_path = pg_catalog, pg_temp
AS $$
	INSERT INTO predict.measurements_5min
	SELECT node_id, date_bin('5 minutes', measured_at, 'epoch'),
		count(*), avg(cpu_load), avg(cpu_available),
		avg(cpu_available_now), avg(cpu_speed),
		avg(memory_available_mb)
	FROM predict.measurements
	WHERE measured_at >= since AND measured_at < until
	GROUP BY 1, 2 ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION predict.thin_nodes(timestamptz, timestamptz) IS
	'Make the means over five minutes of a span.';

CREATE FUNCTION predict.thin_nodes_more(since timestamptz, until timestamptz)
	RETURNS void LANGUAGE sql
	SET search_path = pg_catalog, pg_temp
AS $$
	INSERT INTO predict.measurements_hourly
	SELECT node_id, date_bin('1 hour', began_at, 'epoch'), sum(samples),
		avg(cpu_load), avg(cpu_available), avg(cpu_available_now),
		avg(cpu_speed), avg(memory_available_mb)
	FROM predict.measurements_5min
	WHERE began_at >= since AND began_at < until
	GROUP BY 1, 2 ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION predict.thin_nodes_more(timestamptz, timestamptz) IS
	'Make the means over hours of a span.';

CREATE FUNCTION predict.thin_links(since timestamptz, until timestamptz)
	RETURNS void LANGUAGE sql
	SET search_path = pg_catalog, pg_temp
AS $$
	INSERT INTO predict.link_measurements_hourly
	SELECT from_node_id, to_node_id,
		date_bin('1 hour', measured_at, 'epoch'), count(*),
		avg(bandwidth_bps), avg(latency_s), avg(utilisation)
	FROM predict.link_measurements
	WHERE measured_at >= since AND measured_at < until
	GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION predict.thin_links(timestamptz, timestamptz) IS
	'Make the means over hours of a span of measurements of links.';

-- Slices of a quarter of an hour keep each call short, however many nodes there
-- are: at 300 nodes one holds 54,000 rows.
CREATE FUNCTION predict.thin_measurements(keep_days integer) RETURNS integer
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '2s'
AS $$
DECLARE
	level record;
	since timestamptz;
	until timestamptz;
	again integer := 0;
BEGIN
	IF keep_days IS NULL OR keep_days NOT BETWEEN 1 AND 3650 THEN
		RAISE EXCEPTION 'measurements are kept for 1 to 3650 days, '
			'not %', keep_days;
	END IF;
	IF NOT pg_try_advisory_xact_lock(7361, 4) THEN
		RETURN 0; -- somebody else is at it
	END IF;
	FOR level IN SELECT * FROM (VALUES
		(1, 'measurements_5min', interval '15 minutes',
			interval '1 hour'),
		(2, 'measurements_hourly', interval '1 hour',
			interval '2 hours'),
		(3, 'link_measurements_hourly', interval '1 hour',
			interval '1 hour')) l (place, means, slice, lag)
		ORDER BY place
	LOOP
		INSERT INTO predict.thinned VALUES (level.means,
			date_trunc('day', now() - keep_days *
				interval '24 hours', 'UTC'))
			ON CONFLICT DO NOTHING;
		SELECT until_at INTO since FROM predict.thinned
			WHERE means = level.means;
		LOOP
			until := since + level.slice;
			EXIT WHEN until > now() - level.lag;
			IF clock_timestamp() > now() + interval '0.2 s' THEN
				again := again + 1;
				EXIT;
			END IF;
			CASE level.place
			WHEN 1 THEN PERFORM predict.thin_nodes(since, until);
			WHEN 2 THEN PERFORM
				predict.thin_nodes_more(since, until);
			ELSE PERFORM predict.thin_links(since, until);
			END CASE;
			since := until;
		END LOOP;
		UPDATE predict.thinned SET until_at = since
			WHERE means = level.means;
	END LOOP;
	RETURN again;
END $$;
COMMENT ON FUNCTION predict.thin_measurements(integer) IS
	'Make means of what was measured, for about 0.2 s; returns how many '
	'tables of means lag behind.';

REVOKE ALL ON FUNCTION predict.create_partition(text, text, date, date),
	predict.thin_nodes(timestamptz, timestamptz),
	predict.thin_nodes_more(timestamptz, timestamptz),
	predict.thin_links(timestamptz, timestamptz),
	predict.thin_measurements(integer) FROM PUBLIC;
