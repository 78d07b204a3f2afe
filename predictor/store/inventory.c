/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inventory.c - what is in a database of ours, and what would have to stay
 *
 * The long queries are files of sql/, as the schema is: strangers.sql,
 * kept_roles.sql.
 */
#include <stdlib.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/store/inventory.h"
#include "predictor/store/owner.h"
#include "predictor/store/statements.h"

#define LINGER_S 3.0

/* Fail if the query has a row: with `why`, the first row's text, and how many
 * more there are. */
static int refuse_rows(PGconn *pg, const char *sql, const char *why,
		       struct sp_error *err)
{
	PGresult *result = sql ? owner_query(pg, sql, 0, NULL, err) : NULL;
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

/* Fail if others are connected.  A session ends some time after its program,
 * such as our own pg_dump, so look again for LINGER_S. */
static int refuse_sessions(PGconn *pg, struct sp_error *err)
{
	static const struct timespec pause = { .tv_nsec = 100000000 };
	double end_s = clock_monotonic_s() + LINGER_S;
	int rc;

	while ((rc = refuse_rows(pg, query_sessions,
				 "is in use; stop predictd and all others: ",
				 err)) < 0 &&
	       clock_monotonic_s() < end_s)
		nanosleep(&pause, NULL);
	return rc;
}

int inventory_check(PGconn *pg, const char *sql_dir, struct sp_error *err)
{
	if (owner_execute(pg, "PostgreSQL", "SET search_path = pg_catalog",
			  err) < 0 ||
	    refuse_rows(pg, query_foundation, "", err) < 0 ||
	    refuse_sessions(pg, err) < 0)
		return -1;
	char *strangers = owner_read(sql_dir, "strangers.sql", err);
	int rc = refuse_rows(pg, strangers,
			     "has what slurm-predict did not make: ", err);

	free(strangers);
	return rc;
}

int inventory_print(PGconn *pg, FILE *out, struct sp_error *err)
{
	PGresult *tables = owner_query(pg, query_tables, 0, NULL, err);
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

PGresult *inventory_roles(PGconn *pg, const char *sql_dir, const char *database,
			  struct sp_error *err)
{
	char *sql = owner_read(sql_dir, "kept_roles.sql", err);
	PGresult *result = sql ? owner_query(pg, sql, 1, &database, err) : NULL;

	free(sql);
	return result;
}
