/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner.c - a session of the one who owns the schema, or administers PostgreSQL
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/log.h"
#include "predictor/base/small_file.h"
#include "predictor/store/owner.h"

#define PATH_SIZE    4352
#define SQL_SIZE_MAX (1 << 20) /* bytes of a file */

static int set_error(PGconn *pg, const char *what, struct sp_error *err)
{
	const char *text = PQerrorMessage(pg);

	return sp_error_set(err, "%s: %.*s", what, (int)strcspn(text, "\n"),
			    text);
}

static void log_notice(void *context, const char *message)
{
	(void)context;
	log_info("PostgreSQL: %.*s", (int)strcspn(message, "\n"), message);
}

PGconn *owner_connect(const char *conninfo, const char *program,
		      struct sp_error *err)
{
	static const char *const keys[] = { "connect_timeout",
					    "fallback_application_name",
					    "dbname", "client_encoding", NULL };
	const char *const values[] = { "10", program, conninfo, "UTF8", NULL };
	PGconn *pg = PQconnectdbParams(keys, values, 1);

	if (PQstatus(pg) != CONNECTION_OK) {
		set_error(pg, "PostgreSQL", err);
		goto failed;
	}
	PQsetNoticeProcessor(pg, log_notice, NULL);
	/* A time that is read as text is found again by it. */
	if (owner_execute(pg, "PostgreSQL",
			  "SET DateStyle = 'ISO'; SET TimeZone = 'UTC'", err))
		goto failed;
	return pg;
failed:
	PQfinish(pg);
	return NULL;
}

int owner_execute(PGconn *pg, const char *what, const char *sql,
		  struct sp_error *err)
{
	PGresult *result = PQexec(pg, sql);
	ExecStatusType status = PQresultStatus(result);

	PQclear(result);
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		return set_error(pg, what, err);
	return 0;
}

PGresult *owner_query(PGconn *pg, const char *sql, int count,
		      const char *const values[], struct sp_error *err)
{
	PGresult *result =
		PQexecParams(pg, sql, count, NULL, values, NULL, NULL, 0);

	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		return result;
	PQclear(result);
	set_error(pg, "PostgreSQL", err);
	return NULL;
}

int owner_query_integer(PGconn *pg, const char *sql, const char *name,
			long long *ret, struct sp_error *err)
{
	PGresult *result = owner_query(pg, sql, name ? 1 : 0, &name, err);

	if (!result)
		return -1;
	*ret = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	PQclear(result);
	return 0;
}

char *owner_read(const char *dir, const char *name, struct sp_error *err)
{
	char path[PATH_SIZE];
	size_t size;

	snprintf(path, sizeof(path), "%s/%s", dir, name);

	char *text = small_file_text(path, SQL_SIZE_MAX + 1, &size, err);

	if (!text || (size <= SQL_SIZE_MAX && strlen(text) == size))
		return text;
	sp_error_set(err, "%s: not SQL, or too long", path);
	free(text);
	return NULL;
}
