/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_loading.c - the past, learned at the start or when runs were imported
 *
 * More runs than are replayed, so that the oldest are only taught.
 */
#include <stdlib.h>

#include "predictor/engine/store.h"
#include "predictor/ensemble/tickets.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/no_memory.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define MANY 70000

static struct run run_of(struct random *r, uint32_t i)
{
	double n = 1 + (double)random_below(r, 9);
	struct run run = {
		.cluster = "tiny",
		.job_id = i + 1,
		.user_id = 1234 + (uint32_t)random_below(r, 5),
		.nodes = 1,
		.tasks = 1,
		.cpus = 1,
		.limit_s = 3600,
		.submitted_at_s = LIFE_START_S + 10.0 * i - 20,
		.started_at_s = LIFE_START_S + 10.0 * i - 10,
		.state = RUN_COMPLETED,
	};

	snprintf(run.application.name, sizeof(run.application.name), "app%u",
		 run.user_id % 3);
	run.ended_at_s = run.started_at_s + 10 + floor(20 * n);
	conditions_init(&run.before);
	return run;
}

static void load(struct engine *engine, uint32_t count, uint64_t seed)
{
	struct random r = { seed };

	ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
	for (uint32_t i = 0; i < count; i++) {
		struct run run = run_of(&r, i);

		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
		if (i % 1000 == 0) /* the same again */
			ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
	ck_assert_int_eq(engine_load_end(engine, NULL), 0);
}

static struct prediction look(struct engine *engine)
{
	struct life life;
	struct prediction p;

	life_submit(&life, 1, 5000);
	life.job.user_id = 1235;
	engine_predict(engine, &life.job, MODE_OBSERVE, 0.9, LIFE_START_S + 2e6,
		       false, &p);
	return p;
}

static uint64_t runs_of(struct engine *engine)
{
	struct engine_counts counts;

	engine_count(engine, &counts);
	return counts.runs;
}

START_TEST(test_again_is_as_from_the_start)
{
	struct engine *once = engine_create();
	struct engine *again = engine_create();

	load(again, 1000, 7); /* what was there before an import */
	ck_assert_uint_eq(runs_of(again), 1000);
	load(again, MANY, 1);
	load(once, MANY, 1);
	ck_assert_uint_eq(runs_of(once), MANY);
	ck_assert_uint_eq(runs_of(again), MANY);

	struct prediction a = look(once);
	struct prediction b = look(again);

	ck_assert_int_eq(a.basis, BASIS_HISTORY);
	ck_assert_mem_eq(&a, &b, sizeof(a));
	engine_destroy(once);
	engine_destroy(again);
}
END_TEST

START_TEST(test_the_old_answers_until_the_new_is_there)
{
	struct engine *engine = engine_create();
	struct random r = { 3 };

	load(engine, 2000, 7);

	struct prediction before = look(engine);

	ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
	for (uint32_t i = 0; i < 50; i++) {
		struct run run = run_of(&r, i);

		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}

	struct prediction during = look(engine);

	ck_assert_mem_eq(&before, &during, sizeof(before));
	/* The connection was lost: from the beginning. */
	load(engine, 30, 7);
	ck_assert_uint_eq(runs_of(engine), 30);
	ck_assert_int_eq(engine_load_end(engine, NULL), 0); /* nothing to do */
	ck_assert_uint_eq(runs_of(engine), 30);
	ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
	engine_destroy(engine);
}
END_TEST

/* Tables that prefer older runs. */
static const char older[] = "slurm-predict start tables 1\n"
			    "rank 2 6 100\nrank 3 6 100\nrank 4 6 100\n";

/* At the start and each time that the past is loaded. */
START_TEST(test_start_tables)
{
	struct engine *own = engine_create();
	struct engine *other = engine_create();
	struct sp_error err;

	ck_assert_int_eq(engine_set_start(other, "no tables\n", &err), -1);
	load(own, 20, 7);
	load(other, 20, 7);

	struct prediction a = look(own);
	struct prediction b = look(other);

	ck_assert_mem_eq(&a, &b, sizeof(a));
	ck_assert_int_eq(engine_set_start(other, older, &err), 0);
	for (int i = 0; i < 2; i++) {
		load(other, 20, 7);
		b = look(other);
		ck_assert_int_eq(b.basis, BASIS_HISTORY);
		ck_assert_mem_ne(a.knots_s, b.knots_s, sizeof(a.knots_s));
	}
	engine_destroy(own);
	engine_destroy(other);
}
END_TEST

/* What waits or runs while the past is read is judged when it ends. */
START_TEST(test_jobs_under_way)
{
	struct engine *engine = engine_create();
	struct life life;
	struct prediction p[2];
	struct run run;

	load(engine, 3000, 7);
	for (int i = 0; i < 2; i++) {
		life_submit(&life, 1, 5000 + i);
		p[i] = life_predict(engine, &life, LIFE_START_S + 4e4 + i);
	}
	load(engine, 3000, 7);
	for (uint32_t i = 0; i < 2; i++) {
		run = life_run(&p[i], 900000 + i, LIFE_START_S + 5e4, 100);
		run.state = RUN_RUNNING;
		run.ended_at_s = NAN;
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);

		struct prediction again;

		ck_assert(engine_predict_start(engine, &run, &again));
		ck_assert_str_eq(again.id, p[i].id);
		ck_assert_int_eq(again.stage, STAGE_START);
		ck_assert_int_eq(
			engine_prediction(engine, p[i].id, STAGE_START, &again),
			0);
		run.state = RUN_COMPLETED;
		run.ended_at_s = run.started_at_s + 100;
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
	ck_assert_uint_eq(runs_of(engine), 3002);
	engine_destroy(engine);
}
END_TEST

/* Nobody knows how a lost run ended, but it did not wait any more; a job whose
 * run is not known does. */
START_TEST(test_lost_runs_have_started)
{
	struct engine *engine = engine_create();
	struct prediction p[2], again;
	struct run run;
	int renewed[2] = { 0 };
	bool due;

	for (uint32_t i = 0; i < 2; i++)
		p[i] = life_ask(engine, 1, 5000, LIFE_START_S + i);
	ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
	run = life_run(&p[0], 800000, LIFE_START_S + 10, 100);
	run.state = RUN_LOST;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	ck_assert_int_eq(engine_load_end(engine, NULL), 0);
	for (uint32_t i = 0; i < 20; i++) {
		run = life_run(&p[0], i + 1, LIFE_START_S + 100 * i, 400);
		run.prediction_id[0] = '\0';
		run.application = p[0].application;
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
		while (engine_refresh(engine, LIFE_START_S + 100 * i + 500,
				      &again, &due))
			renewed[strcmp(again.id, p[0].id) ? 1 : 0]++;
	}
	ck_assert_int_eq(renewed[0], 0);
	ck_assert_int_gt(renewed[1], 0);
	engine_destroy(engine);
}
END_TEST

/* A job from before the newest runs may have a run among the older ones. */
START_TEST(test_the_newest_first)
{
	struct engine *engine = engine_create();
	struct engine *before = engine_create();
	struct prediction again, p = life_ask(before, 1, 5000, LIFE_START_S);
	struct random r = { 5 };
	bool due;

	ck_assert_int_eq(engine_remember(engine, &p, NULL), 0);
	for (int pass = 0; pass < 2; pass++) {
		struct run run;

		ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
		for (uint32_t i = 100; i < 100 + STORE_RUNS_FIRST; i++) {
			run = run_of(&r, i);
			run.application = p.application;
			run.change = i;
			ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
		}
		ck_assert_int_eq(engine_load_end(engine, NULL), 0);
		run.change = run.job_id = 100000 + (uint32_t)pass;
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
		/* Whether it waits is known after the second. */
		ck_assert(engine_refresh(engine, run.ended_at_s + 1000, &again,
					 &due) == (pass == 1));
	}
	engine_destroy(before);
	engine_destroy(engine);
}
END_TEST

/* --- Any history, before and after a restart ------------------------------ */

#define HISTORY 3000

struct history_job {
	struct prediction submission, start;
	bool predicted, started;
	struct run run;
};

static struct history_job history[HISTORY];

/* Jobs that never run, which stop being in flight in the middle. */
#define ABANDONED 100

static struct prediction abandoned[ABANDONED];

/* A job of one of three applications, with a parameter; each user has two
 * of them. */
static void job_make(struct random *r, struct life *life)
{
	static const char *const programs[] = { "./nbody", "./heat", "./cg" };

	life_submit(life, 1 + (uint32_t)random_below(r, 3),
		    1000 + (double)random_below(r, 5) * 500);
	life->job.arguments[0] = programs[random_below(r, 3)];
	life->job.user_id = 1000 + (uint32_t)random_below(r, 3);
	life->job.limit_s = 300 + 600 * (double)random_below(r, 4);
}

static void abandon(struct engine *engine, struct random *r)
{
	double now_s = LIFE_START_S + 15.0 * HISTORY - TICKETS_WAIT_S;

	for (int i = 0; i < ABANDONED; i++) {
		struct life life;

		job_make(r, &life);
		abandoned[i] = life_predict(engine, &life, now_s + i);
	}
}

/* Reports come late, some jobs are not predicted, or not seen to start. */
static void live(struct engine *engine, struct random *r, int from, int to,
		 int64_t *change)
{
	for (int i = from; i < to; i++) {
		struct history_job *h = &history[i];
		double now_s = LIFE_START_S + 30.0 * i;
		bool bulk = i % 1000 > 500;
		double runtime_s =
			10 + exp((double)random_below(r, 5000) / 1000);
		struct life life;

		job_make(r, &life);
		*h = (struct history_job){ .predicted = !bulk &&
							random_below(r, 9) };
		h->submission = life_predict(engine, &life, now_s);
		h->run = life_run(&h->submission, (uint32_t)i + 1,
				  now_s + (double)random_below(r, 100) - 20,
				  runtime_s);
		if (h->predicted)
			continue;
		/* It has a name, and was there before. */
		h->run.prediction_id[0] = '\0';
		h->run.application = h->submission.application;
		h->run.submitted_at_s = h->run.started_at_s - 5;
	}
	/* Each becomes known up to 40 jobs after its submission. */
	for (int i = from; i < to; i++) {
		int k = from + (i - from) / 40 * 40 + (i - from) * 7 % 40;
		struct history_job *h = &history[k < to ? k : i];

		if (k >= to || h->run.change)
			continue;
		h->run.before = h->submission.conditions;
		h->started = h->predicted && random_below(r, 4);
		if (h->started) {
			struct run running = h->run;

			running.state = RUN_RUNNING;
			running.ended_at_s = NAN;
			running.change = ++*change;
			ck_assert_int_eq(engine_learn(engine, &running, NULL),
					 0);
			ck_assert(engine_predict_start(engine, &running,
						       &h->start));
		}
		if (h->started && i % 20 == 0)
			h->run.state = RUN_LOST;
		h->run.change = ++*change;
		ck_assert_int_eq(engine_learn(engine, &h->run, NULL), 0);
	}
}

static int by_end(const void *a, const void *b)
{
	double x = (*(struct history_job *const *)a)->run.ended_at_s;
	double y = (*(struct history_job *const *)b)->run.ended_at_s;

	return (x > y) - (x < y);
}

static void import(struct engine *engine, uint32_t count)
{
	struct random r = { 11 };

	for (uint32_t i = 0; i < count; i++) {
		struct run run = run_of(&r, i);

		run.job_id += 1000000;
		run.started_at_s -= 1e7;
		run.ended_at_s -= 1e7;
		run.submitted_at_s -= 1e7;
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
}

/* As the store gives it: predictions, then runs by their ends. */
static void restart(struct engine *engine, uint32_t imported)
{
	static struct history_job *order[HISTORY];
	int count = 0;

	ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
	for (int i = 0; i < ABANDONED; i++)
		ck_assert_int_eq(engine_remember(engine, &abandoned[i], NULL),
				 0);
	for (int i = 0; i < HISTORY; i++) {
		ck_assert_int_eq(
			engine_remember(engine, &history[i].submission, NULL),
			0);
		if (history[i].started)
			ck_assert_int_eq(engine_remember(engine,
							 &history[i].start,
							 NULL),
					 0);
		if (history[i].run.change)
			order[count++] = &history[i];
	}
	import(engine, imported);
	qsort(order, (size_t)count, sizeof(order[0]), by_end);
	for (int i = 0; i < count; i++)
		ck_assert_int_eq(engine_learn(engine, &order[i]->run, NULL), 0);
	ck_assert_int_eq(engine_load_end(engine, NULL), 0);
}

static void check_same(struct engine *a, struct engine *b)
{
	struct random r = { 5 };
	int from_history = 0;

	for (int i = 0; i < 60; i++) {
		struct prediction p, q;
		struct life life;
		double now_s = LIFE_START_S + 30.0 * HISTORY + 1e5;

		job_make(&r, &life);
		engine_predict(a, &life.job, MODE_OBSERVE, 0.9, now_s, false,
			       &p);
		engine_predict(b, &life.job, MODE_OBSERVE, 0.9, now_s, false,
			       &q);
		ck_assert_int_eq(p.basis, q.basis);
		ck_assert_str_eq(p.model, q.model);
		ck_assert_double_eq_tol(p.median_s / q.median_s, 1, 1e-9);
		for (int k = 0; k < PREDICTION_KNOTS; k++)
			ck_assert_double_eq_tol(p.knots_s[k] / q.knots_s[k], 1,
						1e-9);
		ck_assert(isnan(p.limit_chance) == isnan(q.limit_chance));
		if (!isnan(p.limit_chance))
			ck_assert_double_eq_tol(p.limit_chance, q.limit_chance,
						1e-9);
		from_history += p.basis == BASIS_HISTORY;
	}
	ck_assert_int_gt(from_history, 30);
}

START_TEST(test_restart_is_the_same)
{
	for (uint32_t imported = 0; imported <= 2000; imported += 2000) {
		struct engine *engine = engine_create();
		struct engine *again = engine_create();
		struct random r = { 29 + imported };
		int64_t change = 0;

		ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
		import(engine, imported);
		ck_assert_int_eq(engine_load_end(engine, NULL), 0);
		abandon(engine, &r);
		for (int i = 0; i < HISTORY; i += 200)
			live(engine, &r, i, i + 200, &change);
		restart(again, imported);
		check_same(engine, again);
		engine_destroy(engine);
		engine_destroy(again);
	}
}
END_TEST

/* What was known before stays. */
START_TEST(test_no_memory)
{
	struct engine *engine = engine_create();
	struct random r = { 7 };
	struct run run = run_of(&r, 1);
	bool failed = true;

	load(engine, 3, 7);
	for (int n = 1; failed && n <= 8; n++) {
		ck_assert_int_eq(engine_load_begin(engine, NULL), 0);
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
		memory_fails_at(n);

		int rc = engine_load_end(engine, NULL);

		failed = memory_failed();
		ck_assert_uint_eq(runs_of(engine), rc ? 3 : 1);
		if (!rc)
			load(engine, 3, 7);
	}
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_again_is_as_from_the_start,
		test_the_old_answers_until_the_new_is_there,
		test_start_tables,
		test_jobs_under_way,
		test_lost_runs_have_started,
		test_the_newest_first,
		test_restart_is_the_same,
		test_no_memory,
		NULL,
	};

	return suite_run("loading", tests);
}
