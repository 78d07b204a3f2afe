/* engine_feed.c - what the store tells, put into the engine */
#include <inttypes.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/daemon/engine_feed.h"

static void refused(struct memory *memory, const struct sp_error *err)
{
	/* One line is enough to look for the cause; a bad history must not
	 * fill the disk. */
	if (atomic_fetch_add(&memory->refused, 1) == 0)
		log_error("history: %s (further ones at debug level)",
			  err->text);
	else
		log_debug("history: %s", err->text);
}

static void take_prediction(void *context, const struct prediction *p)
{
	struct memory *memory = context;
	struct sp_error err;

	if (engine_remember(memory->engine, p, &err))
		refused(memory, &err);
}

static void take_measurement(void *context, const char *cluster,
			     const struct measurement *m)
{
	struct memory *memory = context;
	struct sp_error err;

	if (engine_recall(memory->engine, cluster, m, &err))
		refused(memory, &err);
}

static void take_speed(void *context, const char *cluster, const char *node,
		       double time_s, double speed)
{
	struct memory *memory = context;
	struct sp_error err;

	if (engine_recall_speed(memory->engine, cluster, node, time_s, speed,
				&err))
		refused(memory, &err);
}

static void take_link(void *context, const char *cluster,
		      const struct link_measurement *m)
{
	struct memory *memory = context;
	struct sp_error err;

	if (engine_recall_link(memory->engine, cluster, m, &err))
		refused(memory, &err);
}

/* A job has started: what is said of it now is stored as well. */
static void predict_start(struct memory *memory, const struct run *run)
{
	struct prediction p;
	void *store = atomic_load(&memory->store);

	if (engine_predict_start(memory->engine, run, &p) && store)
		memory->store_ops->put_prediction(store, &p);
}

static void take_run(void *context, const struct run *run)
{
	struct memory *memory = context;
	struct sp_error err;

	if (engine_learn(memory->engine, run, &err))
		refused(memory, &err);
	else if (run->state == RUN_RUNNING)
		predict_start(memory, run);
}

static void take_profile(void *context, const struct run *run,
			 const struct profile *profile)
{
	struct memory *memory = context;
	struct sp_error err;

	if (engine_learn_profile(memory->engine, run, profile, &err))
		refused(memory, &err);
}

static void take_reload(void *context)
{
	struct memory *memory = context;
	struct sp_error err;

	memory->began_s = clock_monotonic_s();
	if (engine_load_begin(memory->engine, &err))
		log_error("history: not read anew: %s", err.text);
}

static void take_ready(void *context)
{
	struct memory *memory = context;
	double read_s = clock_monotonic_s() - memory->began_s;
	struct engine_counts counts;
	struct sp_error err;

	engine_recall_end(memory->engine);
	if (engine_load_end(memory->engine, &err))
		log_error("history: not learned: %s", err.text);
	engine_count(memory->engine, &counts);
	atomic_store(&memory->ready, true);
	log_info("ready: %" PRIu64 " finished runs read in %.1f s, learned in "
		 "%.1f s more",
		 counts.runs, read_s,
		 clock_monotonic_s() - memory->began_s - read_s);
}

void memory_init(struct memory *memory, struct engine *engine)
{
	memory->engine = engine;
	memory->began_s = clock_monotonic_s();
	atomic_init(&memory->ready, false);
	atomic_init(&memory->refused, 0);
	atomic_init(&memory->store, NULL);
	engine_recall_begin(engine);
	take_reload(memory);
}

void memory_set_store(struct memory *memory, const struct store_ops *ops,
		      void *store)
{
	memory->store_ops = ops;
	atomic_store(&memory->store, store);
}

struct store_sink memory_sink(struct memory *memory)
{
	return (struct store_sink){
		.context = memory,
		.reload_begin = take_reload,
		.prediction = take_prediction,
		.measurement = take_measurement,
		.speed = take_speed,
		.link = take_link,
		.run = take_run,
		.profile = take_profile,
		.ready = take_ready,
	};
}
