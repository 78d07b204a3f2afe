/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_engine_threads.c - an engine that many threads use at once */
#include <pthread.h>

#include "predictor/base/ordered_lock.h"
#include "predictor/engine/resources.h"
#include "predictor/features/node_facts.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

#define THREADS 6
#define ROUNDS  200

struct worker {
	pthread_t thread;
	struct engine *engine;
	uint32_t number;
	int failures;
};

static void ignore_application(void *context,
			       const struct engine_application *app)
{
	(void)context;
	(void)app;
}

static void look(struct engine *engine, uint32_t job_id)
{
	struct engine_counts counts;
	struct run run;

	struct engine_nodes_query query = { .now_s = 1e9, .limit = 2 };
	struct engine_node nodes[2];
	size_t nodes_count, total;

	engine_list_nodes(engine, &query, nodes, &nodes_count, &total, NULL);
	engine_visit_applications(engine, 1234, ignore_application, NULL);
	engine_count(engine, &counts);
	engine_job(engine, "tiny", job_id, &run);
}

static void *work(void *context)
{
	struct worker *w = context;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t job_id = w->number * ROUNDS + i;
		struct life life;
		struct prediction p;
		struct prediction again;

		life_measure(w->engine, "n1", 1e9 + i, i % 3);
		life_submit(&life, 1 + i % 2, 1000 + 10 * i);
		engine_predict(w->engine, &life.job, MODE_ADVISE, 0.9, 1e9 + i,
			       true, &p);
		w->failures += engine_keep(w->engine, &p, NULL) < 0;
		w->failures += engine_prediction(w->engine, p.id,
						 STAGE_SUBMISSION, &again) < 0;

		struct run run = life_run(&p, job_id, 1e9 + i, 10 + i);
		struct run started = run;

		started.state = RUN_RUNNING;
		started.ended_at_s = NAN;
		w->failures += engine_learn(w->engine, &started, NULL) < 0;
		engine_complete_run(w->engine, &run);
		w->failures += engine_learn(w->engine, &run, NULL) < 0;
		w->failures += engine_learn(w->engine, &run, NULL) < 0;
		look(w->engine, job_id);
	}
	return NULL;
}

/* With these, predictions see what is allocated. */
static struct node_facts *facts_make(void)
{
	struct node_facts *facts = node_facts_create("tiny");
	struct node_properties node = { .name = "n1", .cpus = 4 };

	strcpy(node.partitions, "main");
	ck_assert_int_eq(node_facts_add(facts, &node, NULL), 0);
	ck_assert_int_eq(node_facts_arrange(facts, NULL), 0);
	return facts;
}

START_TEST(test_threads)
{
	struct engine *engine = engine_create();
	struct worker workers[THREADS];
	struct engine_counts counts;

	engine_set_node_facts(engine, facts_make());
	for (uint32_t i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .engine = engine, .number = i };
		ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work,
						&workers[i]),
				 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		ck_assert_int_eq(workers[i].failures, 0);
	}
	engine_count(engine, &counts);
	ck_assert_uint_eq(counts.runs, THREADS * ROUNDS);
	ck_assert_uint_eq(counts.predictions, THREADS * ROUNDS);
	ck_assert(ordered_lock_nested(LOCK_ASSUMED, LOCK_ENGINE));
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_threads, NULL };

	return suite_run("engine threads", tests);
}
