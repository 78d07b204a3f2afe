/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_loading.c - the past, learned at the start or when runs were imported
 *
 * More runs than are replayed, so that the oldest are only taught.
 */
#include <stdlib.h>

#include "tests/unit/predictor/engine/life.h"
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

int main(void)
{
	const TTest *const tests[] = {
		test_again_is_as_from_the_start,
		test_the_old_answers_until_the_new_is_there,
		test_start_tables,
		test_jobs_under_way,
		NULL,
	};

	return suite_run("loading", tests);
}
