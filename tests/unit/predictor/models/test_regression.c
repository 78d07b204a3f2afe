/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_regression.c - run time by direct linear regression on the nearest runs
 */
#include "predictor/features/measurement.h"
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

struct fixture {
	const struct model *model;
	void *object;
	struct history *h;
};

static struct fixture setup(void)
{
	struct fixture f = { .model = model_named("regression") };

	f.object = f.model->create();
	f.h = history_create();
	ck_assert_ptr_nonnull(f.object);
	return f;
}

static void teardown(struct fixture *f)
{
	f->model->destroy(f->object);
	f->model->destroy(NULL);
	history_destroy(f->h);
}

static void add(struct fixture *f, const struct run *run)
{
	ck_assert_int_eq(history_add_run(f->h, run, NULL), 0);
}

static int predict_run(struct fixture *f, const struct run *run,
		       struct model_result *ret)
{
	struct query q = query_of(f->h, run);
	struct sp_error err;
	int rc = f->model->predict(f->object, f->h, &q, ret, &err);

	if (!rc) {
		ck_assert_double_finite(ret->median_s);
		ck_assert_double_gt(ret->median_s, 0);
		ck_assert_double_finite(ret->sigma);
		ck_assert_double_gt(ret->degrees, 0);
	}
	return rc;
}

START_TEST(test_a_power_law_is_found)
{
	struct fixture f = setup();
	struct model_result result;

	for (uint32_t i = 0; i < 12; i++) {
		double bodies = 2000 + 731 * i;
		struct run run =
			nbody_run(i, 4, bodies, bodies * bodies / 3.3e5);

		add(&f, &run);
	}

	struct run run = nbody_run(99, 4, 6173, 0);

	ck_assert_int_eq(predict_run(&f, &run, &result), 0);
	ck_assert_double_eq_tol(result.median_s / (6173.0 * 6173 / 3.3e5), 1,
				0.02);
	ck_assert_uint_eq(result.runs, 12);
	teardown(&f);
}
END_TEST

START_TEST(test_few_runs)
{
	struct fixture f = setup();
	struct model_result result;
	struct run run = nbody_run(1, 2, 5000, 33);

	ck_assert_int_eq(predict_run(&f, &run, &result), -1);
	add(&f, &run);
	ck_assert_int_eq(predict_run(&f, &run, &result), -1);
	run = nbody_run(2, 2, 5000, 37);
	add(&f, &run);

	/* Two with the same parameters: their mean (of the logarithms). */
	ck_assert_int_eq(predict_run(&f, &run, &result), 0);
	ck_assert_double_eq_tol(result.median_s, sqrt(33 * 37.0), 1e-3);
	ck_assert_uint_eq(result.runs, 2);

	/* With other parameters two are too few. */
	run = nbody_run(3, 2, 6000, 47);
	ck_assert_int_eq(predict_run(&f, &run, &result), -1);
	add(&f, &run);
	run = nbody_run(4, 2, 7000, 0);
	ck_assert_int_eq(predict_run(&f, &run, &result), 0);
	ck_assert_double_gt(result.median_s, 40);
	ck_assert_double_lt(result.median_s, 80);
	teardown(&f);
}
END_TEST

START_TEST(test_load_is_learned)
{
	struct fixture f = setup();
	struct model_result idle;
	struct model_result busy;

	for (uint32_t i = 0; i < 20; i++) {
		double load = i % 3;
		struct run run = nbody_run(i, 2, 5000, 21 * (1 + 0.7 * load));

		run_set_load(&run, load / 2, load);
		add(&f, &run);
	}

	struct run run = nbody_run(99, 2, 5000, 0);

	run_set_load(&run, 0, 0);
	ck_assert_int_eq(predict_run(&f, &run, &idle), 0);
	run_set_load(&run, 1, 2);
	ck_assert_int_eq(predict_run(&f, &run, &busy), 0);
	ck_assert_double_eq_tol(idle.median_s, 21, 1.1);
	ck_assert_double_eq_tol(busy.median_s, 50.4, 2.6);
	teardown(&f);
}
END_TEST

/* Load that costs more on more nodes: each of them waits for the slowest. */
static double waiting_runtime_s(uint32_t nodes, double load_max)
{
	return 10 * pow(1 + load_max, 1 + log(nodes) / 2);
}

START_TEST(test_load_costs_more_on_more_nodes)
{
	static const uint32_t sizes[] = { 1, 2, 4 };
	struct fixture f = setup();
	struct model_result result;

	for (uint32_t i = 0; i < 18; i++) {
		uint32_t nodes = sizes[i % 3];
		double load = i / 3 % 3;
		struct run run = nbody_run(i, nodes, 5000,
					   waiting_runtime_s(nodes, load));

		if (nodes == 4 && load > 1)
			continue;
		run_set_load(&run, load / nodes, load);
		add(&f, &run);
	}

	struct run run = nbody_run(99, 4, 5000, 0);

	run_set_load(&run, 0.5, 2);
	ck_assert_int_eq(predict_run(&f, &run, &result), 0);
	ck_assert_double_eq_tol(result.median_s / waiting_runtime_s(4, 2), 1,
				0.08);
	teardown(&f);
}
END_TEST

START_TEST(test_unknown_conditions)
{
	struct fixture f = setup();
	struct model_result result;

	for (uint32_t i = 0; i < 10; i++) {
		struct run run = nbody_run(i, 2, 5000, 30);

		add(&f, &run); /* conditions not known */
	}

	struct run run = nbody_run(99, 2, 5000, 0);

	ck_assert_int_eq(predict_run(&f, &run, &result), 0);
	ck_assert_double_eq_tol(result.median_s, 30, 0.01);
	run_set_load(&run, 2, 3); /* known now, but of no run */
	ck_assert_int_eq(predict_run(&f, &run, &result), 0);
	ck_assert_double_eq_tol(result.median_s, 30, 0.01);
	teardown(&f);
}
END_TEST

START_TEST(test_other_sizes_stand_in)
{
	struct fixture f = setup();
	struct model_result result;

	for (uint32_t i = 0; i < 24; i++) {
		uint32_t nodes = 1u << i % 3;
		struct run run = nbody_run(i, nodes, 5000, 160.0 / nodes);

		add(&f, &run);
	}

	struct run run = nbody_run(99, 8, 5000, 0);

	ck_assert_int_eq(predict_run(&f, &run, &result), 0);
	ck_assert_double_eq_tol(result.median_s, 20, 2);
	teardown(&f);
}
END_TEST

START_TEST(test_far_away_is_not_absurd)
{
	struct fixture f = setup();
	struct model_result result;
	struct random r = { 77 };

	for (uint32_t i = 0; i < 30; i++) {
		struct run run = nbody_run(i, 1, 5000, 55 + i % 4);

		parameters_set(&run.application.parameters, "seed",
			       (double)(random_next(&r) >> 16), NULL);
		add(&f, &run);
	}

	struct run run = nbody_run(99, 1, 5000, 0);
	static const double seeds[] = { 1, -1, 0, 1e300, -1e308, 77 };

	for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
		parameters_set(&run.application.parameters, "seed", seeds[i],
			       NULL);
		ck_assert_int_eq(predict_run(&f, &run, &result), 0);
		ck_assert_double_gt(result.median_s, 30);
		ck_assert_double_lt(result.median_s, 100);
	}
	teardown(&f);
}
END_TEST

/* For any runs a result is a positive number (see predict_run()). */
START_TEST(test_random_runs)
{
	static const double values[] = { 0,   -3.5,   1e-300, 1e308, -1e308,
					 7e7, 0.0625, 1,      1000,  5e-324 };
	struct random r = { 2 };
	int results = 0;

	for (int trial = 0; trial < 300; trial++) {
		struct fixture f = setup();
		int names = (int)random_below(&r, PARAMETERS_MAX + 1);

		for (uint32_t i = 0; i < 40; i++) {
			double runtime_s = exp(20 * random_unit(&r) - 1);
			struct run run = nbody_run(i, 1 + i % 3, 1, runtime_s);
			struct model_result result;

			run.application.parameters.count = 0;
			for (int j = 0; j < names; j++) {
				char name[2] = { (char)('a' + j), 0 };

				parameters_set(
					&run.application.parameters, name,
					random_below(&r, 2)
						? values[random_below(&r, 10)]
						: random_unit(&r),
					NULL);
			}
			if (random_below(&r, 3))
				run_set_load(&run, values[random_below(&r, 10)],
					     values[random_below(&r, 10)]);
			results += predict_run(&f, &run, &result) == 0;
			add(&f, &run);
		}
		teardown(&f);
	}
	ck_assert_int_gt(results, 300 * 30);
}
END_TEST

/* An N-body program on one, two or four of four nodes whose load comes and
 * goes, evaluated as by Lee and Schopf: sum of errors over sum of run times;
 * with as many jobs as a demonstration has. */
static struct run random_run(struct random *r, uint32_t i)
{
	static const uint32_t sizes[] = { 1, 2, 4 };
	uint32_t nodes = sizes[random_below(r, 3)];
	double bodies = 2000 * (1 + (double)random_below(r, 5));
	double sum = 0;
	double max = 0;

	for (uint32_t n = 0; n < nodes; n++) {
		double load = random_below(r, 2) ? random_below(r, 3) : 0;

		sum += load;
		max = fmax(max, load);
	}

	double runtime_s = 2e-6 * bodies * bodies / nodes * (1 + max) *
			   (1 + 0.03 * random_normal(r));
	struct run run = nbody_run(i, nodes, bodies, runtime_s);

	run_set_load(&run, sum / nodes, max);
	return run;
}

START_TEST(test_nbody_error)
{
	double error = 0;
	double error_avg2 = 0;
	double actual = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct fixture f = setup();
		struct random r = { seed };
		double last[2] = { 0 };

		for (uint32_t i = 0; i < 36; i++) {
			struct run run = random_run(&r, i);
			double runtime_s = run_runtime_s(&run);
			struct model_result result;

			if (i >= 26) {
				ck_assert_int_eq(predict_run(&f, &run, &result),
						 0);
				error += fabs(result.median_s - runtime_s);
				error_avg2 += fabs((last[0] + last[1]) / 2 -
						   runtime_s);
				actual += runtime_s;
			}
			last[0] = last[1];
			last[1] = runtime_s;
			add(&f, &run);
		}
		teardown(&f);
	}
	/* 25 and a half are what must be; below 5 is what it does. */
	ck_assert_double_lt(100 * error / actual, 5);
	ck_assert_double_lt(error / error_avg2, 0.1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_power_law_is_found,
		test_few_runs,
		test_load_is_learned,
		test_load_costs_more_on_more_nodes,
		test_unknown_conditions,
		test_other_sizes_stand_in,
		test_far_away_is_not_absurd,
		test_random_runs,
		test_nbody_error,
		NULL,
	};

	return suite_run("regression model", tests);
}
