/* SPDX-License-Identifier: GPL-2.0-or-later */
/* postgres.c - the history store in PostgreSQL: start, end, and operations
 *
 * Three threads have a connection each: thread.c writes, and follows what
 * other daemons commit; reader.c runs queries, and another one of it stores and
 * reads traces, which are large (traces.c).  This file starts and ends them,
 * and is the table of operations (store.h), each of which queues a task for one
 * of them or copies a status.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/store/thread.h"
#include "predictor/store/traces.h"

static const struct connection_use writing = { writer_settings,
					       writer_statements };
static const struct connection_use reading = { reader_settings,
					       reader_statements };

static void postgres_free(struct postgres *store)
{
	reader_destroy(store->reader);
	reader_destroy(store->traces);
	free(store->conninfo);
	close(store->stop.fd);
	free(store);
}

struct postgres *postgres_create(const struct postgres_config *config,
				 const struct store_sink *sink,
				 struct sp_error *err)
{
	struct postgres *store = calloc(1, sizeof(*store));

	if (!store)
		return sp_error_null(err, "out of memory for the store");
	store->stop.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	store->stop.by_s = HUGE_VAL;
	store->conninfo = strdup(config->conninfo);
	store->keep_days = config->measurements_keep_days;
	store->history_days = config->history_days;
	store->trace_quota_bytes = config->trace_quota_bytes;
	store->sink = *sink;
	store->backoff_s = BACKOFF_MIN_S;
	connection_init(&store->connection, &store->stop, &writing);
	if (!store->conninfo || store->stop.fd < 0 ||
	    getrandom(&store->origin, sizeof(store->origin), 0) < 0) {
		sp_error_set(err, "cannot start the store: %s",
			     strerror(errno));
		goto failed;
	}
	store->reader = reader_create(store->conninfo, &reading, err);
	if (store->reader)
		store->traces =
			reader_create(store->conninfo, &traces_use, err);
	if (!store->traces || queue_init(&store->queue, err) < 0)
		goto failed;

	int rc = pthread_create(&store->thread, NULL, postgres_thread, store);

	if (rc == 0)
		return store;
	sp_error_set(err, "cannot start the store's thread: %s", strerror(rc));
	queue_fini(&store->queue);
failed:
	postgres_free(store);
	return NULL;
}

void postgres_destroy(struct postgres *store, double timeout_s)
{
	uint64_t one = 1;

	if (!store)
		return;
	reader_stop(store->reader);
	reader_stop(store->traces);
	store->stop.by_s = clock_monotonic_s() + timeout_s;
	if (write(store->stop.fd, &one, sizeof(one)) < 0)
		log_error("store: eventfd: %s", strerror(errno));
	pthread_join(store->thread, NULL);
	queue_fini(&store->queue);
	postgres_free(store);
}

static int put_report(void *store, const struct store_report *report,
		      store_done_fn *done, void *context, struct sp_error *err)
{
	struct postgres *postgres = store;

	return queue_put_report(&postgres->queue, report, done, context, err);
}

static int put_import(void *store, const struct store_import *import,
		      store_imported_fn *done, void *context,
		      struct sp_error *err)
{
	struct postgres *postgres = store;

	return queue_put_import(&postgres->queue, import, done, context, err);
}

/* A query that a reader runs; `get` puts it into the reader's queue, whose
 * further arguments come first. */
#define QUERY(name, query_type, done_type, get, ...)                           \
	static int name(void *store, const query_type *query, done_type *done, \
			void *context, struct sp_error *err)                   \
	{                                                                      \
		struct postgres *postgres = store;                             \
                                                                               \
		return get(postgres->__VA_ARGS__, query, done, context, err);  \
	}

QUERY(get_prediction, char, store_prediction_fn, reader_get_prediction, reader)
QUERY(get_runs, struct store_runs_query, store_rows_fn, reader_get_rows, reader,
      &source_runs)
QUERY(get_accuracy, struct store_accuracy_query, store_rows_fn, reader_get_rows,
      reader, &source_accuracy)
QUERY(get_use, struct store_use_query, store_rows_fn, reader_get_rows, reader,
      &source_use)
QUERY(get_traces, struct store_trace_query, store_traces_fn, traces_get, traces)

static int put_trace(void *store, const struct trace_block *block,
		     store_trace_kept_fn *done, void *context,
		     struct sp_error *err)
{
	struct postgres *postgres = store;

	return traces_put(postgres->traces, block, postgres->trace_quota_bytes,
			  done, context, err);
}

static void put_prediction(void *store, const struct prediction *p)
{
	struct postgres *postgres = store;

	queue_put_prediction(&postgres->queue, p);
}

static void put_measurements(void *store, const char *cluster,
			     const struct measurement *m, size_t count)
{
	struct postgres *postgres = store;

	queue_put_measurements(&postgres->queue, cluster, m, count);
}

static void put_links(void *store, const char *cluster,
		      const struct link_measurement *m, size_t count)
{
	struct postgres *postgres = store;

	queue_put_links(&postgres->queue, cluster, m, count);
}

static void status(void *store, struct store_status *ret)
{
	struct postgres *postgres = store;

	queue_status(&postgres->queue, ret);
}

const struct store_ops postgres_ops = {
	.put_report = put_report,
	.put_prediction = put_prediction,
	.put_measurements = put_measurements,
	.put_links = put_links,
	.put_import = put_import,
	.get_prediction = get_prediction,
	.get_runs = get_runs,
	.get_accuracy = get_accuracy,
	.get_use = get_use,
	.put_trace = put_trace,
	.get_traces = get_traces,
	.status = status,
};
