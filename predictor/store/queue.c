/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.c - reports, imports, predictions and measurements to be stored
 *
 * A fifo for each kind, all under queue->lock, which is held for pointer
 * changes only.  What is put first into an empty queue wakes the store's thread
 * through an eventfd; how long it then lets items gather is its own affair (the
 * due times below).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/store/queue.h"

#define PREDICTIONS_DELAY_S  0.2
#define MEASUREMENTS_DELAY_S 0.5

#define LOAD_S 5.0 /* a sender of reports waits for less than 20 */

int queue_init(struct queue *queue, struct sp_error *err)
{
	*queue = (struct queue){
		.wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
		.load_since_s = HUGE_VAL,
	};
	if (queue->wake_fd < 0)
		return sp_error_set(err, "eventfd: %s", strerror(errno));
	ordered_lock_init(&queue->lock, LOCK_QUEUE);
	spares_init(&queue->spares);
	fifo_init(&queue->reports);
	fifo_init(&queue->imports);
	fifo_init(&queue->predictions);
	fifo_init(&queue->measurements);
	sp_error_set(&queue->status.last, "PostgreSQL: not connected yet");
	return 0;
}

static void free_items(struct fifo *fifo)
{
	void *item;

	while ((item = fifo_take(fifo, 1, 0)))
		free(item);
}

void queue_fini(struct queue *queue)
{
	free_items(&queue->predictions);
	free_items(&queue->measurements);
	spares_fini(&queue->spares);
	ordered_lock_destroy(&queue->lock);
	close(queue->wake_fd);
}

/* A write fails only if the counter is full: then it is readable, too. */
static void queue_wake(struct queue *queue)
{
	uint64_t one = 1;

	if (write(queue->wake_fd, &one, sizeof(one)) < 0)
		return;
}

void queue_open(struct queue *queue)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	queue->open = true;
	queue->status.up = true;
	queue->status.last.text[0] = '\0';
}

void queue_close(struct queue *queue, const struct sp_error *why)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	queue->open = false;
	queue->status.up = false;
	queue->status.last = *why;
}

void queue_begin_load(struct queue *queue)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	queue->load_since_s = clock_monotonic_s();
}

/* --- Putting -------------------------------------------------------------- */

static struct report_item *report_copy(const struct store_report *report)
{
	size_t runs_size = report->runs_count * sizeof(struct run);
	size_t shares_size = report->shares_count * sizeof(struct run_share);
	size_t profiles_size =
		report->profiles_count * sizeof(struct profile_share);
	struct report_item *item =
		malloc(sizeof(*item) + runs_size + shares_size + profiles_size);

	if (!item)
		return NULL;
	struct run *runs = (struct run *)(item + 1);
	struct run_share *shares =
		(struct run_share *)(runs + report->runs_count);
	struct profile_share *profiles =
		(struct profile_share *)(shares + report->shares_count);

	*item = (struct report_item){
		.runs_count = report->runs_count,
		.shares_count = report->shares_count,
		.runs = runs,
		.shares = shares,
		.profiles_count = report->profiles_count,
		.profiles = profiles,
	};
	if (runs_size)
		memcpy(runs, report->runs, runs_size);
	if (shares_size)
		memcpy(shares, report->shares, shares_size);
	if (profiles_size)
		memcpy(profiles, report->profiles, profiles_size);
	return item;
}

/* Put an item, which is freed if it is refused. */
static int put_or_refuse(struct queue *queue, struct fifo *fifo,
			 struct fifo_link *item, size_t weight,
			 size_t count_max, const char *what,
			 struct sp_error *err)
{
	int rc = 0;

	ordered_lock_take(&queue->lock);
	if (!queue->open)
		rc = sp_error_set(err, "not stored: %s",
				  queue->status.last.text);
	else if (fifo == &queue->reports &&
		 clock_monotonic_s() - queue->load_since_s > LOAD_S)
		rc = sp_error_set(err, "not stored: the history is being read");
	else if (fifo->count >= count_max)
		rc = sp_error_set(err, "not stored: %zu %s wait for PostgreSQL",
				  fifo->count, what);
	else
		fifo_put(fifo, item, weight);
	ordered_lock_give(&queue->lock);
	if (rc < 0)
		free(item);
	else
		queue_wake(queue);
	return rc;
}

int queue_put_report(struct queue *queue, const struct store_report *report,
		     store_done_fn *done, void *context, struct sp_error *err)
{
	struct report_item *item = report_copy(report);

	if (!item)
		return sp_error_set(err, "out of memory for a report");
	item->done = done;
	item->context = context;
	return put_or_refuse(queue, &queue->reports, &item->link,
			     item->runs_count + item->shares_count,
			     QUEUE_REPORTS_MAX, "reports", err);
}

int queue_put_import(struct queue *queue, const struct store_import *import,
		     store_imported_fn *done, void *context,
		     struct sp_error *err)
{
	size_t size = import->runs_count * sizeof(struct run);
	struct import_item *item;

	if (import->runs_count > STORE_IMPORT_RUNS_MAX)
		return sp_error_set(err,
				    "not stored: more than %d runs at once",
				    STORE_IMPORT_RUNS_MAX);
	item = malloc(sizeof(*item) + size);
	if (!item)
		return sp_error_set(err, "out of memory for an import");
	*item = (struct import_item){ .done = done,
				      .context = context,
				      .last = import->last,
				      .runs_count = import->runs_count };
	if (size)
		memcpy(item->runs, import->runs, size);
	return put_or_refuse(queue, &queue->imports, &item->link,
			     item->runs_count, STORE_IMPORTS_MAX, "imports",
			     err);
}

/* Free the oldest items while they weigh more than `max`; the lock is held. */
static void drop_oldest(struct queue *queue, struct fifo *fifo, size_t max)
{
	while (fifo->weight > max) {
		struct fifo_link *oldest = fifo_take(fifo, 1, 0);

		queue->status.dropped += oldest->weight;
		free(oldest);
	}
}

/* Put an item; if there is no room, the oldest go. */
static void put_or_drop(struct queue *queue, struct fifo *fifo,
			struct fifo_link *item, size_t weight,
			size_t weight_max, double *since_s)
{
	bool first;

	ordered_lock_take(&queue->lock);
	first = fifo->count == 0;
	if (first)
		*since_s = clock_monotonic_s();
	fifo_put(fifo, item, weight);
	drop_oldest(queue, fifo, weight_max);
	ordered_lock_give(&queue->lock);
	if (first)
		queue_wake(queue);
}

void queue_put_prediction(struct queue *queue, const struct prediction *p)
{
	struct prediction_item *item = spares_take(&queue->spares);

	if (!item) {
		queue_count_dropped(queue, 1);
		return;
	}
	item->prediction = *p;
	put_or_drop(queue, &queue->predictions, &item->link, 1,
		    QUEUE_PREDICTIONS_MAX, &queue->predictions_since_s);
}

/* Rows of nodes and of links begin with the cluster. */
static void put_rows(struct queue *queue, bool links, const char *cluster,
		     const void *rows, size_t size, size_t count)
{
	struct measurements_item *item = NULL;

	if (count && count <= QUEUE_BATCH_MEASUREMENTS)
		item = calloc(1, sizeof(*item) + count * sizeof(item->rows[0]));
	if (!item) {
		queue_count_dropped(queue, count);
		return;
	}
	item->count = count;
	item->links = links;
	for (size_t i = 0; i < count; i++) {
		void *to = links ? (void *)&item->rows[i].link.link
				 : &item->rows[i].node.measurement;

		strncpy(item->rows[i].node.cluster, cluster,
			sizeof(item->rows[i].node.cluster) - 1);
		memcpy(to, (const char *)rows + i * size, size);
	}
	put_or_drop(queue, &queue->measurements, &item->link, item->count,
		    QUEUE_MEASUREMENTS_MAX, &queue->measurements_since_s);
}

void queue_put_measurements(struct queue *queue, const char *cluster,
			    const struct measurement *m, size_t count)
{
	put_rows(queue, false, cluster, m, sizeof(*m), count);
}

void queue_put_links(struct queue *queue, const char *cluster,
		     const struct link_measurement *m, size_t count)
{
	put_rows(queue, true, cluster, m, sizeof(*m), count);
}

/* --- Taking --------------------------------------------------------------- */

static void *take_list(struct queue *queue, struct fifo *fifo, size_t count_max,
		       size_t weight_max)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	return fifo_take(fifo, count_max, weight_max);
}

struct report_item *queue_take_reports(struct queue *queue)
{
	return take_list(queue, &queue->reports, QUEUE_BATCH_REPORTS,
			 QUEUE_BATCH_RUNS);
}

struct import_item *queue_take_import(struct queue *queue)
{
	return take_list(queue, &queue->imports, 1, 0);
}

struct prediction_item *queue_take_predictions(struct queue *queue)
{
	return take_list(queue, &queue->predictions, QUEUE_BATCH_PREDICTIONS,
			 QUEUE_BATCH_PREDICTIONS);
}

struct measurements_item *queue_take_measurements(struct queue *queue)
{
	return take_list(queue, &queue->measurements, SIZE_MAX,
			 QUEUE_BATCH_MEASUREMENTS);
}

void queue_recycle_predictions(struct queue *queue,
			       struct prediction_item *list)
{
	spares_give(&queue->spares, list);
}

static void return_items(struct queue *queue, struct fifo *fifo,
			 struct fifo_link *list, size_t weight_max)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	fifo_return(fifo, list);
	drop_oldest(queue, fifo, weight_max);
}

void queue_return_predictions(struct queue *queue, struct prediction_item *list)
{
	if (list)
		return_items(queue, &queue->predictions, &list->link,
			     QUEUE_PREDICTIONS_MAX);
}

void queue_return_measurements(struct queue *queue,
			       struct measurements_item *list)
{
	if (list)
		return_items(queue, &queue->measurements, &list->link,
			     QUEUE_MEASUREMENTS_MAX);
}

/* --- Status --------------------------------------------------------------- */

double queue_reports_due_s(struct queue *queue)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	return queue->reports.count || queue->imports.count ? 0 : HUGE_VAL;
}

double queue_predictions_due_s(struct queue *queue)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	return queue->predictions.count == 0 ? HUGE_VAL
	       : queue->predictions.count >= QUEUE_BATCH_PREDICTIONS
		       ? 0
		       : queue->predictions_since_s + PREDICTIONS_DELAY_S;
}

double queue_measurements_due_s(struct queue *queue)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	return queue->measurements.count == 0
		       ? HUGE_VAL
		       : queue->measurements_since_s + MEASUREMENTS_DELAY_S;
}

void queue_count_stored(struct queue *queue, size_t runs)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	queue->status.runs_stored += runs;
}

void queue_count_dropped(struct queue *queue, size_t count)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	queue->status.dropped += count;
}

void queue_set_ready(struct queue *queue)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	queue->status.ready = true;
	queue->load_since_s = HUGE_VAL;
}

void queue_status(struct queue *queue, struct store_status *ret)
{
	ORDERED_LOCK_HOLD(&queue->lock);

	*ret = queue->status;
	ret->waiting = queue->predictions.weight + queue->measurements.weight;
}
