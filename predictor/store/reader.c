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
