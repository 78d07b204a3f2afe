/* SPDX-License-Identifier: GPL-2.0-or-later */
/* migrate.c - bring a database to the schema that this program knows
 *
 * The steps are the files NNNN_name.sql of one folder, numbered from 1 without
 * gaps.  Each is applied in a transaction together with its record in
 * predict.schema_steps, so it is there as a whole or not at all.  roles.sql comes
 * after the last one, each time: roles may have been created since.  An advisory
 * lock makes a second migration wait for the first.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#include "predictor/base/log.h"
#include "predictor/store/postgres.h"
#include "predictor/store/schema.h"

#define ROLES_FILE    "roles.sql"
#define STEPS_MAX     1000
#define STEP_SIZE_MAX (1 << 20) /* bytes of a file */
#define NAME_SIZE     128

#define TEXT_(number) #number
#define TEXT(number)  TEXT_(number)

struct schema_step {
	int number;
	char file[NAME_SIZE];
};

static int is_step(const struct dirent *entry)
{
	int number, end = 0;

	return sscanf(entry->d_name, "%4d_%*[a-z0-9_].sql%n", &number, &end) ==
		       1 &&
	       end > 0 && entry->d_name[end] == '\0' && end < NAME_SIZE;
}

/* Number of steps in the folder, or -1.  The caller frees *ret. */
static int steps_find(const char *dir, struct schema_step **ret,
		      struct sp_error *err)
{
	struct dirent **entries;
	int count = scandir(dir, &entries, is_step, alphasort), rc = 0;

	if (count < 0)
		return sp_error_set(err, "%s: %s", dir, strerror(errno));
	struct schema_step *steps = calloc((size_t)count + 1, sizeof(*steps));

	if (!steps)
		rc = sp_error_set(err, "out of memory for schema steps");
	else if (count == 0 || count > STEPS_MAX)
		rc = sp_error_set(err, "%s: %d schema steps", dir, count);
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;

		if (rc == 0) {
			steps[i].number = (int)strtol(name, NULL, 10);
			snprintf(steps[i].file, NAME_SIZE, "%.*s",
				 NAME_SIZE - 1, name);
		}
		if (rc == 0 && steps[i].number != i + 1)
			rc = sp_error_set(err, "%s/%.64s: expected step %d",
					  dir, name, i + 1);
		free(entries[i]);
	}
	free(entries);
	if (rc < 0) {
		free(steps);
		return -1;
	}
	*ret = steps;
	return count;
}

/* The text of a file; the caller frees it.  NULL: see err. */
static char *file_read(const char *dir, const char *name, struct sp_error *err)
{
	char path[4096];
	char *text = malloc(STEP_SIZE_MAX + 1);
	size_t size = 0;
	int rc = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *file = fopen(path, "re");

	if (file && text)
		size = fread(text, 1, STEP_SIZE_MAX + 1, file);
	if (!file || !text || ferror(file))
		rc = sp_error_set(err, "%s: %s", path, strerror(errno));
	else if (size > STEP_SIZE_MAX || memchr(text, '\0', size))
		rc = sp_error_set(err, "%s: not SQL, or too long", path);
	else
		text[size] = '\0';
	if (file)
		fclose(file);
	if (rc == 0)
		return text;
	free(text);
	return NULL;
}

static int pg_error(PGconn *pg, const char *what, struct sp_error *err)
{
	const char *text = PQerrorMessage(pg);

	return sp_error_set(err, "%s: %.*s", what, (int)strcspn(text, "\n"),
			    text);
}

static int execute(PGconn *pg, const char *what, const char *sql,
		   struct sp_error *err)
{
	PGresult *result = PQexec(pg, sql);
	ExecStatusType status = PQresultStatus(result);

	PQclear(result);
	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		return pg_error(pg, what, err);
	return 0;
}

/* The integer that a query returns. */
static int query_integer(PGconn *pg, const char *sql, int *ret,
			 struct sp_error *err)
{
	PGresult *result = PQexec(pg, sql);
	int rc = 0;

	if (PQresultStatus(result) != PGRES_TUPLES_OK || PQntuples(result) != 1)
		rc = pg_error(pg, "PostgreSQL", err);
	else
		*ret = (int)strtol(PQgetvalue(result, 0, 0), NULL, 10);
	PQclear(result);
	return rc;
}

/* Compare or add the record of a step: `sql` gets number, name and text. */
static int record(PGconn *pg, const char *sql, const struct schema_step *step,
		  const char *text, int *ret_rows, struct sp_error *err)
{
	char number[16];
	const char *const values[] = { number, step->file, text };

	snprintf(number, sizeof(number), "%d", step->number);
	PGresult *result =
		PQexecParams(pg, sql, 3, NULL, values, NULL, NULL, 0);
	ExecStatusType status = PQresultStatus(result);
	int rc = 0;

	if (status != PGRES_TUPLES_OK)
		rc = pg_error(pg, step->file, err);
	else
		*ret_rows = PQntuples(result);
	PQclear(result);
	return rc;
}

static int step_apply(PGconn *pg, const struct schema_step *step,
		      const char *text, struct sp_error *err)
{
	int rows;

	if (execute(pg, step->file, "BEGIN", err) < 0)
		return -1;
	if (execute(pg, step->file, text, err) < 0 ||
	    record(pg,
		   "INSERT INTO predict.schema_steps (step, name, checksum) "
		   "VALUES ($1::integer, $2::text, md5($3::text)) "
		   "RETURNING step",
		   step, text, &rows, err) < 0) {
		execute(pg, step->file, "ROLLBACK", NULL);
		return -1;
	}
	if (execute(pg, step->file, "COMMIT", err) < 0)
		return -1;
	log_info("schema step %d (%s) applied", step->number, step->file);
	return 0;
}

/* A step whose text differs from the one that was applied has been edited since.
 * It may be only a comment, so this is a warning. */
static int step_compare(PGconn *pg, const struct schema_step *step,
			const char *text, struct sp_error *err)
{
	int rows = 0;

	if (record(pg,
		   "SELECT step FROM predict.schema_steps WHERE "
		   "step = $1::integer AND name = $2::text "
		   "AND checksum = md5($3::text)",
		   step, text, &rows, err) < 0)
		return -1;
	if (rows == 0)
		log_warning("schema step %d (%s) has changed since it was "
			    "applied; the database keeps what it was",
			    step->number, step->file);
	return 0;
}

static int give_rights(PGconn *pg, const char *dir, struct sp_error *err)
{
	char *text = file_read(dir, ROLES_FILE, err);
	int rc = text ? execute(pg, ROLES_FILE, text, err) : -1;

	free(text);
	return rc;
}

static int apply_all(PGconn *pg, const char *dir,
		     const struct schema_step steps[], int count,
		     struct sp_error *err)
{
	int there, applied = 0;

	if (query_integer(
		    pg,
		    "SELECT (to_regclass('predict.schema_steps') IS NOT NULL)"
		    "::integer",
		    &there, err) < 0)
		return -1;
	if (there && query_integer(pg,
				   "SELECT coalesce(max(step), 0) "
				   "FROM predict.schema_steps",
				   &applied, err) < 0)
		return -1;
	if (applied > count)
		return sp_error_set(err,
				    "the database is at schema step %d, but "
				    "%s ends with %d: a newer version of this "
				    "program has been used with it",
				    applied, dir, count);
	for (int i = 0; i < count; i++) {
		char *text = file_read(dir, steps[i].file, err);

		if (!text)
			return -1;
		int rc = i < applied ? step_compare(pg, &steps[i], text, err)
				     : step_apply(pg, &steps[i], text, err);
		free(text);
		if (rc < 0)
			return -1;
	}
	if (applied == count)
		log_info("schema is at step %d, as it should be", count);
	return count >= SCHEMA_STEP ? give_rights(pg, dir, err) : 0;
}

static void log_notice(void *context, const char *message)
{
	(void)context;
	log_info("PostgreSQL: %.*s", (int)strcspn(message, "\n"), message);
}

static PGconn *migrate_connect(const char *conninfo, struct sp_error *err)
{
	static const char *const keys[] = { "connect_timeout",
					    "fallback_application_name",
					    "dbname", "client_encoding", NULL };
	const char *const values[] = { "10", "predictd --migrate", conninfo,
				       "UTF8", NULL };
	PGconn *pg = PQconnectdbParams(keys, values, 1);

	if (PQstatus(pg) == CONNECTION_OK) {
		PQsetNoticeProcessor(pg, log_notice, NULL);
		return pg;
	}
	pg_error(pg, "PostgreSQL", err);
	PQfinish(pg);
	return NULL;
}

int postgres_migrate(const char *conninfo, const char *sql_dir,
		     struct sp_error *err)
{
	struct schema_step *steps;
	int count = steps_find(sql_dir, &steps, err), rc = -1;

	if (count < 0)
		return -1;
	PGconn *pg = migrate_connect(conninfo, err);

	if (pg &&
	    execute(pg, "PostgreSQL",
		    "SELECT pg_advisory_lock(" TEXT(SCHEMA_LOCK) ", " TEXT(
			    SCHEMA_LOCK_MIGRATE) ")",
		    err) == 0)
		rc = apply_all(pg, sql_dir, steps, count, err);
	PQfinish(pg);
	free(steps);
	return rc;
}
