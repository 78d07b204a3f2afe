/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_distribution.c - weighted values as a distribution */
#include <math.h>

#include "predictor/stats/distribution.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

START_TEST(test_quantiles_between_weighted_midpoints)
{
	struct distribution d = { .count = 0 };

	ck_assert_double_nan(distribution_quantile(&d, 0.5));
	ck_assert_int_eq(distribution_add(&d, 7, 2), 0);
	ck_assert_double_eq(distribution_quantile(&d, 0.01), 7);
	ck_assert_int_eq(distribution_add(&d, 3, 1), 0);
	ck_assert_int_eq(distribution_add(&d, 19, 1), 0);
	/* Midpoints: 3 at 1/8, 7 at 1/2, 19 at 7/8. */
	ck_assert_double_eq(distribution_quantile(&d, 0.1), 3);
	ck_assert_double_eq_tol(distribution_quantile(&d, 0.3125), 5, 1e-12);
	ck_assert_double_eq_tol(distribution_quantile(&d, 0.5), 7, 1e-12);
	ck_assert_double_eq_tol(distribution_quantile(&d, 0.6875), 13, 1e-12);
	ck_assert_double_eq(distribution_quantile(&d, 0.9), 19);
}
END_TEST

START_TEST(test_leaves_out_what_is_no_atom)
{
	struct distribution d = { .count = 0 };

	ck_assert_int_eq(distribution_add(&d, NAN, 1), -1);
	ck_assert_int_eq(distribution_add(&d, HUGE_VAL, 1), -1);
	ck_assert_int_eq(distribution_add(&d, 1, 0), -1);
	ck_assert_int_eq(distribution_add(&d, 1, -2), -1);
	ck_assert_int_eq(distribution_add(&d, 1, NAN), -1);
	ck_assert_int_eq(d.count, 0);
	for (int i = 0; i < DISTRIBUTION_ATOMS_MAX; i++)
		ck_assert_int_eq(distribution_add(&d, i, 1), 0);
	ck_assert_int_eq(distribution_add(&d, 1, 1), -1);
}
END_TEST

START_TEST(test_quantiles_rise_with_p)
{
	struct random r = { 8 };

	for (int trial = 0; trial < 200; trial++) {
		struct distribution d = { .count = 0 };
		int n = 1 + (int)random_below(&r, DISTRIBUTION_ATOMS_MAX);
		double last = -HUGE_VAL;

		for (int i = 0; i < n; i++)
			distribution_add(&d, (double)random_below(&r, 50) - 25,
					 random_unit(&r) + 1e-9);
		for (double p = 0.005; p < 1; p += 0.005) {
			double q = distribution_quantile(&d, p);

			ck_assert_double_ge(q, last);
			last = q;
		}
		ck_assert_double_le(last, 24);
	}
}
END_TEST

START_TEST(test_quantiles_ascend_between_the_outermost_atoms)
{
	const double p[] = { 0.01, 0.2, 0.2, 0.5, 0.77, 0.99 };
	struct random r = { 9 };

	for (int n = 0; n < 40; n++) {
		struct distribution d = { .count = 0 };
		double least = HUGE_VAL, most = -HUGE_VAL;

		for (int i = 0; i < n; i++) {
			double value = random_unit(&r);

			distribution_add(&d, value, random_unit(&r));
			least = fmin(least, value);
			most = fmax(most, value);
		}
		for (int i = 0; i < 6; i++) {
			double q = distribution_quantile(&d, p[i]);

			ck_assert(n ? q >= least && q <= most : isnan(q));
			least = n ? q : least;
		}
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_quantiles_between_weighted_midpoints,
		test_leaves_out_what_is_no_atom,
		test_quantiles_rise_with_p,
		test_quantiles_ascend_between_the_outermost_atoms,
		NULL,
	};

	return suite_run("distribution", tests);
}
