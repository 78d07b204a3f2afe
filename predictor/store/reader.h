/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader.h - queries of the history, beside the store's thread
 *
 * A thread with a connection of its own, which is opened for the first query
 * and closed after a while without one.  Queries run one after the other, each
 * with a timeout; see store.h for their kinds.
 */
#pragma once

#include "predictor/base/fifo.h"
#include "predictor/base/unused.h"
#include "predictor/engine/store.h"
#include "predictor/store/connection.h"

struct reader;

/* What its thread does: the beginning of a block of malloc(), freed in the end.
 * `run` passes the result on, or fails without doing so; then, unless it is
 * tried again, `fail` passes the error on. */
struct reader_task {
	struct fifo_link link;
	int (*run)(struct connection *connection, struct reader_task *task,
		   struct sp_error *err);
	void (*fail)(struct reader_task *task, bool refused,
		     const struct sp_error *why);
};

/* What a query of rows is about. */
struct rows_source {
	struct row_query query;
	size_t query_size, limit_at; /* its member `limit`, a size_t */
	size_t limit_max;
	bool is_brief; /* it has less time than others, which wait */
};

extern const struct rows_source source_runs, source_accuracy, source_use;

/* Make a reader, whose connection is for `use`. */
struct reader *reader_create(const char *conninfo,
			     const struct connection_use *use,
			     struct sp_error *err);

/* Takes the task if it succeeds.  Fails if STORE_QUERIES_MAX wait. */
int reader_put(struct reader *reader, struct reader_task *task,
	       struct sp_error *err);

/* The same with a copy of a block of `size` bytes. */
int reader_put_copy(struct reader *reader, const void *task, size_t size,
		    struct sp_error *err);

/* Refuse new queries, cancel the running one, and fail those that wait with
 * STORE_AGAIN. */
void reader_stop(struct reader *reader);

void reader_destroy(struct reader *reader); /* stops, too; NULL is allowed */

/* As in struct store_ops. */
int reader_get_prediction(struct reader *reader, const char *id,
			  store_prediction_fn *done, void *context,
			  struct sp_error *err);
int reader_get_rows(struct reader *reader, const struct rows_source *source,
		    const void *query, store_rows_fn *done, void *context,
		    struct sp_error *err);
