/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader_rows.c - a prediction, and rows of the history: runs, sums over them
 *
 * A source says how rows are asked for; finish_*() is called for each.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/store/reader.h"

#define RUN_COLUMN 2 /* its id and change come before the rest */

static void finish_prediction(void *row, const char *first UNUSED)
{
	struct prediction *p = row;

	application_mask(&p->application);
}

static void finish_run(void *row, const char *id)
{
	struct run *run = row;

	run->id = column_read_int8(id);
	application_mask(&run->application);
}

/* --- A prediction --------------------------------------------------------- */

struct prediction_task {
	struct reader_task task;
	store_prediction_fn *done;
	void *context;
	struct prediction key; /* its id */
};

static const struct row_query stages_query = { &statement_prediction,
					       &prediction_key_columns,
					       &prediction_columns,
					       sizeof(struct prediction),
					       0,
					       finish_prediction };

static const struct row_query run_query = { &statement_run_of_prediction,
					    &prediction_key_columns,
					    &run_columns,
					    sizeof(struct run),
					    RUN_COLUMN,
					    finish_run };

static int run_prediction(struct connection *connection,
			  struct reader_task *task, struct sp_error *err)
{
	const struct prediction_task *t = (const void *)task;
	struct store_prediction *found = calloc(1, sizeof(*found));
	struct prediction *stages;
	struct run *run = NULL;
	size_t count = 0, runs = 0;

	if (!found)
		return sp_error_set(err, "out of memory for a prediction");
	stages = connection_rows(connection, &stages_query, &t->key, &count,
				 err);
	if (stages)
		run = connection_rows(connection, &run_query, &t->key, &runs,
				      err);
	for (size_t i = 0; run && i < count; i++) {
		found->known[stages[i].stage] = true;
		found->stages[stages[i].stage] = stages[i];
	}
	found->has_run = run && runs > 0;
	if (found->has_run)
		found->run = *run;

	int rc = run ? 0 : -1;

	if (run)
		t->done(t->context, STORE_STORED, found, NULL);
	free(run);
	free(stages);
	free(found);
	return rc;
}

static void fail_prediction(struct reader_task *task, bool refused UNUSED,
			    const struct sp_error *why)
{
	const struct prediction_task *t = (const void *)task;

	t->done(t->context, STORE_AGAIN, NULL, why);
}

int reader_get_prediction(struct reader *reader, const char *id,
			  store_prediction_fn *done, void *context,
			  struct sp_error *err)
{
	struct prediction_task t = {
		.task = { .run = run_prediction, .fail = fail_prediction },
		.context = context,
		.done = done,
	};

	/* Cut to size, an id that is too long might match another. */
	if (strlen(id) < sizeof(t.key.id))
		strcpy(t.key.id, id);
	return reader_put_copy(reader, &t, sizeof(t), err);
}

/* --- Rows ----------------------------------------------------------------- */

#define QUERY(type, most)                  \
	.query_size = sizeof(struct type), \
	.limit_at = offsetof(struct type, limit), .limit_max = (most)

const struct rows_source source_runs = {
	.query = { &statement_runs_page, &runs_query_columns, &run_columns,
		   sizeof(struct run), RUN_COLUMN, finish_run },
	QUERY(store_runs_query, STORE_RUNS_PAGE_MAX),
};

const struct rows_source source_accuracy = {
	.query = { &statement_accuracy, &accuracy_query_columns,
		   &accuracy_columns, sizeof(struct store_accuracy), 0, NULL },
	QUERY(store_accuracy_query, STORE_ACCURACY_MAX),
};

/* Sums over a long history. */
const struct rows_source source_use = {
	.query = { &statement_use, &use_query_columns, &use_columns,
		   sizeof(struct store_use), 0, NULL },
	QUERY(store_use_query, STORE_USE_MAX),
	.is_brief = true,
};

struct rows_task {
	struct reader_task task;
	const struct rows_source *source;
	store_rows_fn *done;
	void *context;
	union {
		struct store_runs_query runs;
		struct store_accuracy_query accuracy;
		struct store_use_query use;
	} query;
};

/* Begin a transaction with less time. */
static int begin_brief(struct connection *connection, struct sp_error *err)
{
	if (connection_query(connection, "BEGIN", NULL, err))
		return -1;
	return connection_query(
		connection, "SET LOCAL statement_timeout = '5s'", NULL, err);
}

/* What made the query fail is still known afterwards. */
static void end_brief(struct connection *connection)
{
	char sqlstate[sizeof(connection->sqlstate)];

	if (!connection->pg)
		return;
	strcpy(sqlstate, connection->sqlstate);
	connection_query(connection, "ROLLBACK", NULL, NULL);
	strcpy(connection->sqlstate, sqlstate);
}

static int run_rows(struct connection *connection, struct reader_task *task,
		    struct sp_error *err)
{
	const struct rows_task *t = (const void *)task;
	bool is_brief = t->source->is_brief;
	void *rows = NULL;
	size_t count;

	if (!is_brief || !begin_brief(connection, err))
		rows = connection_rows(connection, &t->source->query, &t->query,
				       &count, err);
	if (rows)
		t->done(t->context, STORE_STORED, rows, count, NULL);
	if (is_brief)
		end_brief(connection);

	int rc = rows ? 0 : -1;

	free(rows);
	return rc;
}

static void fail_rows(struct reader_task *task, bool refused UNUSED,
		      const struct sp_error *why)
{
	const struct rows_task *t = (const void *)task;

	t->done(t->context, STORE_AGAIN, NULL, 0, why);
}

int reader_get_rows(struct reader *reader, const struct rows_source *source,
		    const void *query, store_rows_fn *done, void *context,
		    struct sp_error *err)
{
	struct rows_task t = {
		.task = { .run = run_rows, .fail = fail_rows },
		.source = source,
		.done = done,
		.context = context,
	};
	size_t limit;

	memcpy(&t.query, query, source->query_size);
	memcpy(&limit, (const char *)query + source->limit_at, sizeof(limit));
	if (limit < 1 || limit > source->limit_max)
		return sp_error_set(err, "limit: not 1 to %zu",
				    source->limit_max);
	if (rows_check(source->query.object, &t.query,
		       source->query.statement->name, err) < 0)
		return -1;
	return reader_put_copy(reader, &t, sizeof(t), err);
}
