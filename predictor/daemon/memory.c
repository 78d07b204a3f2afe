/* memory.c - what the store tells, put into the engine */
#include <inttypes.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/daemon/memory.h"

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

	if (engine_measure(memory->engine, cluster, m, &err))
		refused(memory, &err);
}

static void take_run(void *context, const struct run *run)
{
	struct memory *memory = context;
	struct sp_error err;

	if (engine_learn(memory->engine, run, &err))
		refused(memory, &err);
}

static void take_ready(void *context)
{
	struct memory *memory = context;
	struct engine_counts counts;

	engine_count(memory->engine, &counts);
	atomic_store(&memory->ready, true);
	log_info("ready: %" PRIu64 " finished runs read in %.1f s", counts.runs,
		 clock_monotonic_s() - memory->began_s);
}

void memory_init(struct memory *memory, struct engine *engine)
{
	memory->engine = engine;
	memory->began_s = clock_monotonic_s();
	atomic_init(&memory->ready, false);
	atomic_init(&memory->refused, 0);
}

struct store_sink memory_sink(struct memory *memory)
{
	return (struct store_sink){
		.context = memory,
		.prediction = take_prediction,
		.measurement = take_measurement,
		.run = take_run,
		.ready = take_ready,
	};
}
