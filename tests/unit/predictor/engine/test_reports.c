/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reports.c - what a report of a run may not change for others */
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

#define LOST 100

static void learn_some(struct engine *engine)
{
	for (uint32_t i = 0; i < 50; i++) {
		struct prediction p =
			life_ask(engine, 1, 5000, LIFE_START_S + 500 * i);
		struct run run =
			life_run(&p, i + 1, LIFE_START_S + 500 * i + 10,
				 50 + 30 * (i % 4));

		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
}

/* A job after LOST others, whose runs are lost, or which never start. */
static struct prediction predict_after(struct engine *engine, bool lost)
{
	struct prediction p[LOST];
	struct run run;

	learn_some(engine);
	for (uint32_t i = 0; i < LOST; i++)
		p[i] = life_ask(engine, 1, 5000, LIFE_START_S + 3e4 + i);
	for (uint32_t i = 0; i < LOST && lost; i++) {
		struct prediction start;

		run = life_run(&p[i], 100 + i, LIFE_START_S + 4e4, 20);
		run.state = RUN_RUNNING;
		run.ended_at_s = NAN;
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
		ck_assert(engine_predict_start(engine, &run, &start));
		run.state = RUN_LOST;
		run.ended_at_s = run.started_at_s + 5;
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
	return life_ask(engine, 1, 5000, LIFE_START_S + 20 * 86400.0);
}

/* They neither widen quantiles nor count as a batch. */
START_TEST(test_lost_runs)
{
	struct engine *engines[2] = { engine_create(), engine_create() };
	struct prediction p[2];

	for (int i = 0; i < 2; i++)
		p[i] = predict_after(engines[i], i == 1);
	ck_assert_int_eq(p[0].basis, BASIS_HISTORY);
	ck_assert_mem_eq(p[0].knots_s, p[1].knots_s, sizeof(p[0].knots_s));
	ck_assert_mem_eq(p[0].levels, p[1].levels, sizeof(p[0].levels));
	engine_destroy(engines[0]);
	engine_destroy(engines[1]);
}
END_TEST

/* One node's clock is wrong by a month: nobody else's jobs have passed their
 * quantiles.  Another predictd may have predicted that node's job. */
static void check_clock(bool by_another)
{
	struct engine *engines[2] = { engine_create(), engine_create() };
	struct engine *another = engine_create();
	struct prediction p, start, after[2];

	learn_some(another);
	for (int i = 0; i < 2; i++) {
		struct run run;

		learn_some(engines[i]);
		for (uint32_t k = 0; k < LOST; k++) {
			bool strange = by_another && k == LOST - 1;

			p = life_ask(strange ? another : engines[i], 1, 5000,
				     LIFE_START_S + 3e4);
			if (strange)
				ck_assert_int_eq(
					engine_remember(engines[i], &p, NULL),
					0);
			run = life_run(&p, 100 + k, LIFE_START_S + 3e4, 20);
			run.state = RUN_RUNNING;
			run.ended_at_s = NAN;
			if (k == LOST - 1 && i)
				run.started_at_s += 30 * 86400;
			ck_assert_int_eq(engine_learn(engines[i], &run, NULL),
					 0);
			ck_assert(
				engine_predict_start(engines[i], &run, &start));
		}
		after[i] =
			life_ask(engines[i], 1, 5000, LIFE_START_S + 3e4 + 1);
	}
	ck_assert_int_eq(after[0].basis, BASIS_HISTORY);
	ck_assert_mem_eq(after[0].levels, after[1].levels,
			 sizeof(after[0].levels));
	engine_destroy(engines[0]);
	engine_destroy(engines[1]);
	engine_destroy(another);
}

START_TEST(test_a_clock_in_the_future)
{
	check_clock(false);
	check_clock(true);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_lost_runs,
				       test_a_clock_in_the_future, NULL };

	return suite_run("reports", tests);
}
