/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_lee_schopf.c - the run-time predictors of Lee and Schopf */
#include <stdio.h>
#include <stdlib.h>

#include "predictor/models/lee_schopf/lee_schopf_learn.h"
#include "tests/unit/predictor/models/family.h"

/* --- Robustness ----------------------------------------------------------- */

START_TEST(test_few_runs)
{
	struct fixture f = setup();
	struct model_result result;
	struct run run = nbody_run(1, 2, 5000, 33);

	ck_assert_int_eq(predict_run(&f, "dp_np_parm", &run, &result), -1);
	for (uint32_t i = 0; i < 3; i++) {
		ck_assert_int_eq(predict_run(&f, "dp_np_parm", &run, &result),
				 -1);
		run = nbody_run(i, 2, 5000 + 1000 * i, 30 + 10 * i);
		end(&f, &run);
	}
	ck_assert_int_eq(predict_run(&f, "dp_np_parm", &run, &result), 0);
	ck_assert_double_eq_tol(result.median_s, 50, 1e-6);
	ck_assert_int_eq(predict_run(&f, "ip", &run, &result), -1);

	/* There is none of another number of processors; without a filter
	 * there are, but what that number does is known from two on. */
	for (uint32_t i = 0; i < 3; i++) {
		run = nbody_run(8, 4, 5000, 1);
		ck_assert_int_eq(predict_run(&f, "dp_np", &run, &result), -1);
		ck_assert_int_eq(predict_run(&f, "dp", &run, &result),
				 i < 2 ? -1 : 0);
		run = nbody_run(4 + i, 1, 5500 + 1000 * i, 70 + 20 * i);
		end(&f, &run);
	}
	teardown(&f);
}
END_TEST

START_TEST(test_columns_that_say_the_same)
{
	struct fixture f = setup();
	struct random r = { 10 };
	struct run run;
	struct model_result result;

	for (uint32_t i = 0; i < 60; i++) {
		double n = 1000 + (double)random_below(&r, 4000);
		struct parameters *p = &run.application.parameters;

		run = nbody_run(i, 1, n, 5 + n / 100);
		p = &run.application.parameters;
		parameters_set(p, "twice", 2 * n, NULL);
		parameters_set(p, "half", n / 2 + 1, NULL);
		parameters_set(p, "constant", 3, NULL);
		run_set_load(&run, n / 5000, n / 5000);
		live(&f, &run);
		if (i < 4)
			continue;
		for (int row = 0; row < FILTERS; row++) {
			ck_assert_int_eq(predict_run(&f,
						     lee_schopf_rows[row].name,
						     &run, &result),
					 0);
			ck_assert_double_eq_tol(result.median_s, 5 + n / 100,
						0.5);
		}
	}
	teardown(&f);
}
END_TEST

START_TEST(test_unknown_conditions)
{
	struct fixture f = setup();
	struct random r = { 11 };
	struct run run;
	struct model_result result;

	for (uint32_t i = 0; i < 40; i++) {
		run = nbody_run(i, 2, 5000, 30 + 0.1 * random_normal(&r));
		live(&f, &run); /* conditions not known */
	}
	run_set_load(&run, 2, 3); /* known now, but of no run */
	ck_assert_int_eq(predict_run(&f, "dp_np_r", &run, &result), 0);
	ck_assert_double_eq_tol(result.median_s, 30, 0.5);

	/* Nothing to go by at all. */
	conditions_init(&run.before);
	run.application.parameters.count = 0;
	ck_assert_int_eq(predict_run(&f, "dp", &run, &result), -1);
	teardown(&f);
}
END_TEST

/* For any runs a result is a positive number (see predict_run()). */
START_TEST(test_random_runs)
{
	static const double values[] = { 0,   -3.5,   1e-300, 1e308, -1e308,
					 7e7, 0.0625, 1,      1000,  5e-324 };
	struct random r = { 2 };

	for (int trial = 0; trial < 60; trial++) {
		struct fixture f = setup();
		int names = (int)random_below(&r, PARAMETERS_MAX + 1);

		for (uint32_t i = 0; i < 40; i++) {
			double runtime_s = exp(20 * random_unit(&r) - 1);
			struct run run = nbody_run(i, 1 + i % 2, 1, runtime_s);

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
			predict_all(&f, &run);
			end(&f, &run);
		}
		teardown(&f);
	}
}
END_TEST

/* --- Cost ----------------------------------------------------------------- */

START_TEST(test_learning_is_bounded)
{
	struct random r = { 3 };
	struct fixture f = setup();
	uint64_t most = 0;

	for (uint32_t i = 0; i < 1200; i++) {
		struct run run = random_run(&r, i);
		uint64_t before = lee_schopf_fits(f.family);

		for (int j = 0; j < 6; j++) {
			char name[2] = { (char)('a' + j), 0 };

			parameters_set(&run.application.parameters, name,
				       1 + random_unit(&r), NULL);
		}
		live(&f, &run);

		uint64_t fits = lee_schopf_fits(f.family) - before;

		most = fits > most ? fits : most;
		if (i == 99)
			ck_assert_uint_le(lee_schopf_fits(f.family), 100 * 110);
	}
	ck_assert_uint_gt(most, 0);
	ck_assert_uint_le(most, 3500);
	ck_assert_uint_le(lee_schopf_fits(f.family), 1200 * 30);
	ck_assert_uint_eq(learn_next(0), 8);
	ck_assert_uint_eq(learn_next(8), 16);
	ck_assert_uint_eq(learn_next(16), 24);
	ck_assert_uint_eq(learn_next(24), 32);
	ck_assert_uint_eq(learn_next(33), 49);
	ck_assert_uint_eq(learn_next(1000000), 1000000 + 262144);
	teardown(&f);
}
END_TEST

/* Only queried applications are learned, and a limited number of them. */
START_TEST(test_applications_are_bounded)
{
	struct fixture f = setup();

	for (uint32_t a = 0; a < LEE_SCHOPF_APPLICATIONS * 3 / 2; a++) {
		for (uint32_t i = 0; i < 9; i++) {
			struct run run = nbody_run(i, 1, 5000 + i, 30 + i);
			struct model_result result;

			snprintf(run.application.name,
				 sizeof(run.application.name), "a%u", a);
			end(&f, &run);
			if (i == 7 && a % 2)
				ck_assert_int_eq(
					predict_run(&f, "dp", &run, &result),
					0);
			if (i == 8)
				ck_assert_int_eq(settings(&f, &run) != NULL,
						 a % 2);
		}
	}
	teardown(&f);
}
END_TEST

/* An object for all rows has the results of one for each. */
START_TEST(test_a_family_shares)
{
	struct random r = { 4 };
	struct fixture one = setup();
	struct fixture each[LEE_SCHOPF_ROWS];

	for (int i = 0; i < LEE_SCHOPF_ROWS; i++)
		each[i] = setup();
	for (uint32_t i = 0; i < 40; i++) {
		struct run run = random_run(&r, i);

		for (int row = 0; row < LEE_SCHOPF_ROWS; row++) {
			const char *name = lee_schopf_rows[row].name;
			struct model_result a = { 0 };
			struct model_result b = { 0 };
			int rc = predict_run(&one, name, &run, &a);

			ck_assert_int_eq(
				predict_run(&each[row], name, &run, &b), rc);
			ck_assert_double_eq(a.median_s, b.median_s);
			ck_assert_double_eq(a.sigma, b.sigma);
			end(&each[row], &run);
		}
		end(&one, &run);
	}
	for (int i = 0; i < LEE_SCHOPF_ROWS; i++)
		teardown(&each[i]);
	teardown(&one);
}
END_TEST

/* --- All of it ------------------------------------------------------------ */

/* Judged as in [1]: sum of errors over sum of run times. */
START_TEST(test_nbody_error)
{
	double error[LEE_SCHOPF_ROWS] = { 0 };
	double actual = 0;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct random r = { seed };
		struct fixture f = setup();

		for (uint32_t i = 0; i < 130; i++) {
			struct run run = random_run(&r, i);
			double runtime_s = run_runtime_s(&run);

			for (int row = 0; row < LEE_SCHOPF_ROWS && i >= 100;
			     row++) {
				struct model_result result;

				ck_assert_int_eq(
					predict_run(&f,
						    lee_schopf_rows[row].name,
						    &run, &result),
					0);
				error[row] += fabs(result.median_s - runtime_s);
			}
			actual += i >= 100 ? runtime_s : 0;
			live(&f, &run);
		}
		teardown(&f);
	}

	/* A plane through a product of three is a poor fit, the filter helps;
	 * the unit of work makes it a straight line. */
	ck_assert_double_gt(error[FILTER_NO] / actual, 0.2);
	ck_assert_double_lt(error[FILTER_NP] / actual, 0.25);
	ck_assert_double_lt(error[FILTER_NP_PARM] / actual, 0.12);
	ck_assert_double_lt(error[FILTER_NP_R_PARM] / actual, 0.1);
	for (int row = FILTERS; row < LEE_SCHOPF_ROWS; row++)
		ck_assert_double_lt(error[row] / actual, 0.04);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_few_runs,
		test_columns_that_say_the_same,
		test_unknown_conditions,
		test_random_runs,
		test_learning_is_bounded,
		test_applications_are_bounded,
		test_a_family_shares,
		test_nbody_error,
		NULL,
	};

	return suite_run("Lee and Schopf", tests);
}
