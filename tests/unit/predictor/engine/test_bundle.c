/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_bundle.c - what it costs to start a job, and how many tasks one
 * should run */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/engine/bundle.h"
#include "predictor/scheduler/start_costs.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

static struct run run_of(uint32_t id, const char *node, double submitted_s,
			 double start_s, double end_s)
{
	struct run run = { .cluster = "little",
			   .job_id = id,
			   .nodes = 1,
			   .submitted_at_s = submitted_s,
			   .started_at_s = start_s,
			   .ended_at_s = end_s,
			   .state = RUN_COMPLETED };

	snprintf(run.node_list, sizeof(run.node_list), "%s", node);
	return run;
}

/* Jobs of 12 s one after the other on two nodes, 3 s apart; every twelfth waits
 * for something else. */
START_TEST(test_costs)
{
	struct start_costs *c = start_costs_create();
	double at_s = 1e9;
	int count;

	for (uint32_t i = 0; i < 60; i++) {
		double wait_s = i % 12 == 7 ? 77 : 3;
		struct run a = run_of(2 * i + 1, "n1", 1e9 - 5, at_s + wait_s,
				      at_s + wait_s + 12);
		struct run b = run_of(2 * i + 2, "n2", 1e9 - 5, at_s + wait_s,
				      at_s + wait_s + 12);

		start_costs_note(c, &a);
		start_costs_note(c, &b);
		start_costs_note(c, &a); /* reported by the deputy, too */
		at_s = a.ended_at_s;
		if (i == 3)
			ck_assert(isnan(start_costs_mean(c, "little", &count)));
	}
	ck_assert_double_eq_tol(start_costs_mean(c, "little", &count), 3, 1e-9);
	ck_assert_int_eq(count, 118);
	ck_assert(isnan(start_costs_mean(c, "other", &count)));
	ck_assert_int_eq(count, 0);
	start_costs_destroy(c);
	start_costs_destroy(NULL);
}
END_TEST

/* Who came to a free node, or runs on many, says nothing. */
START_TEST(test_no_costs)
{
	struct start_costs *c = start_costs_create();
	int count;

	for (uint32_t i = 0; i < 50; i++) {
		double start_s = 1e9 + 100 * i;
		struct run idle = run_of(2 * i + 1, "n1", start_s - 1, start_s,
					 start_s + 7);
		struct run wide =
			run_of(2 * i + 2, "n[2-3]", 1e9, start_s, start_s + 99);

		wide.nodes = 2;
		start_costs_note(c, &idle);
		start_costs_note(c, &wide);
	}
	ck_assert(isnan(start_costs_mean(c, "little", &count)));
	ck_assert_int_eq(count, 0);
	start_costs_destroy(c);
}
END_TEST

/* Two jobs run on a node at once: each follows the one whose place it takes. */
START_TEST(test_two_at_once)
{
	struct start_costs *c = start_costs_create();
	double ends_s[2] = { 1e9, 1e9 + 6 };
	int count;

	for (uint32_t i = 0; i < 40; i++) {
		int slot = (int)(i % 2);
		double start_s = ends_s[slot] + 1;
		struct run run =
			run_of(i + 1, "n1", 1e9 - 9, start_s, start_s + 11);

		start_costs_note(c, &run);
		ends_s[slot] = run.ended_at_s;
	}
	ck_assert_double_eq_tol(start_costs_mean(c, "little", &count), 1, 1e-9);
	ck_assert_int_ge(count, 37);
	start_costs_destroy(c);
}
END_TEST

START_TEST(test_size)
{
	/* 5 % of 50 tasks of 12 s are 30 s */
	ck_assert_int_eq(bundle_size(1000, 12, 30, 4), 50);
	ck_assert_int_eq(bundle_size(1000, 12, 30, 100), 10); /* nodes */
	ck_assert_int_eq(bundle_size(1000, 12, 33, 4), 100);
	ck_assert_int_eq(bundle_size(1000, 3, 1.4, 4), 10);
	ck_assert_int_eq(bundle_size(1000, 600, 2, 4), 1);
	ck_assert_int_eq(bundle_size(1000, 600, 90, 4), 5);
	ck_assert_int_eq(bundle_size(1000, 600, 120, 4), 5);
	ck_assert_int_eq(bundle_size(1000, 900, 120, 4), 4); /* an hour */
	ck_assert_int_eq(bundle_size(1000, 7200, 120, 4), 1);
	ck_assert_int_eq(bundle_size(7, 1, 60, 1), 7);
	ck_assert_int_eq(bundle_size(7, 1, 60, 0), 7);
}
END_TEST

/* Only runs of the same application say how long its tasks are. */
START_TEST(test_engine)
{
	struct engine *engine = engine_create();
	double at_s = LIFE_START_S + 5;
	struct life life;
	struct bundle found;
	struct sp_error err;

	life_submit(&life, 1, 8000);
	ck_assert_int_eq(
		engine_bundle(engine, &life.job, .9, 1000, at_s, &found, &err),
		-1);
	for (uint32_t i = 1; i <= 30; i++) {
		struct prediction p = life_predict(engine, &life, LIFE_START_S);
		struct run run = life_run(&p, i, at_s + 3, 12);

		strcpy(run.node_list, "n1");
		run.application = p.application;
		ck_assert_int_eq(engine_learn(engine, &run, &err), 0);
		at_s = run.ended_at_s;
	}
	ck_assert_msg(engine_bundle(engine, &life.job, .9, 1000, at_s, &found,
				    &err) == 0,
		      "%s", err.text);
	ck_assert_int_eq(found.per_job, 5);
	ck_assert_int_eq(found.jobs, 200);
	ck_assert_int_eq(found.starts, 29);
	ck_assert_double_eq_tol(found.task_s, 12, .5);
	ck_assert_double_eq_tol(found.cost_s, 3, 1e-6);
	ck_assert_double_eq_tol(found.saved_s, 2400, 1e-6);
	ck_assert(!found.plain); /* 12 s are four times 3 s */
	life.job.arguments[0] = "./other";
	life.job.name = "other";
	ck_assert_int_eq(
		engine_bundle(engine, &life.job, .9, 1000, at_s, &found, &err),
		-1);
	ck_assert_ptr_nonnull(strstr(err.text, "no runs"));
	engine_destroy(engine);
}
END_TEST

/* What a submission shows of the cost to start it: nothing where it runs for
 * long against that, on several nodes, or without runs. */
START_TEST(test_cost_that_matters)
{
	static const struct {
		double runtime_s, cost_s;
	} cases[] = { { 5, 3 }, { 11.9, 3 }, { 12.1, 0 }, { 400, 0 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct engine *engine = engine_create();
		double at_s = LIFE_START_S + 5;
		struct prediction p;
		struct life life;
		struct sp_error err;

		life_submit(&life, 1, 8000);
		for (uint32_t id = 1; id <= 30; id++) {
			p = life_predict(engine, &life, LIFE_START_S);
			if (id == 1)
				ck_assert_double_eq(p.start_cost_s, 0);
			struct run run =
				life_run(&p, id, at_s + 3, cases[i].runtime_s);

			strcpy(run.node_list, "n1");
			run.application = p.application;
			ck_assert_int_eq(engine_learn(engine, &run, &err), 0);
			at_s = run.ended_at_s;
		}
		p = life_predict(engine, &life, at_s);
		ck_assert_double_eq_tol(p.start_cost_s, cases[i].cost_s, 1e-6);
		life_submit(&life, 2, 8000);
		p = life_predict(engine, &life, at_s);
		ck_assert_double_eq(p.start_cost_s, 0);
		engine_destroy(engine);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_costs, test_no_costs, test_two_at_once,
		test_size,  test_engine,   test_cost_that_matters,
		NULL
	};

	return suite_run("bundle", tests);
}
