/* queue.c - what waits to be stored */
#include <assert.h>
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

int queue_init(struct queue *queue, struct sp_error *err)
{
	*queue = (struct queue){
		.wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
	};
	if (queue->wake_fd < 0)
		return sp_error_set(err, "eventfd: %s", strerror(errno));
	pthread_mutex_init(&queue->lock, NULL);
	spares_init(&queue->spares);
	queue->last_report = &queue->first_report;
	queue->last_import = &queue->first_import;
	queue->last_prediction = &queue->first_prediction;
	queue->last_measurements = &queue->first_measurements;
	sp_error_set(&queue->status.last, "PostgreSQL: not connected yet");
	return 0;
}

void queue_fini(struct queue *queue)
{
	struct prediction_item *p;
	struct measurements_item *m;

	while ((p = queue->first_prediction)) {
		queue->first_prediction = p->next;
		free(p);
	}
	while ((m = queue->first_measurements)) {
		queue->first_measurements = m->next;
		free(m);
	}
	spares_fini(&queue->spares);
	pthread_mutex_destroy(&queue->lock);
	close(queue->wake_fd);
}

/* A counter that is full has been written to, too: the thread will wake. */
static void queue_wake(struct queue *queue)
{
	uint64_t one = 1;

	if (write(queue->wake_fd, &one, sizeof(one)) < 0)
		return;
}

void queue_open(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->open = true;
	queue->status.up = true;
	queue->status.last.text[0] = '\0';
	pthread_mutex_unlock(&queue->lock);
}

void queue_close(struct queue *queue, const struct sp_error *why)
{
	pthread_mutex_lock(&queue->lock);
	queue->open = false;
	queue->status.up = false;
	queue->status.last = *why;
	pthread_mutex_unlock(&queue->lock);
}

/* --- Putting ------------------------------------------------------------------ */

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

/* Whether one more may wait, of which `count` do; the lock is held. */
static int check_room(const struct queue *queue, size_t count, size_t max,
		      const char *what, struct sp_error *err)
{
	if (!queue->open)
		return sp_error_set(err, "not stored: %s",
				    queue->status.last.text);
	if (count >= max)
		return sp_error_set(err,
				    "not stored: %zu %s wait for PostgreSQL",
				    count, what);
	return 0;
}

int queue_put_report(struct queue *queue, const struct store_report *report,
		     store_done_fn *done, void *context, struct sp_error *err)
{
	struct report_item *item = report_copy(report);

	if (!item)
		return sp_error_set(err, "out of memory for a report");
	item->done = done;
	item->context = context;
	pthread_mutex_lock(&queue->lock);
	int rc = check_room(queue, queue->reports, QUEUE_REPORTS_MAX, "reports",
			    err);

	if (rc == 0) {
		*queue->last_report = item;
		queue->last_report = &item->next;
		queue->reports++;
	}
	pthread_mutex_unlock(&queue->lock);
	if (rc < 0)
		free(item);
	else
		queue_wake(queue);
	return rc;
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
	pthread_mutex_lock(&queue->lock);
	int rc = check_room(queue, queue->imports, STORE_IMPORTS_MAX, "imports",
			    err);

	if (rc == 0) {
		*queue->last_import = item;
		queue->last_import = &item->next;
		queue->imports++;
	}
	pthread_mutex_unlock(&queue->lock);
	if (rc < 0)
		free(item);
	else
		queue_wake(queue);
	return rc;
}

/* The oldest goes; the lock is held. */
static void drop_prediction(struct queue *queue)
{
	struct prediction_item *oldest = queue->first_prediction;

	assert(oldest); /* they have been counted */
	queue->first_prediction = oldest->next;
	if (!queue->first_prediction)
		queue->last_prediction = &queue->first_prediction;
	queue->predictions--;
	queue->status.dropped++;
	free(oldest);
}

static void drop_measurements(struct queue *queue)
{
	struct measurements_item *oldest = queue->first_measurements;

	assert(oldest);
	queue->first_measurements = oldest->next;
	if (!queue->first_measurements)
		queue->last_measurements = &queue->first_measurements;
	queue->measurements -= oldest->count;
	queue->status.dropped += oldest->count;
	free(oldest);
}

void queue_put_prediction(struct queue *queue, const struct prediction *p)
{
	struct prediction_item *item = spares_take(&queue->spares);
	bool first;

	if (!item) {
		queue_count_dropped(queue, 1);
		return;
	}
	item->next = NULL;
	item->prediction = *p;
	pthread_mutex_lock(&queue->lock);
	first = queue->predictions == 0;
	if (first)
		queue->predictions_since_s = clock_monotonic_s();
	*queue->last_prediction = item;
	queue->last_prediction = &item->next;
	if (++queue->predictions > QUEUE_PREDICTIONS_MAX)
		drop_prediction(queue);
	pthread_mutex_unlock(&queue->lock);
	if (first)
		queue_wake(queue);
}

/* Room for so many; NULL: they are dropped. */
static struct measurements_item *measurements_create(struct queue *queue,
						     size_t count)
{
	struct measurements_item *item = NULL;

	if (count <= QUEUE_BATCH_MEASUREMENTS)
		item = calloc(1, sizeof(*item) + count * sizeof(item->rows[0]));
	if (item)
		item->count = count;
	else
		queue_count_dropped(queue, count);
	return item;
}

static void put_measurements(struct queue *queue,
			     struct measurements_item *item)
{
	bool first;

	pthread_mutex_lock(&queue->lock);
	first = queue->measurements == 0;
	if (first)
		queue->measurements_since_s = clock_monotonic_s();
	*queue->last_measurements = item;
	queue->last_measurements = &item->next;
	queue->measurements += item->count;
	while (queue->measurements > QUEUE_MEASUREMENTS_MAX)
		drop_measurements(queue);
	pthread_mutex_unlock(&queue->lock);
	if (first)
		queue_wake(queue);
}

void queue_put_measurements(struct queue *queue, const char *cluster,
			    const struct measurement *m, size_t count)
{
	struct measurements_item *item =
		count ? measurements_create(queue, count) : NULL;

	if (!item)
		return;
	for (size_t i = 0; i < count; i++) {
		strncpy(item->rows[i].node.cluster, cluster,
			sizeof(item->rows[i].node.cluster) - 1);
		item->rows[i].node.measurement = m[i];
	}
	put_measurements(queue, item);
}

void queue_put_links(struct queue *queue, const char *cluster,
		     const struct link_measurement *m, size_t count)
{
	struct measurements_item *item =
		count ? measurements_create(queue, count) : NULL;

	if (!item)
		return;
	item->links = true;
	for (size_t i = 0; i < count; i++) {
		strncpy(item->rows[i].link.cluster, cluster,
			sizeof(item->rows[i].link.cluster) - 1);
		item->rows[i].link.link = m[i];
	}
	put_measurements(queue, item);
}

/* --- Taking ------------------------------------------------------------------ */

struct report_item *queue_take_reports(struct queue *queue)
{
	size_t count = 0, rows = 0;

	pthread_mutex_lock(&queue->lock);
	struct report_item *list = queue->first_report, **end = &list;

	while (*end && count < QUEUE_BATCH_REPORTS && rows < QUEUE_BATCH_RUNS) {
		rows += (*end)->runs_count + (*end)->shares_count;
		count++;
		end = &(*end)->next;
	}
	queue->first_report = *end;
	if (!*end)
		queue->last_report = &queue->first_report;
	*end = NULL;
	queue->reports -= count;
	pthread_mutex_unlock(&queue->lock);
	return count ? list : NULL;
}

struct import_item *queue_take_import(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	struct import_item *item = queue->first_import;

	if (item) {
		queue->first_import = item->next;
		if (!queue->first_import)
			queue->last_import = &queue->first_import;
		item->next = NULL;
		queue->imports--;
	}
	pthread_mutex_unlock(&queue->lock);
	return item;
}

struct prediction_item *queue_take_predictions(struct queue *queue)
{
	size_t count = 0;

	pthread_mutex_lock(&queue->lock);
	struct prediction_item *list = queue->first_prediction, **end = &list;

	while (*end && count < QUEUE_BATCH_PREDICTIONS) {
		count++;
		end = &(*end)->next;
	}
	queue->first_prediction = *end;
	if (!*end)
		queue->last_prediction = &queue->first_prediction;
	*end = NULL;
	queue->predictions -= count;
	pthread_mutex_unlock(&queue->lock);
	return count ? list : NULL;
}

struct measurements_item *queue_take_measurements(struct queue *queue)
{
	size_t count = 0;

	pthread_mutex_lock(&queue->lock);
	struct measurements_item *list = queue->first_measurements;
	struct measurements_item **end = &list;

	/* One item is never larger than a batch, so one can be taken. */
	while (*end && count + (*end)->count <= QUEUE_BATCH_MEASUREMENTS) {
		count += (*end)->count;
		end = &(*end)->next;
	}
	queue->first_measurements = *end;
	if (!*end)
		queue->last_measurements = &queue->first_measurements;
	*end = NULL;
	queue->measurements -= count;
	pthread_mutex_unlock(&queue->lock);
	return count ? list : NULL;
}

void queue_recycle_predictions(struct queue *queue,
			       struct prediction_item *list)
{
	spares_give(&queue->spares, list);
}

void queue_return_predictions(struct queue *queue, struct prediction_item *list)
{
	if (!list)
		return;
	pthread_mutex_lock(&queue->lock);
	struct prediction_item **end = &list;

	while (*end) {
		queue->predictions++;
		end = &(*end)->next;
	}
	*end = queue->first_prediction;
	if (!*end)
		queue->last_prediction = end;
	queue->first_prediction = list;
	while (queue->predictions > QUEUE_PREDICTIONS_MAX)
		drop_prediction(queue);
	pthread_mutex_unlock(&queue->lock);
}

void queue_return_measurements(struct queue *queue,
			       struct measurements_item *list)
{
	if (!list)
		return;
	pthread_mutex_lock(&queue->lock);
	struct measurements_item **end = &list;

	while (*end) {
		queue->measurements += (*end)->count;
		end = &(*end)->next;
	}
	*end = queue->first_measurements;
	if (!*end)
		queue->last_measurements = end;
	queue->first_measurements = list;
	while (queue->measurements > QUEUE_MEASUREMENTS_MAX)
		drop_measurements(queue);
	pthread_mutex_unlock(&queue->lock);
}

/* --- Looking ----------------------------------------------------------------- */

double queue_reports_due_s(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	double due_s = queue->reports || queue->imports ? 0 : HUGE_VAL;
	pthread_mutex_unlock(&queue->lock);
	return due_s;
}

double queue_predictions_due_s(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	double due_s =
		queue->predictions == 0 ? HUGE_VAL
		: queue->predictions >= QUEUE_BATCH_PREDICTIONS
			? 0
			: queue->predictions_since_s + PREDICTIONS_DELAY_S;
	pthread_mutex_unlock(&queue->lock);
	return due_s;
}

double queue_measurements_due_s(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	double due_s = queue->measurements == 0 ? HUGE_VAL
						: queue->measurements_since_s +
							  MEASUREMENTS_DELAY_S;
	pthread_mutex_unlock(&queue->lock);
	return due_s;
}

void queue_count_stored(struct queue *queue, size_t runs)
{
	pthread_mutex_lock(&queue->lock);
	queue->status.runs_stored += runs;
	pthread_mutex_unlock(&queue->lock);
}

void queue_count_dropped(struct queue *queue, size_t count)
{
	pthread_mutex_lock(&queue->lock);
	queue->status.dropped += count;
	pthread_mutex_unlock(&queue->lock);
}

void queue_set_ready(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->status.ready = true;
	pthread_mutex_unlock(&queue->lock);
}

void queue_status(struct queue *queue, struct store_status *ret)
{
	pthread_mutex_lock(&queue->lock);
	*ret = queue->status;
	ret->waiting = queue->predictions + queue->measurements;
	pthread_mutex_unlock(&queue->lock);
}
