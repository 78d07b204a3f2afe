/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_snapshots_threads.c - snapshots while everything goes on at once */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/base/ordered_lock.h"
#include "predictor/engine/nodes/node_sets.h"
#include "predictor/engine/nodes/snapshots.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

#define NODES   24
#define LASTS_S 4.0
#define AGE_S   5.0 /* no snapshot may be older meanwhile */

static struct engine *engine;
static atomic_bool ended;
static atomic_int failures;

static void measure(int i, double time_s)
{
	struct link_measurement m = { .time_s = time_s,
				      .bandwidth_bps = 1e9,
				      .latency_s = 1e-4,
				      .utilisation = NAN };
	char name[16];

	snprintf(name, sizeof(name), "n%d", i % NODES);
	life_measure(engine, name, time_s, i % 3);
	snprintf(m.from, sizeof(m.from), "n%d", i % NODES);
	snprintf(m.to, sizeof(m.to), "n%d", (5 * i + 1) % NODES);
	engine_measure_link(engine, "tiny", &m, NULL);
}

static void *measure_all(void *context)
{
	(void)context;
	for (int i = 0; !ended; i++)
		measure(i, clock_now_s());
	return NULL;
}

static void *change_topology(void *context)
{
	static const char *const texts[] = {
		"SwitchName=a Nodes=n[0-11]\nSwitchName=b Nodes=n[12-23]\n",
		"SwitchName=a Nodes=n[0-7]\nSwitchName=b Nodes=n[8-23]\n",
	};

	(void)context;
	for (int i = 0; !ended; i++) {
		const char *text = texts[i % 2];
		struct topology topology;

		failures += topology_parse(text, strlen(text), &topology, NULL);
		failures += engine_set_topology(engine, &topology, NULL);
		topology_clear(&topology);
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	}
	return NULL;
}

/* Predictions that want node sets, as fast as they come, for made-up clusters
 * too. */
static void *predict_all(void *context)
{
	bool had_sets = false;

	(void)context;
	for (int i = 0; !ended; i++) {
		struct engine_set sets[2];
		struct prediction p;
		struct life life;
		int count;

		life_submit(&life, 2, 5000);
		engine_predict(engine, &life.job, MODE_ACT, 0.9, clock_now_s(),
			       false, &p);
		count = engine_best_sets(engine, &p, &life.job, 2, sets);
		/* Once there were some there always are. */
		had_sets |= count > 0;
		failures += had_sets && count <= 0;
		snprintf(p.cluster, sizeof(p.cluster), "made-up-%d", i % 9);
		engine_best_sets(engine, &p, &life.job, 2, sets);
	}
	failures += !had_sets;
	return NULL;
}

/* A scheduler that asks again and again, and never sees an old one. */
static void *ask_all(void *context)
{
	double newest_s = clock_now_s();

	(void)context;
	while (!ended) {
		struct snapshot *s = NULL;
		size_t size;
		char *text = engine_snapshot_text(engine, "tiny",
						  SNAPSHOT_FORMAT, 0, 0, &size);

		if (text && !snapshot_read(text, size, NULL, &s, NULL))
			newest_s = s->made_at_s;
		free(text);
		snapshot_put(s);
		failures += clock_now_s() - newest_s > AGE_S;
	}
	return NULL;
}

START_TEST(test_all_at_once)
{
	static void *(*const work[])(void *) = {
		measure_all, change_topology, predict_all, predict_all,
		predict_all, ask_all,         ask_all,
	};
	enum { THREADS = sizeof(work) / sizeof(work[0]) };
	pthread_t threads[THREADS];

	engine = engine_create();
	for (int i = 0; i < 6 * NODES; i++)
		measure(i, clock_now_s() - 6 + i / NODES);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, work[i], NULL), 0);
	nanosleep(&(struct timespec){ .tv_sec = (time_t)LASTS_S }, NULL);
	ended = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_int_eq(failures, 0);
	ck_assert(ordered_lock_nested(LOCK_DELTAS, LOCK_SLOTS));
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_all_at_once, NULL };

	return suite_run("snapshots threads", tests);
}
