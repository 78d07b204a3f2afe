-- 0004_roles.sql - who may do what
--
-- predict_daemon  for predictd: adds to the history, ends runs; can neither
--                 delete nor drop any of it.
-- predict_reader  for people and dashboards: reads the views.
--
-- Neither can log in: GRANT predict_daemon TO the user that predictd connects
-- as.  Roles belong to the whole server and need the right to create roles;
-- where the schema's owner lacks it, an administrator creates the two
-- (CREATE ROLE predict_daemon NOLOGIN) and `predictd --migrate` is run again.

CREATE FUNCTION predict.grant_rights() RETURNS void
	LANGUAGE plpgsql
	SET search_path = pg_catalog, pg_temp
AS $$
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
			predict.nodes, predict.runs, predict.run_parameters,
			predict.run_conditions, predict.run_shares,
			predict.predictions, predict.prediction_parameters,
			predict.prediction_candidates, predict.measurements
			TO predict_daemon;
		GRANT UPDATE ON predict.runs, predict.run_conditions
			TO predict_daemon;
		GRANT USAGE ON SEQUENCE predict.run_changes
			TO predict_daemon;
		GRANT EXECUTE ON FUNCTION
			predict.create_measurement_days(integer),
			predict.drop_measurement_days(integer)
			TO predict_daemon;
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
COMMENT ON FUNCTION predict.grant_rights() IS
	'Create the roles where that is allowed, and give them their rights.';
REVOKE ALL ON FUNCTION predict.grant_rights() FROM PUBLIC;
