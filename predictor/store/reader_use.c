/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader_use.c - what runs used of what they requested, from the history */
#include <stdlib.h>
#include <string.h>

#include "predictor/store/reader.h"

/* Sums over a long history: shorter than other queries, which wait. */
static const char *const beginning[] = {
	"BEGIN",
	"SET LOCAL statement_timeout = '5s'",
	NULL,
};

struct use_task {
	struct reader_task task;
	store_use_fn *done;
	void *context;
	struct store_use_query query;
};

static int take_rows(const struct use_task *t, const PGresult *result,
		     struct sp_error *err)
{
	size_t count;
	struct store_use *rows = rows_of_result(&use_columns, result,
						sizeof(*rows), &count, err);

	if (!rows)
		return -1;
	t->done(t->context, STORE_STORED, rows, count, NULL);
	free(rows);
	return 0;
}

static int run_use(struct connection *connection, struct reader_task *task,
		   struct sp_error *err)
{
	const struct use_task *t = (const void *)task;
	PGresult *result;
	int rc = 0;

	for (int i = 0; rc == 0 && beginning[i]; i++)
		rc = connection_query(connection, beginning[i], NULL, err);
	if (rc == 0)
		rc = connection_run_object(connection, &statement_use,
					   &use_query_columns, &t->query,
					   &result, err);
	if (rc == 0) {
		rc = take_rows(t, result, err);
		PQclear(result);
	}
	if (connection->pg) {
		char sqlstate[sizeof(connection->sqlstate)];

		strcpy(sqlstate, connection->sqlstate);
		connection_query(connection, "ROLLBACK", NULL, NULL);
		strcpy(connection->sqlstate, sqlstate);
	}
	return rc;
}

static void fail_use(struct reader_task *task, bool refused UNUSED,
		     const struct sp_error *why)
{
	const struct use_task *t = (const void *)task;

	t->done(t->context, STORE_AGAIN, NULL, 0, why);
}

int reader_get_use(struct reader *reader, const struct store_use_query *query,
		   store_use_fn *done, void *context, struct sp_error *err)
{
	const struct use_task t = {
		.task = { .run = run_use, .fail = fail_use },
		.done = done,
		.context = context,
		.query = *query,
	};

	if (query->limit < 1 || query->limit > STORE_USE_MAX)
		return sp_error_set(err, "limit: not 1 to %d", STORE_USE_MAX);
	if (rows_check(&use_query_columns, query, "report", err) < 0)
		return -1;
	return reader_put_copy(reader, &t, sizeof(t), err);
}
