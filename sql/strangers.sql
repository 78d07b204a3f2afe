-- SPDX-License-Identifier: GPL-2.0-or-later
-- strangers.sql - what is in the database that slurm-predict did not make
--
-- One query, by which `predictd --drop-database` refuses: a row names an
-- object.  Objects of initdb have ids below 16384 (FirstNormalObjectId); what
-- has a higher one is ours by its name, of this or an older schema, or a
-- stranger.  Indexes, constraints and row types go with their tables.
--
-- tests/system/test_drop_database.sh finds names that are missing here.

WITH ours (relations, functions) AS (VALUES (
	ARRAY['accuracy_by_application', 'accuracy_by_cluster',
		'accuracy_by_model', 'accuracy_by_month',
		'accuracy_by_partition', 'accuracy_by_user', 'applications',
		'clusters', 'imports', 'link_measurements',
		'link_measurements_hourly', 'links_now', 'measurements',
		'measurements_5min', 'measurements_hourly', 'node_load_now',
		'nodes', 'prediction_candidates', 'prediction_details',
		'prediction_evidence', 'prediction_outcomes',
		'prediction_parameters', 'predictions', 'profile_details',
		'profiles', 'recent_runs', 'run_changes', 'run_details',
		'run_nodes', 'run_outcomes', 'run_parameters', 'run_profiles',
		'run_shares', 'running', 'runs', 'schema_steps', 'thinned',
		'trace_blocks', 'trace_details', 'traces', 'traces_sum'],
	ARRAY['accuracy', 'advice', 'create_measurement_days',
		'create_partition', 'drop_measurement_days', 'drop_traces',
		'forget_waiting', 'grant_rights',
		'own_prediction', 'put_trace_block', 'run_use', 'state_rank',
		'state_tells', 'thin_links', 'thin_measurements',
		'thin_nodes', 'thin_nodes_more',
		'thin_traces', 'use']))

SELECT 'schema ' || quote_ident(nspname) FROM pg_namespace
WHERE oid >= 16384 AND nspname <> 'predict'
	AND nspname !~ '^pg_(toast_)?temp_'

-- Partitions are ours if their table is; sequences, if a column has them.
UNION ALL
SELECT CASE relkind WHEN 'v' THEN 'view ' WHEN 'm' THEN 'materialized view '
	WHEN 'S' THEN 'sequence ' WHEN 'f' THEN 'foreign table '
	WHEN 'c' THEN 'type ' ELSE 'table ' END || c.oid::regclass::text
FROM ours, pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid >= 16384 AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f', 'c')
	AND nspname !~ '^pg_(toast|(toast_)?temp_)'
	AND NOT (nspname = 'predict' AND (relname = ANY (ours.relations)
		OR EXISTS (SELECT FROM pg_inherits i
			JOIN pg_class p ON p.oid = i.inhparent
			WHERE i.inhrelid = c.oid AND c.relispartition
			AND p.relnamespace = c.relnamespace
			AND p.relname = ANY (ours.relations)
			AND c.relname ~ ('^' || p.relname || '_[0-9]{6,8}$'))
		OR EXISTS (SELECT FROM pg_depend d
			WHERE d.objid = c.oid
			AND d.classid = 'pg_class'::regclass
			AND d.deptype = 'i' AND c.relkind = 'S')))

UNION ALL
SELECT 'function ' || p.oid::regprocedure::text
FROM ours, pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
WHERE p.oid >= 16384 AND nspname !~ '^pg_temp_'
	AND NOT (nspname = 'predict' AND proname = ANY (ours.functions))

UNION ALL
SELECT 'type ' || t.oid::regtype::text
FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace
WHERE t.oid >= 16384 AND typrelid = 0 AND typcategory <> 'A'
	AND NOT (nspname = 'predict' AND typname = 'run_state')

UNION ALL
SELECT 'extension ' || extname FROM pg_extension WHERE oid >= 16384
UNION ALL
SELECT 'trigger ' || quote_ident(tgname) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL
SELECT 'event trigger ' || quote_ident(evtname) FROM pg_event_trigger
UNION ALL
SELECT 'language ' || lanname FROM pg_language WHERE oid >= 16384
UNION ALL
SELECT 'operator ' || oid::regoperator::text FROM pg_operator
WHERE oid >= 16384
UNION ALL
SELECT 'collation ' || oid::regcollation::text FROM pg_collation
WHERE collnamespace <> 'pg_catalog'::regnamespace
UNION ALL
SELECT 'text search configuration ' || oid::regconfig::text
FROM pg_ts_config WHERE oid >= 16384
UNION ALL
SELECT 'foreign data wrapper ' || fdwname FROM pg_foreign_data_wrapper
UNION ALL
SELECT 'publication ' || quote_ident(pubname) FROM pg_publication
UNION ALL
SELECT 'subscription ' || quote_ident(subname)
FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid
WHERE d.datname = current_database()
UNION ALL
SELECT 'large object ' || oid FROM pg_largeobject_metadata
ORDER BY 1
