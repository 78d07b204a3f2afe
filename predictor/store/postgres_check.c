/* SPDX-License-Identifier: GPL-2.0-or-later */
/* postgres_check.c - whether predictd could use a database */
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/store/postgres.h"
#include "predictor/store/schema.h"
#include "predictor/store/statements.h"

static int check_error(PGconn *pg, struct sp_error *err)
{
	const char *text = PQerrorMessage(pg);

	return sp_error_set(err, "%.*s", (int)strcspn(text, "\n"), text);
}

/* The number that a query gives; -1: it fails. */
static int query_number(PGconn *pg, const char *sql, struct sp_error *err)
{
	PGresult *result = PQexec(pg, sql);
	int number = -1;

	if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1)
		number = (int)strtol(PQgetvalue(result, 0, 0), NULL, 10);
	else
		check_error(pg, err);
	PQclear(result);
	return number;
}

static int check_session(PGconn *pg, struct sp_error *err)
{
	int step = query_number(pg, statement_schema_step.sql, err);

	if (step < 0)
		return -1;
	if (step != SCHEMA_STEP)
		return sp_error_set(err,
				    "the schema is at step %d, not %d: run "
				    "predictd --migrate of this version",
				    step, SCHEMA_STEP);
	if (query_number(pg,
			 "SELECT has_table_privilege('predict.runs', "
			 "'INSERT')::integer",
			 err) == 1)
		return 0;
	return sp_error_set(err,
			    "the role %s may not write: GRANT "
			    "predict_daemon TO it",
			    PQuser(pg));
}

int postgres_check(const char *conninfo, struct sp_error *err)
{
	PGconn *pg = PQconnectdb(conninfo);
	int rc = PQstatus(pg) == CONNECTION_OK ? check_session(pg, err)
					       : check_error(pg, err);

	PQfinish(pg);
	return rc;
}
