/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader.c - queries of the history, beside the store's thread
 *
 * Any thread puts a query into a fifo; the reader's thread runs it on its own
 * connection and calls the query's `done`.  reader->lock guards the fifo and
 * `closed`, and is not held while PostgreSQL works.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/ordered_lock.h"
#include "predictor/store/reader.h"

#define IDLE_S 60 /* after which the connection is closed */

struct history_query {
	struct reader_task task;
	void *context;
	union {
		store_prediction_fn *prediction;
		store_runs_fn *runs;
		store_accuracy_fn *accuracy;
	} done;
	union {
		struct prediction prediction; /* its id */
		struct store_runs_query runs;
		struct store_accuracy_query accuracy;
	} of;
};

struct reader {
	char *conninfo;
	const struct connection_use *use;
	struct store_stop stop;
	pthread_t thread;
	bool joined;

	struct ordered_lock lock; /* guards what follows */
	pthread_cond_t changed;
	bool closed;
	struct fifo queries;
};

/* --- A prediction --------------------------------------------------------- */

static int read_stages(struct connection *connection,
		       const struct history_query *q,
		       struct store_prediction *found, struct sp_error *err)
{
	PGresult *result;
	struct values values;
	int first = 0, rc;

	if (connection_run_object(connection, &statement_prediction,
				  &prediction_key_columns, &q->of.prediction,
				  &result, err) < 0)
		return -1;
	rc = rows_expect(&prediction_columns, result, &first, err);
	for (int row = 0; rc == 0 && row < PQntuples(result); row++) {
		struct prediction p;

		memset(&p, 0, sizeof(p));
		values_of_result(result, row, &values);
		rows_read(&prediction_columns, &values, 0, &p);
		application_mask(&p.application);
		found->known[p.stage] = true;
		found->stages[p.stage] = p;
	}
	PQclear(result);
	return rc;
}

/* Rows of the view run_details: its id and change come before the rest. */
static void read_run(const PGresult *result, int row, struct run *ret)
{
	struct values values;

	memset(ret, 0, sizeof(*ret));
	values_of_result(result, row, &values);
	ret->id = column_read_int8(values.of[0]);
	rows_read(&run_columns, &values, 2, ret);
	application_mask(&ret->application);
}

static int expect_runs(const PGresult *result, struct sp_error *err)
{
	int first = 2;

	return rows_expect(&run_columns, result, &first, err);
}

static int query_prediction(struct connection *connection,
			    struct reader_task *task, struct sp_error *err)
{
	const struct history_query *q = (const void *)task;
	struct store_prediction *found = calloc(1, sizeof(*found));
	PGresult *result;
	int rc;

	if (!found)
		return sp_error_set(err, "out of memory for a prediction");
	rc = read_stages(connection, q, found, err);
	if (rc == 0)
		rc = connection_run_object(connection,
					   &statement_run_of_prediction,
					   &prediction_key_columns,
					   &q->of.prediction, &result, err);
	if (rc == 0) {
		rc = expect_runs(result, err);
		found->has_run = rc == 0 && PQntuples(result) > 0;
		if (found->has_run)
			read_run(result, 0, &found->run);
		PQclear(result);
	}
	if (rc == 0)
		q->done.prediction(q->context, STORE_STORED, found, NULL);
	free(found);
	return rc;
}

static void fail_prediction(struct reader_task *task, bool refused UNUSED,
			    const struct sp_error *why)
{
	const struct history_query *q = (const void *)task;

	q->done.prediction(q->context, STORE_AGAIN, NULL, why);
}

/* --- Runs ----------------------------------------------------------------- */

static int query_runs(struct connection *connection, struct reader_task *task,
		      struct sp_error *err)
{
	const struct history_query *q = (const void *)task;
	PGresult *result;
	int rc;

	if (connection_run_object(connection, &statement_runs_page,
				  &runs_query_columns, &q->of.runs, &result,
				  err) < 0)
		return -1;
	size_t count = (size_t)PQntuples(result);
	struct run *runs = calloc(count + 1, sizeof(*runs));

	rc = runs ? expect_runs(result, err)
		  : sp_error_set(err, "out of memory for %zu runs", count);
	for (size_t i = 0; rc == 0 && i < count; i++)
		read_run(result, (int)i, &runs[i]);
	PQclear(result);
	if (rc == 0)
		q->done.runs(q->context, STORE_STORED, runs, count, NULL);
	free(runs);
	return rc;
}

static void fail_runs(struct reader_task *task, bool refused UNUSED,
		      const struct sp_error *why)
{
	const struct history_query *q = (const void *)task;

	q->done.runs(q->context, STORE_AGAIN, NULL, 0, why);
}

/* --- Accuracy ------------------------------------------------------------- */

static int query_accuracy(struct connection *connection,
			  struct reader_task *task, struct sp_error *err)
{
	const struct history_query *q = (const void *)task;
	int total = rows_count_fields(&accuracy_columns);
	PGresult *result;

	if (connection_run_object(connection, &statement_accuracy,
				  &accuracy_query_columns, &q->of.accuracy,
				  &result, err) < 0)
		return -1;

	size_t count, all = 0;
	struct store_accuracy *rows = rows_of_result(
		&accuracy_columns, result, sizeof(*rows), &count, err);

	if (rows && count)
		all = (size_t)column_read_int8(PQgetvalue(result, 0, total));
	PQclear(result);
	if (!rows)
		return -1;
	q->done.accuracy(q->context, STORE_STORED, rows, count, all, NULL);
	free(rows);
	return 0;
}

static void fail_accuracy(struct reader_task *task, bool refused UNUSED,
			  const struct sp_error *why)
{
	const struct history_query *q = (const void *)task;

	q->done.accuracy(q->context, STORE_AGAIN, NULL, 0, 0, why);
}

/* --- The thread ----------------------------------------------------------- */

/* A connection that was idle may have broken unnoticed: try once more. */
static int run_query(struct reader *reader, struct connection *connection,
		     struct reader_task *task, struct sp_error *err)
{
	bool fresh = !connection->pg;

	for (;; fresh = true) {
		if (!connection->pg &&
		    connection_open(connection, reader->conninfo, err) < 0)
			return -1;
		if (task->run(connection, task, err) == 0)
			return 0;
		if (fresh || connection->pg || !isinf(reader->stop.by_s))
			return -1;
	}
}

static void serve_query(struct reader *reader, struct connection *connection,
			struct reader_task *task)
{
	struct sp_error why = { .text = "the store is closed" };

	if (isinf(reader->stop.by_s) &&
	    run_query(reader, connection, task, &why) == 0)
		return;
	/* SQLSTATE query_canceled: by the limit of time. */
	if (strcmp(connection->sqlstate, "57014") == 0)
		sp_error_set(&why, "PostgreSQL: the query took too long; "
				   "choose a shorter time");
	log_debug("a query failed: %s", why.text);
	task->fail(task, connection_data_refused(connection), &why);
}

/* Return the next query; NULL after a while without one, or at the end. */
static struct reader_task *next_query(struct reader *reader, bool wait_idle)
{
	struct timespec until = clock_timespec(clock_monotonic_s() + IDLE_S);
	int rc = 0;

	ORDERED_LOCK_HOLD(&reader->lock);
	while (!reader->queries.count && !reader->closed && rc == 0)
		rc = ordered_lock_wait(&reader->lock, &reader->changed,
				       wait_idle ? &until : NULL);
	return fifo_take(&reader->queries, 1, 0);
}

static bool is_closed(struct reader *reader)
{
	ORDERED_LOCK_HOLD(&reader->lock);

	return reader->closed;
}

static void *reader_thread(void *argument)
{
	struct reader *reader = argument;
	struct connection connection;

	connection_init(&connection, &reader->stop, reader->use);
	for (;;) {
		struct reader_task *task =
			next_query(reader, connection.pg != NULL);

		if (task)
			serve_query(reader, &connection, task);
		else if (is_closed(reader))
			break;
		else
			connection_close(&connection);
		free(task);
	}
	connection_close(&connection);
	return NULL;
}

/* --- From outside --------------------------------------------------------- */

int reader_put(struct reader *reader, struct reader_task *task,
	       struct sp_error *err)
{
	ORDERED_LOCK_HOLD(&reader->lock);
	if (reader->closed)
		return sp_error_set(err, "the store is closed");
	if (reader->queries.count >= STORE_QUERIES_MAX)
		return sp_error_set(err, "%zu queries wait for PostgreSQL",
				    reader->queries.count);
	fifo_put(&reader->queries, &task->link, 1);
	pthread_cond_signal(&reader->changed);
	return 0;
}

int reader_put_copy(struct reader *reader, const void *task, size_t size,
		    struct sp_error *err)
{
	void *copy = malloc(size);

	if (!copy)
		return sp_error_set(err, "out of memory for a query");
	memcpy(copy, task, size);
	if (reader_put(reader, copy, err) == 0)
		return 0;
	free(copy);
	return -1;
}

int reader_get_prediction(struct reader *reader, const char *id,
			  store_prediction_fn *done, void *context,
			  struct sp_error *err)
{
	struct history_query q = { .task = { .run = query_prediction,
					     .fail = fail_prediction },
				   .context = context,
				   .done.prediction = done };

	/* Cut to size, an id that is too long might match another. */
	if (strlen(id) < sizeof(q.of.prediction.id))
		strcpy(q.of.prediction.id, id);
	return reader_put_copy(reader, &q, sizeof(q), err);
}

int reader_get_runs(struct reader *reader, const struct store_runs_query *query,
		    store_runs_fn *done, void *context, struct sp_error *err)
{
	struct history_query q = { .task = { .run = query_runs,
					     .fail = fail_runs },
				   .context = context,
				   .done.runs = done };

	if (query->limit < 1 || query->limit > STORE_RUNS_PAGE_MAX)
		return sp_error_set(err, "limit: not 1 to %d",
				    STORE_RUNS_PAGE_MAX);
	q.of.runs = *query;
	if (query->after_id == 0)
		q.of.runs.after_ended_at_s = NAN;
	if (rows_check(&runs_query_columns, &q.of.runs, "runs", err) < 0)
		return -1;
	return reader_put_copy(reader, &q, sizeof(q), err);
}

int reader_get_accuracy(struct reader *reader,
			const struct store_accuracy_query *query,
			store_accuracy_fn *done, void *context,
			struct sp_error *err)
{
	struct history_query q = { .task = { .run = query_accuracy,
					     .fail = fail_accuracy },
				   .context = context,
				   .done.accuracy = done };

	if (query->limit < 1 || query->limit > STORE_ACCURACY_MAX)
		return sp_error_set(err, "limit: not 1 to %d",
				    STORE_ACCURACY_MAX);
	q.of.accuracy = *query;
	if (rows_check(&accuracy_query_columns, &q.of.accuracy, "accuracy",
		       err) < 0)
		return -1;
	return reader_put_copy(reader, &q, sizeof(q), err);
}

static void reader_free(struct reader *reader)
{
	pthread_cond_destroy(&reader->changed);
	ordered_lock_destroy(&reader->lock);
	if (reader->stop.fd >= 0)
		close(reader->stop.fd);
	free(reader->conninfo);
	free(reader);
}

struct reader *reader_create(const char *conninfo,
			     const struct connection_use *use,
			     struct sp_error *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		sp_error_set(err, "out of memory for the store");
		return NULL;
	}
	reader->conninfo = strdup(conninfo);
	reader->use = use;
	reader->stop.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	reader->stop.by_s = HUGE_VAL;
	fifo_init(&reader->queries);
	ordered_lock_init(&reader->lock, LOCK_READER);
	clock_condition_init(&reader->changed);

	int rc = reader->conninfo && reader->stop.fd >= 0
			 ? pthread_create(&reader->thread, NULL, reader_thread,
					  reader)
			 : errno;

	if (rc == 0)
		return reader;
	sp_error_set(err, "cannot start the store's reader: %s", strerror(rc));
	reader_free(reader);
	return NULL;
}

void reader_stop(struct reader *reader)
{
	uint64_t one = 1;

	if (reader->joined)
		return;
	ordered_lock_take(&reader->lock);
	reader->closed = true;
	pthread_cond_signal(&reader->changed);
	ordered_lock_give(&reader->lock);
	reader->stop.by_s = clock_monotonic_s();
	if (write(reader->stop.fd, &one, sizeof(one)) < 0)
		log_error("store: eventfd: %s", strerror(errno));
	pthread_join(reader->thread, NULL);
	reader->joined = true;
}

void reader_destroy(struct reader *reader)
{
	if (!reader)
		return;
	reader_stop(reader);
	reader_free(reader);
}
