/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_run_curve.c - which runs a curve is made of */
#include <stdlib.h>

#include "predictor/engine/run_curve.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

static struct engine *engine;
static uint32_t last_id;

static void set_up(void)
{
	engine = engine_create();
	ck_assert_ptr_nonnull(engine);
	last_id = 0;
}

static void tear_down(void)
{
	engine_destroy(engine);
}

static void learn(uint32_t nodes, double bodies, double runtime_s,
		  enum run_state state)
{
	struct life life;
	double now_s = LIFE_START_S + 1000 * last_id;

	life_submit(&life, nodes, bodies);

	struct prediction p = life_predict(engine, &life, now_s);
	struct run run = life_run(&p, ++last_id, now_s + 1, runtime_s);

	run.state = state;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
}

static int make(uint32_t nodes_min, uint32_t nodes_max, double bodies,
		struct run_curve *ret, struct sp_error *err)
{
	struct life life;

	life_submit(&life, nodes_min, bodies);
	life.job.size.nodes_max = nodes_max;
	return engine_run_curve(engine, &life.job, ret, err);
}

START_TEST(test_runs_of_the_same_parameters)
{
	struct run_curve found;
	struct sp_error err;

	ck_assert_int_eq(make(1, 0, 4000, &found, &err), -1);
	ck_assert_str_eq(err.text, "no runs");
	for (int i = 0; i < 3; i++)
		learn(4, 4000, 30, RUN_COMPLETED);
	ck_assert_int_eq(make(1, 0, 4000, &found, &err), -1);
	ck_assert_str_eq(
		err.text,
		"all runs are on the same number of nodes, 4: no curve");
	/* Neither other parameters nor runs that did not complete count. */
	learn(2, 9000, 500, RUN_COMPLETED);
	learn(2, 4000, 7, RUN_FAILED);
	ck_assert_int_eq(make(1, 0, 4000, &found, &err), -1);
	for (uint32_t n = 1; n <= 8; n *= 2)
		for (int i = 0; i < 3; i++)
			learn(n, 4000, 10 + 80.0 / n, RUN_COMPLETED);
	ck_assert_int_eq(make(1, 0, 4000, &found, &err), 0);
	ck_assert_str_eq(found.application, "nbody");
	ck_assert_int_eq(found.runs, 15);
	ck_assert_int_eq(found.n_min, 1);
	ck_assert_int_eq(found.n_max, 8);
	ck_assert(!found.from_messages);
	ck_assert_int_eq(found.curve.count, 16);
	ck_assert_double_eq_tol(found.curve.points[2].median_s, 36.67, 1.5);
	ck_assert_double_eq_tol(found.curve.points[15].median_s, 15, 2);
}
END_TEST

START_TEST(test_range_of_the_job)
{
	struct run_curve found;

	for (uint32_t n = 1; n <= 4; n *= 2)
		learn(n, 4000, 10 + 80.0 / n, RUN_COMPLETED);
	ck_assert_int_eq(make(2, 6, 4000, &found, NULL), 0);
	ck_assert_int_eq(found.curve.count, 5);
	ck_assert_int_eq(found.curve.points[0].n, 2);
	ck_assert_int_eq(found.curve.points[4].n, 6);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_runs_of_the_same_parameters,
		test_range_of_the_job,
		NULL,
	};

	return suite_run_each("run_curve", tests, set_up, tear_down);
}
