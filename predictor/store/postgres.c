/* postgres.c - the history store in PostgreSQL
 *
 * One thread does all the talking.  It connects (again and again, if it must),
 * reads the history once, and from then on writes what the queue holds and
 * reads what has changed.  Nobody ever waits for it but postgres_destroy(),
 * and that not for longer than it was told to.
 *
 * When the connection is lost, reports that wait are given back at once: their
 * sender keeps them and sends them again.  That goes for a commit without an
 * answer, too; storing a report twice is storing it once.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/store/load.h"
#include "predictor/store/postgres.h"
#include "predictor/store/write.h"

#define BACKOFF_MIN_S  0.2
#define BACKOFF_MAX_S  5.0
#define LOOK_EVERY_S   2.0    /* for what other predictds have stored */
#define UPKEEP_EVERY_S 3600.0 /* partitions to make and to drop */

struct postgres {
	char *conninfo;
	int keep_days;
	struct store_sink sink;
	struct queue queue;
	struct stop stop;
	pthread_t thread;

	/* The thread's own. */
	struct connection connection;
	int64_t origin; /* marks our predictions */
	int64_t change; /* the last one that the sink has seen */
	bool loaded;
	double backoff_s;
	double next_look_s, next_upkeep_s;
	struct sp_error last_said; /* an outage is logged once */
};

static bool stopping(const struct postgres *store)
{
	return !isinf(store->stop.by_s);
}

/* --- Reports ------------------------------------------------------------------ */

static void finish_reports(struct postgres *store, struct report_item *list)
{
	while (list) {
		struct report_item *item = list;

		list = item->next;
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

static void give_reports_back(struct postgres *store,
			      const struct sp_error *why)
{
	struct report_item *list;

	while ((list = queue_take_reports(&store->queue))) {
		for (struct report_item *r = list; r; r = r->next) {
			r->rc = STORE_AGAIN;
			r->why = *why;
		}
		finish_reports(store, list);
	}
}

/* Hand to the sink what has changed. */
static int look(struct postgres *store, struct sp_error *err)
{
	store->next_look_s = clock_monotonic_s() + LOOK_EVERY_S;
	return load_changes(&store->connection, &store->sink, store->origin,
			    &store->change, err);
}

/* Senders hear of it after the sink has: who asks next must find the run. */
static int store_reports(struct postgres *store, struct sp_error *err)
{
	struct report_item *list = queue_take_reports(&store->queue);

	if (!list)
		return 0;
	int rc = write_reports(&store->connection, list, err);

	if (rc == 0 && store->loaded)
		rc = look(store, err);
	finish_reports(store, list);
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
	while (list) {
		struct prediction_item *item = list;

		list = item->next;
		free(item);
	}
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

		list = item->next;
		free(item);
	}
	return 0;
}

/* --- Up and down -------------------------------------------------------------- */

/* Make partitions ahead, drop old ones.  Somebody may hold the table: that is
 * not worth a new connection, the next hour will do. */
static int upkeep(struct postgres *store, struct sp_error *err)
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

/* The loading happens once; after a reconnection only what is new is read. */
static int come_up(struct postgres *store, struct sp_error *err)
{
	if (connection_open(&store->connection, store->conninfo, err) < 0 ||
	    upkeep(store, err) < 0)
		return -1;
	queue_open(&store->queue);
	log_info("PostgreSQL: connected");
	if (stopping(store))
		return 0;
	if (!store->loaded) {
		if (load_history(&store->connection, &store->sink,
				 &store->change, err) < 0)
			return -1;
		store->loaded = true;
		queue_set_ready(&store->queue);
		store->sink.ready(store->sink.context);
	}
	return look(store, err);
}

static void go_down(struct postgres *store, const struct sp_error *why)
{
	connection_close(&store->connection);
	queue_close(&store->queue, why);
	give_reports_back(store, why);
	if (strcmp(store->last_said.text, why->text) != 0)
		log_error("%s; trying again until it is there", why->text);
	store->last_said = *why;
}

/* --- The thread ---------------------------------------------------------------- */

static double next_due_s(struct postgres *store)
{
	return fmin(fmin(queue_reports_due_s(&store->queue),
			 queue_predictions_due_s(&store->queue)),
		    queue_measurements_due_s(&store->queue));
}

/* Nothing waits any more, or there is no time left. */
static bool finished(struct postgres *store)
{
	return stopping(store) && (isinf(next_due_s(store)) ||
				   clock_monotonic_s() >= store->stop.by_s);
}

/* Sleep until `until_s`, until there is something new, or until we stop. */
static void rest(struct postgres *store, double until_s)
{
	struct pollfd fds[] = {
		{ .fd = stopping(store) ? -1 : store->stop.fd,
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
static int serve(struct postgres *store, struct sp_error *err)
{
	double now_s = clock_monotonic_s();
	bool hurry = stopping(store);

	if (store_reports(store, err) < 0)
		return -1;
	if ((hurry || queue_predictions_due_s(&store->queue) <= now_s) &&
	    store_predictions(store, err) < 0)
		return -1;
	if ((hurry || queue_measurements_due_s(&store->queue) <= now_s) &&
	    store_measurements(store, err) < 0)
		return -1;
	if (store->next_upkeep_s <= now_s && upkeep(store, err) < 0)
		return -1;
	if (hurry)
		return 0;
	if (store->next_look_s <= now_s && look(store, err) < 0)
		return -1;
	/* Only now: a server that connects but cannot write (its disk is
	 * full) must not be asked, and not be complained of, all the time. */
	store->backoff_s = BACKOFF_MIN_S;
	store->last_said.text[0] = '\0';
	rest(store, fmin(next_due_s(store), store->next_look_s));
	return connection_idle(&store->connection, err);
}

static void *postgres_thread(void *argument)
{
	struct postgres *store = argument;
	struct sp_error why = { .text = "the store is closed" };

	while (!finished(store)) {
		if (store->connection.pg ? serve(store, &why) == 0
					 : come_up(store, &why) == 0)
			continue;
		go_down(store, &why);
		rest(store, clock_monotonic_s() + store->backoff_s);
		store->backoff_s = fmin(2 * store->backoff_s, BACKOFF_MAX_S);
	}
	sp_error_set(&why, "the store is closed");
	connection_close(&store->connection);
	queue_close(&store->queue, &why);
	give_reports_back(store, &why);
	return NULL;
}

/* --- From outside ---------------------------------------------------------------- */

static void postgres_free(struct postgres *store)
{
	free(store->conninfo);
	close(store->stop.fd);
	free(store);
}

struct postgres *postgres_create(const struct postgres_config *config,
				 const struct store_sink *sink,
				 struct sp_error *err)
{
	struct postgres *store = calloc(1, sizeof(*store));

	if (!store) {
		sp_error_set(err, "out of memory for the store");
		return NULL;
	}
	store->stop.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	store->stop.by_s = HUGE_VAL;
	store->conninfo = strdup(config->conninfo);
	store->keep_days = config->measurements_keep_days;
	store->sink = *sink;
	store->backoff_s = BACKOFF_MIN_S;
	connection_init(&store->connection, &store->stop);
	if (!store->conninfo || store->stop.fd < 0 ||
	    getrandom(&store->origin, sizeof(store->origin), 0) < 0) {
		sp_error_set(err, "cannot start the store: %s",
			     strerror(errno));
		postgres_free(store);
		return NULL;
	}
	if (queue_init(&store->queue, err) < 0) {
		postgres_free(store);
		return NULL;
	}
	int rc = pthread_create(&store->thread, NULL, postgres_thread, store);

	if (rc != 0) {
		sp_error_set(err, "cannot start the store's thread: %s",
			     strerror(rc));
		queue_fini(&store->queue);
		postgres_free(store);
		return NULL;
	}
	return store;
}

void postgres_destroy(struct postgres *store, double patience_s)
{
	uint64_t one = 1;

	if (!store)
		return;
	store->stop.by_s = clock_monotonic_s() + patience_s;
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

static void status(void *store, struct store_status *ret)
{
	struct postgres *postgres = store;

	queue_status(&postgres->queue, ret);
}

const struct store_ops postgres_ops = {
	.put_report = put_report,
	.put_prediction = put_prediction,
	.put_measurements = put_measurements,
	.status = status,
};
