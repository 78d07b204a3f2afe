/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_run_curve.c - which runs a curve is made of */
#include <stdlib.h>

#include "predictor/engine/nodes/snapshots.h"
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
	return engine_run_curve(engine, &life.job, MODE_ADVISE,
				LIFE_START_S + 1e5, ret, err);
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
	learn(2, 4000, 7, RUN_TIMEOUT);
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
	/* More than any int, and than the runs reach to. */
	ck_assert_int_eq(make(3000000000, 3000000001, 4000, &found, NULL), -1);
}
END_TEST

/* -N 1-8 -n 8: as many tasks, on however many nodes. */
START_TEST(test_tasks_fixed)
{
	struct run_curve found;
	struct life life;

	for (uint32_t n = 1; n <= 8; n *= 2) {
		double now_s = LIFE_START_S + 1000 * n;

		life_submit(&life, n, 4000);
		life.job.size.tasks = 8;

		struct prediction p = life_predict(engine, &life, now_s);
		struct run run = life_run(&p, n, now_s + 1, 10 + 80.0 / n);

		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	}
	life_submit(&life, 1, 4000);
	life.job.size.nodes_max = 8;
	life.job.size.tasks = 8;
	ck_assert_int_eq(engine_run_curve(engine, &life.job, MODE_ADVISE,
					  LIFE_START_S + 1e5, &found, NULL),
			 0);
	ck_assert_int_eq(found.runs, 4);
	/* A task on each node is another program. */
	life.job.size.tasks = 0;
	ck_assert_int_eq(engine_run_curve(engine, &life.job, MODE_ADVISE,
					  LIFE_START_S + 1e5, &found, NULL),
			 -1);
}
END_TEST

/* A job with a range, where the select plugin chooses the number. */
static struct prediction predict_open(const char *goal, double now_s)
{
	struct life life;

	life_submit(&life, 1, 4000);
	life.job.size.nodes_max = 8;
	life.job.nodes_goal = goal;
	return life_predict(engine, &life, now_s);
}

START_TEST(test_number_chosen)
{
	struct placement_model model;
	struct prediction p;
	double now_s = LIFE_START_S;

	for (int i = 0; i < 12; i++)
		learn(1U << i / 3, 4000, 10 + 80.0 / (1 << i / 3),
		      RUN_COMPLETED);
	now_s += 1e5;
	p = predict_open("efficiency:0.7", now_s);
	ck_assert_uint_eq(p.nodes_best, 4); /* 90 / (4 * 30) */
	ck_assert_uint_eq(p.nodes, 4);
	ck_assert_uint_eq(p.tasks, 4);
	ck_assert_double_eq_tol(p.median_s, 30, 3);
	ck_assert_int_eq(engine_placement(engine, p.id, &model), 0);
	ck_assert_uint_eq(model.nodes, 4);
	ck_assert_uint_eq(model.curve.from, 1);
	ck_assert_uint_eq(model.curve.reach, 16);
	ck_assert_double_eq_tol(placement_curve_s(&model.curve, 8), 20, 1);
	/* Without a goal, or with none that we know, it is as Slurm's. */
	p = predict_open(NULL, now_s);
	ck_assert_uint_eq(p.nodes_best, 0);
	ck_assert_uint_eq(p.nodes, 8);
	ck_assert_int_eq(engine_placement(engine, p.id, &model), 0);
	ck_assert_uint_eq(model.curve.reach, 16);
	p = predict_open("profit", now_s);
	ck_assert_uint_eq(p.nodes, 8);
}
END_TEST

/* Where quantiles have not held, nothing is chosen. */
START_TEST(test_number_needs_a_record)
{
	struct prediction p;

	for (int i = 0; i < 12; i++)
		learn(1U << i % 4, 4000, pow(2.5, i), RUN_COMPLETED);
	p = predict_open("time", LIFE_START_S + 1e5);
	ck_assert_uint_eq(p.nodes_best, 0);
	ck_assert_uint_eq(p.nodes, 8);
}
END_TEST

/* The start's prediction is for the nodes that it got; and a run on another
 * number does not count for or against the quantile. */
START_TEST(test_another_number_given)
{
	struct prediction p, start;
	double now_s = LIFE_START_S + 1e5;

	for (int i = 0; i < 12; i++)
		learn(1U << i / 3, 4000, 10 + 80.0 / (1 << i / 3),
		      RUN_COMPLETED);
	p = predict_open("time", now_s);
	ck_assert_uint_eq(p.nodes, 8);

	struct run run = life_run(&p, 77, now_s + 1, 50);

	run.nodes = run.tasks = run.cpus = 2;
	run.memory_mb = 700;
	run.state = RUN_RUNNING;
	run.ended_at_s = NAN;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	ck_assert(engine_predict_start(engine, &run, &start));
	ck_assert_uint_eq(start.nodes, 2);
	ck_assert_uint_eq(start.tasks, 2);
	ck_assert_uint_eq(start.cpus, 2);
	ck_assert_double_eq(start.memory_mb, 700);
	ck_assert_double_eq_tol(start.median_s, 50, 5);
	run.state = RUN_COMPLETED;
	run.ended_at_s = now_s + 51;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);

	struct prediction next = predict_open("time", now_s + 100);

	ck_assert_uint_eq(next.judged, p.judged);
	ck_assert_uint_eq(next.held, p.held);
}
END_TEST

/* A farm on four nodes, three of which work. */
static void learn_farm_on(uint32_t nodes, double runtime_s)
{
	static struct profile p;
	struct life life;

	life_submit(&life, nodes, 4000);

	struct prediction prediction =
		life_predict(engine, &life, LIFE_START_S + 5e4);
	struct run run =
		life_run(&prediction, ++last_id, LIFE_START_S + 5e4, runtime_s);

	p = (struct profile){
		.cluster = "tiny",
		.application = prediction.application,
		.nodes = nodes,
		.tasks = nodes,
		.runs = 1,
		.runtime_s = runtime_s,
		.pair_count = 0,
		.farm = { .kind = PROFILE_FARM_DYNAMIC,
			  .workers = nodes - 1,
			  .tasks = 3000,
			  .mu_s = .01,
			  .sigma_s = .003,
			  .alpha = .5,
			  .message_s = 1e-3 },
	};
	for (uint32_t i = 1; i < nodes; i++)
		p.farm.workers_on[i] = 1;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	ck_assert_int_eq(engine_learn_profile(engine, &run, &p, NULL), 0);
}

static void learn_farm(void)
{
	learn_farm_on(4, 12);
}

/* The profile of one number of nodes is enough. */
START_TEST(test_farm_is_simulated)
{
	struct run_curve found;
	struct sp_error err;

	learn(4, 4000, 12, RUN_COMPLETED);
	ck_assert_int_eq(make(1, 0, 4000, &found, &err), -1);
	learn_farm();
	ck_assert_int_eq(make(1, 0, 4000, &found, &err), 0);
	ck_assert(found.from_farm);
	ck_assert_int_eq(found.n_min, 4);
	/* One node has no worker. */
	ck_assert_int_eq(found.curve.points[0].n, 2);
	ck_assert_double_eq_tol(found.curve.points[0].median_s, 36, .5);
	ck_assert_double_eq_tol(found.curve.points[2].median_s, 12, 1e-6);
	ck_assert_double_eq_tol(found.curve.points[2].efficiency, 1, 1e-6);
	ck_assert_int_eq(found.curve.points[found.curve.count - 1].n, 16);
	/* The master is busy for 3000 * 1 ms: more workers than about ten wait
	 * for it. */
	ck_assert_int_lt(found.curve.points[found.curve.worth].n, 16);
	ck_assert_int_ge(found.fed, 9);
	ck_assert_int_le(found.fed, 13);
	/* A range, and other parameters. */
	ck_assert_int_eq(make(2, 5, 4000, &found, &err), 0);
	ck_assert_int_eq(found.curve.count, 4);
	ck_assert_int_eq(make(1, 0, 5000, &found, &err), -1);
	/* More nodes than any int. */
	ck_assert_int_eq(make(3000000000, 3000000001, 4000, &found, &err), -1);
	ck_assert_int_eq(make(1, 3000000001, 4000, &found, &err), 0);
	ck_assert_int_eq(found.curve.points[found.curve.count - 1].n, 16);
}
END_TEST

/* Four nodes, or as many as are given, of a job with a limit. */
static struct prediction predict_on(uint32_t nodes)
{
	struct life life;

	life_submit(&life, nodes, 4000);
	life.job.limit_s = 3600;
	return life_predict(engine, &life, LIFE_START_S + 1e5);
}

START_TEST(test_half_of_the_nodes)
{
	struct half_job half;
	struct prediction p, other;

	for (int i = 0; i < 12; i++)
		learn(1U << i / 3, 4000, 10 + 80.0 / (1 << i / 3),
		      RUN_COMPLETED);
	p = predict_on(4);
	ck_assert_int_eq(p.basis, BASIS_HISTORY);
	ck_assert_int_eq(engine_half(engine, &p, &half), 0);
	ck_assert_uint_eq(half.nodes, 2);
	ck_assert_uint_eq(half.tasks, 2);
	ck_assert_uint_eq(half.cpus, p.cpus / 2);
	ck_assert_double_eq_tol(half.factor, 50 / 30.0, 0.15);
	ck_assert_double_eq(half.longer_s, (half.factor - 1) * p.median_s);
	/* The limit has to do for the longer run. */
	other = p;
	other.limit_s = HUGE_VAL;
	ck_assert_int_eq(engine_half(engine, &other, &half), 0);
	other.limit_s = 1.5 * p.median_s;
	ck_assert_int_eq(engine_half(engine, &other, &half), -1);
	other.limit_s = NAN;
	ck_assert_int_eq(engine_half(engine, &other, &half), -1);
	/* What it has may not be half of it on half of the nodes. */
	other = p;
	strcpy(other.gres, "gpu:4");
	ck_assert_int_eq(engine_half(engine, &other, &half), -1);
	other = p;
	other.tasks = 6;
	ck_assert_int_eq(engine_half(engine, &other, &half), -1);
	other = p;
	other.basis = BASIS_LIMIT;
	ck_assert_int_eq(engine_half(engine, &other, &half), -1);
	other = p;
	other.application.parameters.of[0].value++;
	ck_assert_int_eq(engine_half(engine, &other, &half), -1);
	for (uint32_t n = 1; n <= 3; n += 2) {
		p = predict_on(n);
		ck_assert_int_eq(engine_half(engine, &p, &half), -1);
	}
	/* Beyond what the curve reaches to. */
	p = predict_on(32);
	ck_assert_int_eq(engine_half(engine, &p, &half), -1);
}
END_TEST

/* Nothing has run on fewer than four. */
START_TEST(test_half_was_never_seen)
{
	struct half_job half;
	struct prediction p;

	for (int i = 0; i < 12; i++)
		learn(4U << i % 2, 4000, 10 + 80.0 / (4 << i % 2),
		      RUN_COMPLETED);
	p = predict_on(4);
	ck_assert_int_eq(engine_half(engine, &p, &half), -1);
	p = predict_on(8);
	ck_assert_int_eq(engine_half(engine, &p, &half), 0);
	ck_assert_uint_eq(half.nodes, 4);
}
END_TEST

START_TEST(test_half_of_a_farm)
{
	struct half_job half;
	struct prediction p;

	learn_farm();
	for (int i = 0; i < 9; i++)
		learn(4, 4000, 11.6 + .1 * i, RUN_COMPLETED);
	p = predict_on(4);
	ck_assert_int_eq(engine_half(engine, &p, &half), 0);
	ck_assert_double_eq_tol(half.factor, 3, .05);
	/* One node has no worker. */
	p = predict_on(2);
	ck_assert_int_eq(engine_half(engine, &p, &half), -1);
}
END_TEST

/* Where 15 workers take a fifth of the time of three, messages do not cost what
 * probes say; where they take a third, they do. */
START_TEST(test_farm_refines_messages)
{
	struct run_curve found;

	learn_farm();
	learn_farm_on(16, 4);
	ck_assert_int_eq(make(1, 0, 4000, &found, NULL), 0);
	ck_assert_int_ge(found.fed, 8); /* the point before 10 */
	ck_assert_int_le(found.fed, 13);
	learn_farm_on(16, 2.4);
	ck_assert_int_eq(make(1, 0, 4000, &found, NULL), 0);
	ck_assert_int_eq(found.fed, 0); /* all are fed */
}
END_TEST

/* However many runs are on four nodes, the prediction for another number is
 * what the curve shows. */
START_TEST(test_farm_as_predicted)
{
	struct run_curve found;

	learn_farm();
	for (int i = 0; i < 9; i++)
		learn(4, 4000, 11.6 + .1 * i, RUN_COMPLETED);
	ck_assert_int_eq(make(1, 0, 4000, &found, NULL), 0);
	ck_assert_int_eq(found.curve.count, 15);
	for (int i = 0; i < found.curve.count; i++) {
		const struct curve_point *point = &found.curve.points[i];
		struct life life;
		struct prediction p;

		life_submit(&life, (uint32_t)point->n, 4000);
		p = life_predict(engine, &life, LIFE_START_S + 1e5);
		ck_assert_double_eq_tol(p.median_s, point->median_s,
					.01 * point->median_s);
		if (point->n == 2)
			ck_assert_double_eq_tol(p.median_s, 36, 2);
		if (point->n == 7)
			ck_assert_double_eq_tol(p.median_s, 6, .5);
		/* 4 times as far as anything seen, and no wider. */
		ck_assert_double_lt(p.quantile_s, 1.5 * p.median_s);
	}
}
END_TEST

/* Its simulated curve is what schedulers get, with runs on one number of nodes
 * only; and the index is least where the simulation has it. */
START_TEST(test_number_of_a_farm)
{
	struct placement_model model;
	struct run_curve found;
	struct prediction p;

	for (int i = 0; i < 6; i++)
		learn(4, 4000, 12, RUN_COMPLETED);
	p = predict_open("index", LIFE_START_S + 4e4);
	ck_assert_uint_eq(p.nodes_best, 0);
	learn_farm();
	ck_assert_int_eq(make(1, 8, 4000, &found, NULL), 0);
	p = predict_open("index", LIFE_START_S + 6e4);
	ck_assert_uint_eq(p.nodes_best,
			  found.curve.points[found.curve.worth].n);
	ck_assert_int_eq(engine_placement(engine, p.id, &model), 0);
	ck_assert_uint_eq(model.curve.from, 4);
	ck_assert_uint_eq(model.curve.reach, 8);
	ck_assert_double_eq_tol(placement_curve_s(&model.curve, 4), 12, 1.5);
	ck_assert_double_eq_tol(placement_curve_s(&model.curve, 8), 5.2, .8);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_runs_of_the_same_parameters,
		test_range_of_the_job,
		test_tasks_fixed,
		test_number_chosen,
		test_number_needs_a_record,
		test_another_number_given,
		test_farm_is_simulated,
		test_farm_refines_messages,
		test_farm_as_predicted,
		test_number_of_a_farm,
		test_half_of_the_nodes,
		test_half_was_never_seen,
		test_half_of_a_farm,
		NULL,
	};

	return suite_run_each("run_curve", tests, set_up, tear_down);
}
