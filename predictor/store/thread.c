/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread.c - the store's thread: writes the queue, reads changes
 *
 * One thread does all the writing.  It connects (again and again, if it must),
 * reads the history once, and from then on writes what the queue holds and
 * reads what has changed.  Queries have a thread and a connection of
 * their own (reader.c).  Only postgres_destroy() waits for these threads, with
 * a deadline.  The queue has its lock; the rest of struct postgres is this
 * thread's own.
 *
 * When the connection is lost, queued reports are given back at once: their
 * sender keeps them and sends them again.  So are those whose commit got no
 * reply: a report that is stored twice changes nothing.
 */
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/priority.h"
#include "predictor/store/write_import.h"
#include "predictor/store/thread.h"
#include "predictor/store/write.h"

#define BACKOFF_MAX_S  5.0
#define POLL_EVERY_S   2.0    /* poll for what other predictds stored */
#define UPKEEP_EVERY_S 3600.0 /* partitions to create and to drop */
#define THIN_EVERY_S   300.0  /* replace old measurements by means */
#define THIN_AGAIN_S   2.0    /* while they lag behind */
#define THIN_FIRST_S   30.0   /* after the start, when there is much to do */

/* Once the history is read: clients wait for predictions, not for their being
 * written. */
#define NICE 10

static bool is_stopping(const struct postgres *store)
{
	return !isinf(store->stop.by_s);
}

/* --- Reports -------------------------------------------------------------- */

static void finish_reports(struct postgres *store, struct report_item *list)
{
	while (list) {
		struct report_item *item = list;

		list = fifo_next(&item->link);
		if (item->rc == STORE_STORED)
			queue_count_stored(&store->queue, item->runs_count);
		if (item->rc == STORE_REFUSED)
			log_error("a report is not stored: %s", item->why.text);
		if (item->done)
			item->done(item->context, item->rc,
				   item->rc == STORE_STORED ? NULL
							    : &item->why);
		free(item);
	}
}

static void fail_reports(struct postgres *store, const struct sp_error *why)
{
	struct report_item *list;

	while ((list = queue_take_reports(&store->queue))) {
		for (struct report_item *r = list; r; r = fifo_next(&r->link)) {
			r->rc = STORE_AGAIN;
			r->why = *why;
		}
		finish_reports(store, list);
	}
}

/* Pass changes to the sink. */
static int load_new_changes(struct postgres *store, struct sp_error *err)
{
	store->next_poll_s = clock_monotonic_s() + POLL_EVERY_S;
	if (load_changes(&store->connection, &store->sink, store->origin,
			 &store->position, err) < 0)
		return -1;
	return load_profiles(&store->connection, &store->sink, &store->position,
			     err);
}

static int load_part(struct postgres *store, enum load_pass pass,
		     struct sp_error *err)
{
	return load_history(&store->connection, &store->sink, store->origin,
			    store->history_days, pass, &store->position, err);
}

/* Pass the whole history to the sink, instead of what it has; at the start the
 * newest runs come first. */
static int load_all(struct postgres *store, struct sp_error *err)
{
	const struct store_sink *sink = &store->sink;
	bool again = store->begun;

	queue_begin_load(&store->queue);
	store->loaded = false;
	store->begun = true;
	if (!store->measured && sink->newest) {
		if (again && sink->reload_begin)
			sink->reload_begin(sink->context);
		if (load_part(store, LOAD_NEWEST, err) < 0)
			return -1;
		store->measured = true;
		sink->newest(sink->context);
		again = true;
	}
	if (again && sink->reload_begin)
		sink->reload_begin(sink->context);
	if (load_part(store, store->measured ? LOAD_AGAIN : LOAD_ALL, err) < 0)
		return -1;
	store->measured = true;
	store->loaded = true;
	queue_set_ready(&store->queue);
	sink->ready(sink->context);
	priority_set(priority_of_process() + NICE);
	return 0;
}

/* Also reload all if there was an import. */
static int poll_changes(struct postgres *store, struct sp_error *err)
{
	bool imported;

	if (load_imported(&store->connection, &store->position, &imported,
			  err) < 0)
		return -1;
	if (imported && store->sink.reload_begin && load_all(store, err) < 0)
		return -1;
	return load_new_changes(store, err);
}

/* Senders get their reply after the sink has the run, so that their next
 * request finds it. */
static int store_reports(struct postgres *store, struct sp_error *err)
{
	struct report_item *list = queue_take_reports(&store->queue);

	if (!list)
		return 0;
	int rc = write_reports(&store->connection, list, err);

	if (rc == 0 && store->loaded)
		rc = load_new_changes(store, err);
	finish_reports(store, list);
	return rc;
}

static void finish_import(struct postgres *store, struct import_item *item)
{
	if (item->rc == STORE_STORED)
		queue_count_stored(&store->queue, item->result.stored);
	item->done(item->context, item->rc, &item->result,
		   item->rc == STORE_STORED ? NULL : &item->why);
	free(item);
}

static void fail_imports(struct postgres *store, const struct sp_error *why)
{
	struct import_item *item;

	while ((item = queue_take_import(&store->queue))) {
		item->rc = STORE_AGAIN;
		item->why = *why;
		finish_import(store, item);
	}
}

/* One batch, so that reports need not wait for a whole import.  The reply to
 * the last batch is sent before the history is reloaded, which takes long. */
static int store_import(struct postgres *store, struct sp_error *err)
{
	struct import_item *item = queue_take_import(&store->queue);

	if (!item)
		return 0;
	int rc = import_write(&store->connection, item, err);

	if (item->last && item->rc == STORE_STORED)
		store->next_poll_s = 0;
	finish_import(store, item);
	return rc;
}

static int store_predictions(struct postgres *store, struct sp_error *err)
{
	struct prediction_item *list = queue_take_predictions(&store->queue);
	size_t dropped = 0;

	if (write_predictions(&store->connection, store->origin, list, &dropped,
			      err) < 0) {
		queue_return_predictions(&store->queue, list);
		return -1;
	}
	queue_count_dropped(&store->queue, dropped);
	queue_recycle_predictions(&store->queue, list);
	return 0;
}

static int store_measurements(struct postgres *store, struct sp_error *err)
{
	struct measurements_item *list = queue_take_measurements(&store->queue);
	size_t dropped = 0;

	if (write_measurements(&store->connection, store->keep_days, list,
			       &dropped, err) < 0) {
		queue_return_measurements(&store->queue, list);
		return -1;
	}
	queue_count_dropped(&store->queue, dropped);
	while (list) {
		struct measurements_item *item = list;

		list = fifo_next(&item->link);
		free(item);
	}
	return 0;
}

/* --- Up and down ---------------------------------------------------------- */

/* Create partitions ahead, drop old ones.  If another session has locked the
 * table, the next hour will do. */
static int maintain_partitions(struct postgres *store, struct sp_error *err)
{
	const struct statement *const chores[] = { &statement_create_days,
						   &statement_drop_days };
	const int64_t keep_days = store->keep_days;

	store->next_upkeep_s = clock_monotonic_s() + UPKEEP_EVERY_S;
	for (size_t i = 0; i < 2; i++) {
		if (connection_run(&store->connection, chores[i], NULL,
				   &keep_days, NULL, err) == 0)
			continue;
		if (!store->connection.pg)
			return -1;
		log_warning("days of measurements: %s", err->text);
	}
	return 0;
}

/* One step of 0.2 s at a time, so that nothing waits long for it. */
static int thin_measurements(struct postgres *store, struct sp_error *err)
{
	const int64_t keep_days = store->keep_days;
	PGresult *result = NULL;
	bool again;

	store->next_thin_s = clock_monotonic_s() + THIN_EVERY_S;
	if (connection_run(&store->connection, &statement_thin, NULL,
			   &keep_days, &result, err) < 0) {
		if (!store->connection.pg)
			return -1;
		log_warning("means of measurements: %s", err->text);
		return 0;
	}
	again = column_read_int8(PQgetvalue(result, 0, 0)) > 0;
	PQclear(result);
	if (again)
		store->next_thin_s = clock_monotonic_s() + THIN_AGAIN_S;
	return 0;
}

/* The history is loaded once; after a reconnection only changes are read. */
static int connect_and_load(struct postgres *store, struct sp_error *err)
{
	if (connection_open(&store->connection, store->conninfo, err) < 0 ||
	    maintain_partitions(store, err) < 0)
		return -1;
	queue_open(&store->queue);
	log_info("PostgreSQL: connected");
	if (is_stopping(store))
		return 0;
	if (!store->loaded && load_all(store, err) < 0)
		return -1;
	return poll_changes(store, err);
}

static void disconnect(struct postgres *store, const struct sp_error *why)
{
	connection_close(&store->connection);
	queue_close(&store->queue, why);
	fail_reports(store, why);
	fail_imports(store, why);
	if (strcmp(store->last_logged.text, why->text) != 0)
		log_error("%s; trying again until it is there", why->text);
	store->last_logged = *why;
}

/* --- The thread ----------------------------------------------------------- */

static double next_due_s(struct postgres *store)
{
	return fmin(fmin(queue_reports_due_s(&store->queue),
			 queue_predictions_due_s(&store->queue)),
		    queue_measurements_due_s(&store->queue));
}

/* The queue is empty, or the deadline has passed. */
static bool is_finished(struct postgres *store)
{
	return is_stopping(store) && (isinf(next_due_s(store)) ||
				      clock_monotonic_s() >= store->stop.by_s);
}

/* Sleep until `until_s`, an item is queued, or the store is to stop. */
static void sleep_until(struct postgres *store, double until_s)
{
	struct pollfd fds[] = {
		{ .fd = is_stopping(store) ? -1 : store->stop.fd,
		  .events = POLLIN },
		{ .fd = store->connection.pg ? store->queue.wake_fd : -1,
		  .events = POLLIN },
		{ .fd = connection_fd(&store->connection), .events = POLLIN },
	};
	double left_s = fmin(until_s, store->stop.by_s) - clock_monotonic_s();
	uint64_t count;

	if (left_s <= 0 || poll(fds, 3, (int)ceil(left_s * 1e3)) <= 0)
		return;
	if (fds[1].revents &&
	    read(store->queue.wake_fd, &count, sizeof(count)) < 0)
		return;
}

/* One turn while connected. */
static int serve_once(struct postgres *store, struct sp_error *err)
{
	double now_s = clock_monotonic_s();
	bool hurry = is_stopping(store);

	if (store_reports(store, err) < 0 || store_import(store, err) < 0)
		return -1;
	if ((hurry || queue_predictions_due_s(&store->queue) <= now_s) &&
	    store_predictions(store, err) < 0)
		return -1;
	if ((hurry || queue_measurements_due_s(&store->queue) <= now_s) &&
	    store_measurements(store, err) < 0)
		return -1;
	if (store->next_upkeep_s <= now_s &&
	    maintain_partitions(store, err) < 0)
		return -1;
	if (hurry)
		return 0;
	if (store->next_thin_s <= now_s && thin_measurements(store, err) < 0)
		return -1;
	if (store->next_poll_s <= now_s && poll_changes(store, err) < 0)
		return -1;
	/* Only now: a server that connects but cannot write (its disk is
	 * full) must not be tried, nor logged, all the time. */
	store->backoff_s = BACKOFF_MIN_S;
	store->last_logged.text[0] = '\0';
	sleep_until(store, fmin(next_due_s(store),
				fmin(store->next_poll_s, store->next_thin_s)));
	return connection_idle(&store->connection, err);
}

void *postgres_thread(void *postgres)
{
	struct postgres *store = postgres;
	struct sp_error why = { .text = "the store is closed" };

	store->next_thin_s = clock_monotonic_s() + THIN_FIRST_S;
	while (!is_finished(store)) {
		if (store->connection.pg ? serve_once(store, &why) == 0
					 : connect_and_load(store, &why) == 0)
			continue;
		disconnect(store, &why);
		sleep_until(store, clock_monotonic_s() + store->backoff_s);
		store->backoff_s = fmin(2 * store->backoff_s, BACKOFF_MAX_S);
	}
	sp_error_set(&why, "the store is closed");
	connection_close(&store->connection);
	queue_close(&store->queue, &why);
	fail_reports(store, &why);
	fail_imports(store, &why);
	return NULL;
}
