-- roles.sql - who may do what, with the tables of this version
--
-- predict_daemon  for predictd: adds to the history, ends runs; can neither
--                 delete nor drop any of it.
-- predict_reader  for people and dashboards: reads the views.
--
-- Neither can log in: GRANT predict_daemon TO the user that predictd connects
-- as.  Roles belong to the whole server and need the right to create roles;
-- where the schema's owner lacks it, an administrator creates the two
-- (CREATE ROLE predict_daemon NOLOGIN) and `predictd --migrate` is run again.
--
-- No step: run after the last one, by each migration.

SET search_path = pg_catalog, pg_temp;

DO $$
DECLARE
	role text;
	may_create boolean := (SELECT rolcreaterole OR rolsuper FROM pg_roles
			       WHERE rolname = current_user);
	readable text;
BEGIN
	FOREACH role IN ARRAY ARRAY['predict_daemon', 'predict_reader'] LOOP
		CONTINUE WHEN to_regrole(role) IS NOT NULL;
		IF NOT may_create THEN
			RAISE WARNING 'role % is missing and % may not create '
				'it: ask an administrator for CREATE ROLE % '
				'NOLOGIN, then migrate again',
				role, current_user, role;
			CONTINUE;
		END IF;
		BEGIN
			EXECUTE format('CREATE ROLE %I NOLOGIN', role);
		EXCEPTION WHEN duplicate_object OR unique_violation THEN
			NULL; -- made by a migration of another database
		END;
	END LOOP;

	IF to_regrole('predict_daemon') IS NOT NULL THEN
		GRANT USAGE ON SCHEMA predict TO predict_daemon;
		GRANT SELECT ON ALL TABLES IN SCHEMA predict
			TO predict_daemon;
		GRANT INSERT ON predict.clusters, predict.applications,
			predict.nodes, predict.imports, predict.runs,
			predict.run_shares, predict.run_profiles,
			predict.predictions,
			predict.measurements, predict.link_measurements
			TO predict_daemon;
		GRANT UPDATE ON predict.runs TO predict_daemon;
		GRANT USAGE ON SEQUENCE predict.run_changes
			TO predict_daemon;
		GRANT EXECUTE ON FUNCTION
			predict.create_measurement_days(integer),
			predict.drop_measurement_days(integer),
			predict.thin_measurements(integer),
			predict.forget_waiting(text[]),
			predict.put_trace_block(text, bigint, text, bigint,
				integer, integer, text, integer, boolean,
				integer, bigint, bytea, bigint)
			TO predict_daemon;
	END IF;

	-- Rows on their way in go through temporary tables.  Everybody may make
	-- them, unless an administrator took that right from PUBLIC.
	IF to_regrole('predict_daemon') IS NOT NULL AND NOT
			has_database_privilege('predict_daemon',
			current_database(), 'TEMPORARY') THEN
		BEGIN
			EXECUTE format('GRANT TEMPORARY ON DATABASE %I '
				'TO predict_daemon', current_database());
		EXCEPTION WHEN insufficient_privilege THEN
			RAISE WARNING 'predict_daemon may not make temporary '
				'tables: ask the owner of the database for '
				'GRANT TEMPORARY ON DATABASE % TO '
				'predict_daemon', current_database();
		END;
	END IF;

	IF to_regrole('predict_reader') IS NOT NULL THEN
		GRANT USAGE ON SCHEMA predict TO predict_reader;
		FOR readable IN SELECT viewname FROM pg_views
				WHERE schemaname = 'predict' LOOP
			EXECUTE format('GRANT SELECT ON predict.%I '
				       'TO predict_reader', readable);
		END LOOP;
	END IF;
END $$;

RESET search_path;
