/* SPDX-License-Identifier: GPL-2.0-or-later */
/* migrate.c - bring a database to the schema that this program knows
 *
 * The steps are the files steps/NNNN_name.sql of one folder, numbered from 1
 * without gaps.  Each is applied in a transaction together with its record in
 * predict.schema_steps, so it is there as a whole or not at all.  A database
 * without a schema gets schema.sql first, which is recorded as the last step
 * that it stands for.  roles.sql comes after the last step, each time: roles
 * may have been created since.  An advisory lock makes a second migration wait
 * for the first.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/log.h"
#include "predictor/store/owner.h"
#include "predictor/store/postgres.h"
#include "predictor/store/schema.h"
#include "predictor/store/statements.h"

#define SCHEMA_FILE "schema.sql"
#define ROLES_FILE  "roles.sql"
#define STEPS_MAX   1000
#define NAME_SIZE   128
#define DIR_SIZE    4096

struct schema_step {
	int number;
	char file[NAME_SIZE];
};

struct schema_files {
	char dir[DIR_SIZE];           /* schema.sql, roles.sql */
	char steps_dir[DIR_SIZE + 8]; /* steps/ in it */
	struct schema_step *steps;
	int count;
};

static int is_step(const struct dirent *entry)
{
	int number, end = 0;

	return sscanf(entry->d_name, "%4d_%*[a-z0-9_].sql%n", &number, &end) ==
		       1 &&
	       end > 0 && entry->d_name[end] == '\0' && end < NAME_SIZE;
}

/* Fill in the step of each entry, in order, without gaps. */
static int steps_fill(const char *dir, struct dirent *const entries[],
		      int count, struct schema_step *steps,
		      struct sp_error *err)
{
	if (!steps)
		return sp_error_set(err, "out of memory for schema steps");
	if (count == 0 || count > STEPS_MAX)
		return sp_error_set(err, "%s: %d schema steps", dir, count);
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;

		steps[i].number = (int)strtol(name, NULL, 10);
		snprintf(steps[i].file, NAME_SIZE, "%.*s", NAME_SIZE - 1, name);
		if (steps[i].number != i + 1)
			return sp_error_set(err, "%s/%.64s: expected step %d",
					    dir, name, i + 1);
	}
	return 0;
}

/* The caller frees ret->steps. */
static int files_find(const char *dir, struct schema_files *ret,
		      struct sp_error *err)
{
	struct dirent **entries;

	snprintf(ret->dir, DIR_SIZE, "%s", dir);
	snprintf(ret->steps_dir, sizeof(ret->steps_dir), "%s/steps", dir);
	ret->count = scandir(ret->steps_dir, &entries, is_step, alphasort);
	if (ret->count < 0)
		return sp_error_set(err, "%s: %s", ret->steps_dir,
				    strerror(errno));
	ret->steps = calloc((size_t)ret->count + 1, sizeof(*ret->steps));
	int rc = steps_fill(ret->steps_dir, entries, ret->count, ret->steps,
			    err);

	for (int i = 0; i < ret->count; i++)
		free(entries[i]);
	free(entries);
	if (rc < 0)
		free(ret->steps);
	return rc;
}

/* Compare or add the record of a step: `sql` gets number, name and text. */
static int record(PGconn *pg, const char *sql, const struct schema_step *step,
		  const char *text, int *ret_rows, struct sp_error *err)
{
	char number[16];
	const char *const values[] = { number, step->file, text };

	snprintf(number, sizeof(number), "%d", step->number);
	PGresult *result = owner_query(pg, sql, 3, values, err);

	if (!result)
		return -1;
	*ret_rows = PQntuples(result);
	PQclear(result);
	return 0;
}

static int step_apply(PGconn *pg, const struct schema_step *step,
		      const char *text, struct sp_error *err)
{
	int rows;

	if (owner_execute(pg, step->file, "BEGIN", err) < 0)
		return -1;
	if (owner_execute(pg, step->file, text, err) < 0 ||
	    record(pg, query_record_step, step, text, &rows, err) < 0) {
		owner_execute(pg, step->file, "ROLLBACK", NULL);
		return -1;
	}
	if (owner_execute(pg, step->file, "COMMIT", err) < 0)
		return -1;
	log_info("schema step %d (%s) applied", step->number, step->file);
	return 0;
}

/* Warn of a step whose text differs from the one that was applied: it has been
 * edited since, which may be only a comment.  Steps that schema.sql stood for
 * have no record. */
static int step_compare(PGconn *pg, const struct schema_step *step,
			const char *text, struct sp_error *err)
{
	int rows = 0;

	if (record(pg, query_edited_step, step, text, &rows, err) < 0)
		return -1;
	if (rows != 0)
		log_warning("schema step %d (%s) has changed since it was "
			    "applied; the database keeps what it was",
			    step->number, step->file);
	return 0;
}

/* Read a step's file, and compare it with its record or apply it. */
static int step_take(PGconn *pg, const char *dir,
		     const struct schema_step *step, bool applied,
		     struct sp_error *err)
{
	char *text = owner_read(dir, step->file, err);

	if (!text)
		return -1;
	int rc = applied ? step_compare(pg, step, text, err)
			 : step_apply(pg, step, text, err);

	free(text);
	return rc;
}

static int give_rights(PGconn *pg, const char *dir, struct sp_error *err)
{
	char *text = owner_read(dir, ROLES_FILE, err);
	int rc = text ? owner_execute(pg, ROLES_FILE, text, err) : -1;

	free(text);
	return rc;
}

/* Find the last step that the database has been through; -1: it has
 * no schema. */
static int query_applied(PGconn *pg, long long *ret, struct sp_error *err)
{
	if (owner_query_integer(pg, query_has_schema, NULL, ret, err) < 0)
		return -1;
	return *ret < 0 ? 0
			: owner_query_integer(pg, statement_schema_step.sql,
					      NULL, ret, err);
}

/* Give an empty database the whole schema at once, as its last folded step. */
static int begin_schema(PGconn *pg, const char *dir, long long *applied,
			struct sp_error *err)
{
	static const struct schema_step whole = { SCHEMA_FILE_STEP,
						  SCHEMA_FILE };
	char path[DIR_SIZE + NAME_SIZE];

	snprintf(path, sizeof(path), "%s/%s", dir, SCHEMA_FILE);
	if (access(path, F_OK) != 0)
		return 0;
	bool new = *applied < 0;

	if (new)
		*applied = whole.number;
	return step_take(pg, dir, &whole, !new, err);
}

static int apply_all(PGconn *pg, const struct schema_files *files,
		     struct sp_error *err)
{
	const int count = files->count;
	long long applied;

	if (query_applied(pg, &applied, err) < 0)
		return -1;
	if (applied > count)
		return sp_error_set(err,
				    "the database is at schema step %lld, but "
				    "%s ends with %d: a newer version of this "
				    "program has been used with it",
				    applied, files->steps_dir, count);
	if (applied == count)
		log_info("schema is at step %d, as it should be", count);
	if (begin_schema(pg, files->dir, &applied, err) < 0)
		return -1;
	for (int i = 0; i < count; i++)
		if (step_take(pg, files->steps_dir, &files->steps[i],
			      i < applied, err) < 0)
			return -1;
	return count >= SCHEMA_STEP ? give_rights(pg, files->dir, err) : 0;
}

int postgres_migrate(const char *conninfo, const char *sql_dir,
		     struct sp_error *err)
{
	struct schema_files files = { .count = 0 };
	int rc = -1;

	if (files_find(sql_dir, &files, err) < 0)
		return -1;
	PGconn *pg = owner_connect(conninfo, "predictd --migrate", err);

	if (pg &&
	    owner_execute(pg, "PostgreSQL", query_lock_migration, err) == 0)
		rc = apply_all(pg, &files, err);
	PQfinish(pg);
	free(files.steps);
	return rc;
}
