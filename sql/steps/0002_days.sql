-- 0002_days.sql - a partition of the measurements for each day
--
-- predictd calls these now and then.  They run with the rights of the schema's
-- owner (SECURITY DEFINER), because predictd itself may neither create nor
-- drop a table.  Days are days of UTC, wherever server and clients are.

CREATE FUNCTION predict.create_measurement_days(keep_days integer)
	RETURNS integer
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '2s'
AS $$
DECLARE
	today   date := (now() AT TIME ZONE 'UTC')::date;
	day     date;
	made    integer := 0;
	name    text;
BEGIN
	IF keep_days IS NULL OR keep_days NOT BETWEEN 1 AND 3650 THEN
		RAISE EXCEPTION 'measurements are kept for 1 to 3650 days, '
			'not %', keep_days;
	END IF;
	PERFORM pg_advisory_xact_lock(7361, 2);
	-- Two days ahead: predictd may be away over midnight.
	FOR offset_days IN -keep_days .. 2 LOOP
		day := today + offset_days;
		name := 'measurements_' || to_char(day, 'YYYYMMDD');
		CONTINUE WHEN to_regclass('predict.' || name) IS NOT NULL;
		EXECUTE format(
			'CREATE TABLE predict.%I PARTITION OF '
			'predict.measurements FOR VALUES FROM (%L) TO (%L)',
			name, day::text || ' 00:00:00+00',
			(day + 1)::text || ' 00:00:00+00');
		made := made + 1;
	END LOOP;
	RETURN made;
END $$;
COMMENT ON FUNCTION predict.create_measurement_days(integer) IS
	'Create the missing partitions of the last days and the next two; '
	'returns how many.';

-- Dropping needs the table for itself for a moment; a reader that holds it
-- for longer than the lock timeout makes this fail, to be tried again later,
-- rather than make everybody else wait behind us.
CREATE FUNCTION predict.drop_measurement_days(keep_days integer)
	RETURNS integer
	LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = pg_catalog, pg_temp
	SET lock_timeout = '2s'
AS $$
DECLARE
	today   date := (now() AT TIME ZONE 'UTC')::date;
	name    text;
	dropped integer := 0;
BEGIN
	IF keep_days IS NULL OR keep_days NOT BETWEEN 1 AND 3650 THEN
		RAISE EXCEPTION 'measurements are kept for 1 to 3650 days, '
			'not %', keep_days;
	END IF;
	PERFORM pg_advisory_xact_lock(7361, 2);
	FOR name IN SELECT c.relname FROM pg_inherits i
		JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = 'predict.measurements'::regclass
		AND c.relname ~ '^measurements_[0-9]{8}$'
		AND c.relname < 'measurements_' ||
			to_char(today - keep_days, 'YYYYMMDD')
		ORDER BY c.relname
	LOOP
		EXECUTE format('DROP TABLE predict.%I', name);
		dropped := dropped + 1;
	END LOOP;
	RETURN dropped;
END $$;
COMMENT ON FUNCTION predict.drop_measurement_days(integer) IS
	'Drop the partitions that are older than so many days; returns how many.';

REVOKE ALL ON FUNCTION predict.create_measurement_days(integer),
	predict.drop_measurement_days(integer) FROM PUBLIC;
