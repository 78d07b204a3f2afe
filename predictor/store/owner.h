/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner.h - a session of the one who owns the schema, or administers PostgreSQL
 *
 * For programs that run once and may wait: migrations, and the removal of all.
 * What the server says is logged.  Errors are its first line.
 */
#pragma once

#include <libpq-fe.h>

#include "predictor/base/error.h"

/* Connect as `program`.  NULL: see err; the caller calls PQfinish(). */
PGconn *owner_connect(const char *conninfo, const char *program,
		      struct sp_error *err);

/* Run statements without parameters; `what` begins the error. */
int owner_execute(PGconn *pg, const char *what, const char *sql,
		  struct sp_error *err);

/* Run a query with `count` parameters as text.  NULL: see err; the caller calls
 * PQclear(). */
PGresult *owner_query(PGconn *pg, const char *sql, int count,
		      const char *const values[], struct sp_error *err);

/* Run a query for one integer, with the name of a relation, a role or the like
 * as its parameter unless that is NULL. */
int owner_query_integer(PGconn *pg, const char *sql, const char *name,
			long long *ret, struct sp_error *err);

/* Read the text of a file of SQL; the caller frees it.  NULL: see err. */
char *owner_read(const char *dir, const char *name, struct sp_error *err);
