/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_feed.c - the store's sink: passes records to the engine
 *
 * Called in the threads of the store. Between reload and ready the engine
 * collects the history, then its models are built at once; afterwards each
 * run is learned as it comes. A record that the engine refuses is counted
 * and logged, and the rest goes on.
 */
#include <inttypes.h>
#include <math.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/daemon/engine_feed.h"

/* Waiting jobs are predicted again so often, after a run has ended and else;
 * but the engine is busy with it for at most this part of the time.  Time in
 * which the machine stood still counts, too: the pause has a most. */
#define DUE_S      0.01
#define REST_S     1.0
#define BUSY_PART  50
#define BUSY_MAX_S 5.0

static void log_refused(struct engine_feed *feed, const struct sp_error *err)
{
	/* One line is enough to find the cause; a bad history must not fill
	 * the disk. */
	if (atomic_fetch_add(&feed->refused, 1) == 0)
		log_error("history: %s (further ones at debug level)",
			  err->text);
	else
		log_debug("history: %s", err->text);
}

static void feed_prediction(void *context, const struct prediction *p)
{
	struct engine_feed *feed = context;
	struct sp_error err;

	if (engine_remember(feed->engine, p, &err))
		log_refused(feed, &err);
}

static void feed_measurement(void *context, const char *cluster,
			     const struct measurement *m)
{
	struct engine_feed *feed = context;
	struct sp_error err;

	if (engine_reload_measurement(feed->engine, cluster, m, &err))
		log_refused(feed, &err);
}

static void feed_speed(void *context, const char *cluster, const char *node,
		       double time_s, double speed)
{
	struct engine_feed *feed = context;
	struct sp_error err;

	if (engine_reload_speed(feed->engine, cluster, node, time_s, speed,
				&err))
		log_refused(feed, &err);
}

static void feed_link(void *context, const char *cluster,
		      const struct link_measurement *m)
{
	struct engine_feed *feed = context;
	struct sp_error err;

	if (engine_reload_link(feed->engine, cluster, m, &err))
		log_refused(feed, &err);
}

/* A job has started: store the prediction at its start. */
static void predict_start(struct engine_feed *feed, const struct run *run)
{
	struct prediction p;
	void *store = atomic_load(&feed->store);

	if (engine_predict_start(feed->engine, run, &p) && store)
		feed->store_ops->put_prediction(store, &p);
}

double engine_feed_refresh(void *context)
{
	struct engine_feed *feed = context;
	double began_s = clock_monotonic_s();
	struct prediction p;
	void *store = atomic_load(&feed->store);
	bool due;

	if (engine_refresh(feed->engine, clock_now_s(), &p, &due) && store)
		feed->store_ops->put_prediction(store, &p);
	return fmax(
		due ? DUE_S : REST_S,
		fmin(BUSY_MAX_S, BUSY_PART * (clock_monotonic_s() - began_s)));
}

static void feed_run(void *context, const struct run *run)
{
	struct engine_feed *feed = context;
	struct sp_error err;

	if (engine_learn(feed->engine, run, &err))
		log_refused(feed, &err);
	else if (run->state == RUN_RUNNING)
		predict_start(feed, run);
}

static void feed_profile(void *context, const struct run *run,
			 const struct profile *profile)
{
	struct engine_feed *feed = context;
	struct sp_error err;

	if (engine_learn_profile(feed->engine, run, profile, &err))
		log_refused(feed, &err);
}

static void feed_reload(void *context)
{
	struct engine_feed *feed = context;
	struct sp_error err;

	feed->began_s = clock_monotonic_s();
	if (engine_load_begin(feed->engine, &err))
		log_error("history: not reloaded: %s", err.text);
}

static void feed_newest(void *context)
{
	struct engine_feed *feed = context;
	struct sp_error err;

	engine_reload_end(feed->engine);
	if (engine_load_end(feed->engine, &err))
		log_error("history: models are not built: %s", err.text);
	atomic_store(&feed->answers, true);
}

static void feed_ready(void *context)
{
	struct engine_feed *feed = context;
	double read_s = clock_monotonic_s() - feed->began_s;
	struct engine_counts counts;

	feed_newest(feed);
	engine_count(feed->engine, &counts);
	atomic_store(&feed->ready, true);
	log_info("ready: %" PRIu64
		 " finished runs loaded in %.1f s, models built in "
		 "%.1f s more",
		 counts.runs, read_s,
		 clock_monotonic_s() - feed->began_s - read_s);
}

void engine_feed_init(struct engine_feed *feed, struct engine *engine)
{
	feed->engine = engine;
	feed->began_s = clock_monotonic_s();
	atomic_init(&feed->answers, false);
	atomic_init(&feed->ready, false);
	atomic_init(&feed->refused, 0);
	atomic_init(&feed->store, NULL);
	engine_reload_begin(engine);
	feed_reload(feed);
}

void engine_feed_set_store(struct engine_feed *feed,
			   const struct store_ops *ops, void *store)
{
	feed->store_ops = ops;
	atomic_store(&feed->store, store);
}

struct store_sink engine_feed_sink(struct engine_feed *feed)
{
	return (struct store_sink){
		.context = feed,
		.reload_begin = feed_reload,
		.prediction = feed_prediction,
		.measurement = feed_measurement,
		.speed = feed_speed,
		.link = feed_link,
		.run = feed_run,
		.profile = feed_profile,
		.ready = feed_ready,
		.newest = feed_newest,
	};
}
