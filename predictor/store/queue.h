/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.h - reports, imports, predictions and measurements to be stored
 *
 * Any thread puts, the store's thread takes.  Reports are refused when too
 * many are queued: their sender keeps them.  Nobody else keeps predictions and
 * measurements: they stay queued, and the oldest are dropped when it is full.
 */
#pragma once

#include "predictor/base/fifo.h"
#include "predictor/base/ordered_lock.h"
#include "predictor/engine/store.h"
#include "predictor/store/rows.h"
#include "predictor/store/spares.h"

#define QUEUE_REPORTS_MAX      10000
#define QUEUE_PREDICTIONS_MAX  100000
#define QUEUE_MEASUREMENTS_MAX 200000

/* Taken at once, for one transaction. */
#define QUEUE_BATCH_REPORTS      1000
#define QUEUE_BATCH_RUNS         2000 /* and shares, of several reports */
#define QUEUE_BATCH_PREDICTIONS  1000
#define QUEUE_BATCH_MEASUREMENTS 20000

struct report_item {
	struct fifo_link link;
	store_done_fn *done;
	void *context;
	int rc; /* the result */
	struct sp_error why;
	size_t runs_count, shares_count, profiles_count;
	const struct run *runs; /* in the same block of memory */
	const struct run_share *shares;
	const struct profile_share *profiles;
};

struct import_item {
	struct fifo_link link;
	store_imported_fn *done;
	void *context;
	int rc; /* the result */
	struct sp_error why;
	struct store_imported result;
	bool last;
	size_t runs_count;
	struct run runs[];
};

struct prediction_item {
	struct fifo_link link;
	struct prediction prediction;
};

/* Measurements of nodes, or of links. */
struct measurements_item {
	struct fifo_link link;
	size_t count; /* also its weight */
	bool links;
	union {
		struct measurement_row node;
		struct link_row link;
	} rows[];
};

struct queue {
	struct ordered_lock lock;
	int wake_fd; /* an eventfd: readable when something was put */

	bool open; /* for reports; else `last` of status says why */
	struct store_status status;
	double load_since_s; /* monotonic; HUGE_VAL: it is loaded */

	struct fifo reports, imports, predictions, measurements;
	/* Monotonic; when the oldest came. */
	double predictions_since_s, measurements_since_s;
	struct spares spares;
};

int queue_init(struct queue *queue, struct sp_error *err);
void queue_fini(struct queue *queue); /* frees what still waits */

/* Open or close it for reports; closing takes `why`. */
void queue_open(struct queue *queue);
void queue_close(struct queue *queue, const struct sp_error *why);

/* The history is read from now on; where that takes long reports are refused,
 * until queue_set_ready(). */
void queue_begin_load(struct queue *queue);

int queue_put_report(struct queue *queue, const struct store_report *report,
		     store_done_fn *done, void *context, struct sp_error *err);
int queue_put_import(struct queue *queue, const struct store_import *import,
		     store_imported_fn *done, void *context,
		     struct sp_error *err);
void queue_put_prediction(struct queue *queue, const struct prediction *p);
void queue_put_measurements(struct queue *queue, const char *cluster,
			    const struct measurement *m, size_t count);
void queue_put_links(struct queue *queue, const char *cluster,
		     const struct link_measurement *m, size_t count);

/* Take a list of items (fifo.h), the oldest first, at most a batch; the caller
 * owns them and frees each.  NULL: there is none. */
struct report_item *queue_take_reports(struct queue *queue);
struct import_item *queue_take_import(struct queue *queue); /* one */
struct prediction_item *queue_take_predictions(struct queue *queue);
struct measurements_item *queue_take_measurements(struct queue *queue);

/* Keep the items of a list for later use, instead of freeing them. */
void queue_recycle_predictions(struct queue *queue,
			       struct prediction_item *list);

/* Put a list that could not be stored back in front. */
void queue_return_predictions(struct queue *queue,
			      struct prediction_item *list);
void queue_return_measurements(struct queue *queue,
			       struct measurements_item *list);

/* When (monotonic) the queued items should be stored; HUGE_VAL: there are none.
 * The delays let single items gather to a batch. */
double queue_reports_due_s(struct queue *queue); /* and imports */
double queue_predictions_due_s(struct queue *queue);
double queue_measurements_due_s(struct queue *queue);

/* Counters and state for queue_status(). */
void queue_count_stored(struct queue *queue, size_t runs);
void queue_count_dropped(struct queue *queue, size_t count);
void queue_set_ready(struct queue *queue); /* the history is loaded */
void queue_status(struct queue *queue, struct store_status *ret);
