/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_knots_mix.c - a prediction over several node sets */
#include <math.h>
#include <string.h>

#include "predictor/ensemble/ensemble.h"
#include "predictor/ensemble/knots_mix.h"
#include "tests/unit/suite.h"

static double knots_s[PREDICTION_KNOTS];

/* Nearly the same time, at each knot a bit more. */
static void narrow(double median_s)
{
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		knots_s[i] = median_s * exp(0.01 * (prediction_knots[i] - 0.5));
}

START_TEST(test_two_sets)
{
	static const double weights[] = { 0.7, 0.3 };
	static const double ratios[] = { 1, 3 };

	narrow(100);
	knots_mix(knots_s, 2, weights, ratios, HUGE_VAL);
	ck_assert_double_eq_tol(verdict_quantile(knots_s, 0.5), 100, 2);
	ck_assert_double_eq_tol(verdict_quantile(knots_s, 0.9), 300, 6);
	for (int i = 1; i < PREDICTION_KNOTS; i++)
		ck_assert_double_ge(knots_s[i], knots_s[i - 1]);
	/* 70 % end within the first time. */
	ck_assert_double_eq_tol(verdict_probability(knots_s, 150), 0.7, 0.06);
}
END_TEST

/* Half of a log-uniform time, half of it twice as long: known in
 * closed form. */
START_TEST(test_exact)
{
	static const double weights[] = { 0.5, 0.5 };
	static const double ratios[] = { 1, 0.5 };
	double before[PREDICTION_KNOTS];

	for (int i = 0; i < PREDICTION_KNOTS; i++)
		knots_s[i] = 10 * exp(4 * prediction_knots[i]);
	memcpy(before, knots_s, sizeof(before));
	knots_mix(knots_s, 2, weights, ratios, HUGE_VAL);
	/* Where both are within their knots, ln 2 / 4 of probability lies
	 * between the two. */
	for (double p = 0.3; p < 0.75; p += 0.1)
		ck_assert_double_eq_tol(
			log(verdict_quantile(knots_s, p)),
			log(verdict_quantile(before, p)) - log(2) / 2, 0.02);
}
END_TEST

/* The other node set is three times slower, but the job is killed. */
START_TEST(test_killed_at_the_limit)
{
	static const double weights[] = { 0.4, 0.6 };
	static const double ratios[] = { 1, 3 };

	narrow(100);
	knots_mix(knots_s, 2, weights, ratios, 180);
	ck_assert_double_eq_tol(verdict_quantile(knots_s, 0.2), 100, 2);
	ck_assert_double_eq(verdict_quantile(knots_s, 0.5), 180);
	ck_assert_double_eq(knots_s[PREDICTION_KNOTS - 1], 180);
}
END_TEST

START_TEST(test_nothing_to_mix)
{
	static const double weights[] = { 0.5, 0.5 };
	static const double ratios[] = { 1, 1.004 };
	double before[PREDICTION_KNOTS];

	narrow(7);
	memcpy(before, knots_s, sizeof(before));
	knots_mix(knots_s, 2, weights, ratios, HUGE_VAL);
	ck_assert_mem_eq(before, knots_s, sizeof(before));
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		knots_s[i] = NAN;
	knots_mix(knots_s, 2, weights, (double[]){ 1, 9 }, HUGE_VAL);
	ck_assert_double_nan(knots_s[0]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_two_sets, test_exact,
				       test_killed_at_the_limit,
				       test_nothing_to_mix, NULL };

	return suite_run("knots_mix", tests);
}
