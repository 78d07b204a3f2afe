/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inventory.c - what is in a database of ours, and what would have to stay
 *
 * Objects from initdb have ids below 16384 (FirstNormalObjectId); what has a higher
 * one is ours by its name, or a stranger.  Indexes, constraints and row types go
 * with their tables and are not looked at.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/store/inventory.h"
#include "predictor/store/owner.h"

/* Names in the schema predict, of all releases since 0.1.0; tests/system/
 * test_drop_database.sh finds those that are missing. */
static const char our_relations[] =
	"{accuracy_by_application,accuracy_by_cluster,accuracy_by_model,"
	"accuracy_by_month,accuracy_by_partition,accuracy_by_user,applications,"
	"clusters,imports,link_measurements,link_measurements_hourly,links_now,"
	"measurements,measurements_5min,measurements_hourly,node_load_now,"
	"nodes,"
	"prediction_candidates,prediction_details,prediction_evidence,"
	"prediction_outcomes,prediction_parameters,predictions,profile_details,"
	"profiles,recent_runs,run_changes,run_details,run_nodes,run_outcomes,"
	"run_parameters,run_profiles,run_shares,running,runs,schema_steps,"
	"thinned,"
	"trace_blocks,trace_details,traces}";
static const char our_functions[] =
	"{accuracy,create_measurement_days,create_partition,"
	"drop_measurement_days,grant_rights,own_prediction,put_trace_block,"
	"state_rank,state_tells,thin_links,thin_measurements,thin_nodes,"
	"thin_nodes_more,thin_traces}";

/* Those of README, and of roles.sql. */
#define OUR_ROLES                                                     \
	"('predict_daemon'), ('predict_reader'), ('slurm-predict'), " \
	"('predict_owner')"

/* Partitions are ours if their table is; sequences if a column has them. */
static const char strangers[] =
	"SELECT 'schema ' || quote_ident(nspname) FROM pg_namespace "
	"WHERE oid >= 16384 AND nspname <> 'predict' "
	"AND nspname !~ '^pg_(toast_)?temp_' "
	"UNION ALL SELECT CASE relkind WHEN 'v' THEN 'view ' "
	"WHEN 'm' THEN 'materialized view ' WHEN 'S' THEN 'sequence ' "
	"WHEN 'f' THEN 'foreign table ' WHEN 'c' THEN 'type ' ELSE 'table ' "
	"END "
	"|| c.oid::regclass::text "
	"FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
	"WHERE c.oid >= 16384 AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f', "
	"'c') "
	"AND nspname !~ '^pg_(toast|(toast_)?temp_)' "
	"AND NOT (nspname = 'predict' AND (relname = ANY ($1::text[]) "
	"OR EXISTS (SELECT FROM pg_inherits i JOIN pg_class p "
	"ON p.oid = i.inhparent WHERE i.inhrelid = c.oid AND c.relispartition "
	"AND p.relnamespace = c.relnamespace AND p.relname = ANY ($1::text[]) "
	"AND c.relname ~ ('^' || p.relname || '_[0-9]{6,8}$')) "
	"OR EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid "
	"AND d.classid = 'pg_class'::regclass AND d.deptype = 'i' "
	"AND c.relkind = 'S'))) "
	"UNION ALL SELECT 'function ' || p.oid::regprocedure::text "
	"FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace "
	"WHERE p.oid >= 16384 AND nspname !~ '^pg_temp_' AND NOT "
	"(nspname = 'predict' AND proname = ANY ($2::text[])) "
	"UNION ALL SELECT 'type ' || t.oid::regtype::text "
	"FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace "
	"WHERE t.oid >= 16384 AND typrelid = 0 AND typcategory <> 'A' "
	"AND NOT (nspname = 'predict' AND typname = 'run_state') "
	"UNION ALL SELECT 'extension ' || extname FROM pg_extension "
	"WHERE oid >= 16384 "
	"UNION ALL SELECT 'trigger ' || quote_ident(tgname) FROM pg_trigger "
	"WHERE NOT tgisinternal "
	"UNION ALL SELECT 'event trigger ' || quote_ident(evtname) "
	"FROM pg_event_trigger "
	"UNION ALL SELECT 'language ' || lanname FROM pg_language "
	"WHERE oid >= 16384 "
	"UNION ALL SELECT 'operator ' || oid::regoperator::text FROM "
	"pg_operator "
	"WHERE oid >= 16384 "
	"UNION ALL SELECT 'collation ' || oid::regcollation::text "
	"FROM pg_collation WHERE collnamespace <> 'pg_catalog'::regnamespace "
	"UNION ALL SELECT 'text search configuration ' || oid::regconfig::text "
	"FROM pg_ts_config WHERE oid >= 16384 "
	"UNION ALL SELECT 'foreign data wrapper ' || fdwname "
	"FROM pg_foreign_data_wrapper "
	"UNION ALL SELECT 'publication ' || quote_ident(pubname) "
	"FROM pg_publication "
	"UNION ALL SELECT 'subscription ' || quote_ident(subname) "
	"FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid "
	"AND d.datname = current_database() "
	"UNION ALL SELECT 'large object ' || oid FROM pg_largeobject_metadata "
	"ORDER BY 1";

/* Others' sessions; predictd is recognised by the role that it uses, too. */
static const char sessions[] =
	"SELECT format('%s (process %s of PostgreSQL%s)', "
	"coalesce(nullif(application_name, ''), 'a program'), pid, "
	"' by role ' || usename) FROM pg_stat_activity "
	"WHERE datname = current_database() AND pid <> pg_backend_pid() "
	"AND backend_type IN ('client backend', 'walsender') ORDER BY pid";

static const char foundation[] =
	"SELECT CASE WHEN datistemplate OR datname = 'postgres' "
	"THEN 'is PostgreSQL''s own' "
	"WHEN NOT pg_has_role(datdba, 'USAGE') "
	"THEN 'belongs to role ' || quote_ident(pg_get_userbyid(datdba)) || "
	"': connect as an administrator' "
	"WHEN to_regclass('predict.schema_steps') IS NULL "
	"THEN 'lacks the schema of slurm-predict' END "
	"FROM pg_database WHERE datname = current_database()";

/* Fail if the query has a row: `why` gets the database, the first row's text, and
 * how many more there are. */
static int refuse_rows(PGconn *pg, const char *sql, int count,
		       const char *const values[], const char *why,
		       struct sp_error *err)
{
	PGresult *result = owner_query(pg, sql, count, values, err);
	int rc = 0;

	if (!result)
		return -1;
	int rows = PQntuples(result);
	char more[32] = "";

	if (rows > 1)
		snprintf(more, sizeof(more), " and %d more", rows - 1);
	if (rows > 0 && !PQgetisnull(result, 0, 0))
		rc = sp_error_set(err, "database %s %s%s%s", PQdb(pg), why,
				  PQgetvalue(result, 0, 0), more);
	PQclear(result);
	return rc;
}

int inventory_check(PGconn *pg, struct sp_error *err)
{
	const char *const ours[] = { our_relations, our_functions };

	if (owner_execute(pg, "PostgreSQL", "SET search_path = pg_catalog",
			  err) < 0 ||
	    refuse_rows(pg, foundation, 0, NULL, "", err) < 0 ||
	    refuse_rows(pg, sessions, 0, NULL,
			"is in use; stop predictd and all others: ", err) < 0)
		return -1;
	return refuse_rows(pg, strangers, 2, ours,
			   "has what slurm-predict did not make: ", err);
}

int inventory_print(PGconn *pg, FILE *out, struct sp_error *err)
{
	PGresult *tables = owner_query(
		pg,
		"SELECT relname FROM pg_class "
		"WHERE relnamespace = 'predict'::regnamespace "
		"AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1",
		0, NULL, err);
	int rc = tables ? 0 : -1;

	for (int i = 0; rc == 0 && i < PQntuples(tables); i++) {
		const char *name = PQgetvalue(tables, i, 0);
		char sql[256]; /* names are ours */
		long long rows;

		snprintf(sql, sizeof(sql), "SELECT count(*) FROM predict.%s",
			 name);
		rc = owner_query_integer(pg, sql, NULL, &rows, err);
		if (rc == 0)
			fprintf(out, "  %-26s %12lld rows\n", name, rows);
	}
	PQclear(tables);
	return rc;
}

PGresult *inventory_roles(PGconn *pg, const char *database,
			  struct sp_error *err)
{
	return owner_query(
		pg,
		"WITH ours AS (SELECT r.oid, r.rolname, r.rolsuper "
		"FROM pg_roles r JOIN (VALUES " OUR_ROLES ") o (name) "
		"ON o.name = r.rolname) "
		"SELECT quote_ident(o.rolname), CASE "
		"WHEN o.rolsuper THEN 'it is a superuser' "
		"WHEN o.rolname IN (session_user, current_user) "
		"THEN 'this session is its own' "
		"ELSE coalesce("
		"(SELECT coalesce('database ' || quote_ident(coalesce("
		"d.datname, x.datname)) || ' needs it', "
		"'it has rights on the whole server') FROM pg_shdepend s "
		"LEFT JOIN pg_database d ON d.oid = s.dbid "
		"LEFT JOIN pg_database x ON x.oid = s.objid "
		"AND s.classid = 'pg_database'::regclass "
		"WHERE s.refclassid = 'pg_authid'::regclass "
		"AND s.refobjid = o.oid "
		"AND coalesce(d.datname, x.datname, '') <> $1::text "
		"AND s.classid <> 'pg_auth_members'::regclass LIMIT 1), "
		"(SELECT format('role %I is a member of it', m.rolname) "
		"FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.member "
		"WHERE a.roleid = o.oid AND NOT m.rolsuper "
		"AND m.oid NOT IN (SELECT oid FROM ours) LIMIT 1), "
		"(SELECT format('it is a member of role %I', m.rolname) "
		"FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.roleid "
		"WHERE a.member = o.oid "
		"AND m.oid NOT IN (SELECT oid FROM ours) LIMIT 1), "
		"(SELECT format('it uses database %s', datname) "
		"FROM pg_stat_activity WHERE usesysid = o.oid LIMIT 1), "
		"'') END FROM ours o ORDER BY o.rolname",
		1, &database, err);
}
