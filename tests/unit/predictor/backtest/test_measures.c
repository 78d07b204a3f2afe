/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_measures.c - errors, accuracy and coverage of predictions */
#include <math.h>

#include "predictor/backtest/measures.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

START_TEST(test_by_hand)
{
	const struct measures_sample samples[] = {
		{ .runtime_s = 120, NAN, .predicted_s = 90, .high_s = 110 },
		{ .runtime_s = 50, 600, .predicted_s = 200, .high_s = 450 },
		{ .runtime_s = 7, HUGE_VAL, .predicted_s = NAN, .high_s = NAN },
		{ .runtime_s = 330, 300, .predicted_s = 240, .high_s = 300 },
	};
	struct measures m;
	double room[4];

	measures_of(samples, 4, room, &m);
	ck_assert_uint_eq(m.asked, 4);
	ck_assert_uint_eq(m.jobs, 3);
	ck_assert_double_eq_tol(m.runtime_s, 500. / 3, 1e-9);
	ck_assert_double_eq_tol(m.mae_s, (30 + 150 + 90) / 3., 1e-9);
	ck_assert_double_eq_tol(m.mae, 270 / 500., 1e-9);
	ck_assert_double_eq_tol(m.median_error_s, 90, 1e-9);
	ck_assert_double_eq_tol(m.accuracy, (.75 + .25 + 240 / 330.) / 3, 1e-9);
	ck_assert_double_eq_tol(m.underestimates, 2 / 3., 1e-9);
	/* The last one ran past its limit, which was shown. */
	ck_assert_double_eq_tol(m.coverage, 2 / 3., 1e-9);
	ck_assert_double_eq_tol(m.width, (110 + 450 + 300) / 500., 1e-9);
	ck_assert_double_eq_tol(m.pinball,
				(.9 * 10 + .1 * 400 + .9 * 30) / 500., 1e-9);
}
END_TEST

START_TEST(test_what_covers)
{
	struct measures_sample s = { 120, .limit_s = 110, .high_s = 110 };

	ck_assert(measures_covers(&s)); /* its limit: more can't be said */
	s.high_s = 115;                 /* more was said, and it was wrong */
	ck_assert(!measures_covers(&s));
	s.high_s = 105;
	ck_assert(!measures_covers(&s));
	s.high_s = 120;
	ck_assert(measures_covers(&s));
	s.limit_s = HUGE_VAL;
	s.high_s = 119;
	ck_assert(!measures_covers(&s));
	s.limit_s = NAN;
	ck_assert(!measures_covers(&s));
}
END_TEST

START_TEST(test_nothing_said)
{
	const struct measures_sample samples[] = {
		{ .runtime_s = 17, NAN, NAN, NAN },
		{ .runtime_s = 17, HUGE_VAL, HUGE_VAL, NAN },
	};
	struct measures m;
	double room[2];

	measures_of(samples, 2, room, &m);
	ck_assert_uint_eq(m.asked, 2);
	ck_assert_uint_eq(m.jobs, 0);
	ck_assert_double_nan(m.mae);
	ck_assert_double_nan(m.median_error_s);
	ck_assert_double_nan(m.accuracy);
	ck_assert_double_nan(m.coverage);
	measures_of(NULL, 0, room, &m);
	ck_assert_uint_eq(m.asked, 0);
	ck_assert_double_nan(m.mae_s);
}
END_TEST

/* The true quantile has the least mean loss, and the coverage that it says. */
START_TEST(test_the_true_quantile_is_the_best)
{
	struct random r = { 31 };
	static struct measures_sample samples[40000];
	static double room[40000];
	double loss[3];

	for (int i = 0; i < 40000; i++)
		samples[i] = (struct measures_sample){
			.runtime_s = 1 - 50 * log(1 - random_unit(&r)),
			.limit_s = NAN,
			.predicted_s = 33.3,
		};
	for (int k = 0; k < 3; k++) {
		double p = .86 + .04 * k;
		struct measures m;

		for (int i = 0; i < 40000; i++)
			samples[i].high_s = 1 - 50 * log(1 - p);
		measures_of(samples, 40000, room, &m);
		ck_assert_double_eq_tol(m.coverage, p, .008);
		loss[k] = m.pinball;
	}
	ck_assert_double_lt(loss[1], loss[0]);
	ck_assert_double_lt(loss[1], loss[2]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_by_hand,
		test_what_covers,
		test_nothing_said,
		test_the_true_quantile_is_the_best,
		NULL,
	};

	return suite_run("measures", tests);
}
