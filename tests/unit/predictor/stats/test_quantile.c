/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_quantile.c - quantiles of samples, and of Student's t */
#include <math.h>

#include "predictor/stats/quantile.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

START_TEST(test_sample_quantiles_as_published)
{
	/* R's quantile(c(3.1, -7, 12.5, 0.25, 8), type = 7) */
	double values[] = { 3.1, -7, 12.5, 0.25, 8 };

	ck_assert_double_eq_tol(quantile_sample(values, 5, 0), -7, 1e-12);
	ck_assert_double_eq_tol(quantile_sample(values, 5, 0.25), 0.25, 1e-12);
	ck_assert_double_eq_tol(quantile_sample(values, 5, 0.5), 3.1, 1e-12);
	ck_assert_double_eq_tol(quantile_sample(values, 5, 0.9), 10.7, 1e-12);
	ck_assert_double_eq_tol(quantile_sample(values, 5, 1), 12.5, 1e-12);
	ck_assert_double_eq_tol(quantile_sample(values, 1, 0.9), -7, 1e-12);
	ck_assert_double_nan(quantile_sample(values, 0, 0.5));
}
END_TEST

START_TEST(test_conformal_ranks)
{
	double values[] = { 9, 8, 7, 6, 5, 4, 3, 2, 1 };

	/* 10 * 0.9 is rank 9, whatever its rounding. */
	ck_assert_double_eq(quantile_conformal(values, 9, 0.9), 9);
	ck_assert_double_eq(quantile_conformal(values, 9, 0.8), 8);
	ck_assert_double_eq(quantile_conformal(values, 9, 0.81), 9);
	ck_assert_double_eq(quantile_conformal(values, 9, 0.01), 1);
	ck_assert_double_eq(quantile_conformal(values, 9, 0.99), 9);
	ck_assert_double_nan(quantile_conformal(values, 0, 0.9));
}
END_TEST

START_TEST(test_conformal_covers_new_values)
{
	struct random r = { 4 };
	int covered = 0;
	int trials = 20000;

	for (int i = 0; i < trials; i++) {
		double values[19];

		for (int j = 0; j < 19; j++)
			values[j] = -log(1 - random_unit(&r));
		covered += -log(1 - random_unit(&r)) <=
			   quantile_conformal(values, 19, 0.85);
	}
	/* 17 of 20 ranks, four standard deviations */
	ck_assert_double_eq_tol((double)covered / trials, 0.85, 0.0101);
}
END_TEST

START_TEST(test_student)
{
	/* Tables: 0.98 and 0.95 of t, by degrees of freedom. */
	ck_assert_double_eq_tol(quantile_student(2.0537, 4), 2.999, .07);
	ck_assert_double_eq_tol(quantile_student(2.0537, 10), 2.359, .01);
	ck_assert_double_eq_tol(quantile_student(1.6449, 8), 1.860, .01);
	ck_assert_double_eq_tol(quantile_student(-1.6449, 30), -1.697, .005);
	ck_assert_double_eq(quantile_student(1.3, 1), quantile_student(1.3, 2));
	ck_assert_double_eq(quantile_student(0, 7), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_sample_quantiles_as_published,
		test_conformal_ranks,
		test_conformal_covers_new_values,
		test_student,
		NULL,
	};

	return suite_run("quantile", tests);
}
