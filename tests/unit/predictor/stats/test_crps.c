/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_crps.c - how far a distribution is from what came */
#include <math.h>

#include "predictor/stats/crps.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define ATOMS 17

START_TEST(test_known_scores)
{
	const float one[] = { 7.25F }, sure[] = { 1 };
	const float two[] = { 2, 10 }, halves[] = { 0.5F, 0.5F };

	ck_assert_double_eq_tol(crps(one, sure, 1, 7.25, NULL), 0, 1e-6);
	ck_assert_double_eq_tol(crps(one, sure, 1, 3.75, NULL), 3.5, 1e-6);
	/* The integral of (F - 1{y <= t})^2: 8/4 inside, and 5 outside. */
	ck_assert_double_eq_tol(crps(two, halves, 2, 6, NULL), 2, 1e-6);
	ck_assert_double_eq_tol(crps(two, halves, 2, 15, NULL), 7, 1e-6);
}
END_TEST

/* The score of weights softmax(s). */
static double score(const float *z, const double *s, double y)
{
	float w[ATOMS];
	double sum = 0;

	for (int i = 0; i < ATOMS; i++)
		sum += exp(s[i]);
	for (int i = 0; i < ATOMS; i++)
		w[i] = (float)(exp(s[i]) / sum);
	return crps(z, w, ATOMS, y, NULL);
}

START_TEST(test_slope_is_that_of_finite_differences)
{
	struct random r = { 3 };

	for (int trial = 0; trial < 50; trial++) {
		float z[ATOMS], w[ATOMS], slope[ATOMS];
		double s[ATOMS], sum = 0, at = 0;
		double y = 40 * random_unit(&r) - 5;

		for (int i = 0; i < ATOMS; i++) {
			/* Some atoms are equal. */
			at += (double)random_below(&r, 3) * random_unit(&r);
			z[i] = (float)at;
			s[i] = 4 * random_unit(&r) - 2;
			sum += exp(s[i]);
		}
		for (int i = 0; i < ATOMS; i++)
			w[i] = (float)(exp(s[i]) / sum);
		crps(z, w, ATOMS, y, slope);
		for (int i = 0; i < ATOMS; i++) {
			const double h = 1e-2;
			double was = s[i];

			s[i] = was + h;
			double above = score(z, s, y);
			s[i] = was - h;
			double below = score(z, s, y);
			s[i] = was;
			ck_assert_double_eq_tol((double)slope[i],
						(above - below) / (2 * h),
						1e-3);
		}
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_known_scores,
		test_slope_is_that_of_finite_differences,
		NULL,
	};

	return suite_run("crps", tests);
}
