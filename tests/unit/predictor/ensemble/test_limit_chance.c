/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_limit_chance.c - how likely a job is to reach its limit, as learned */
#include <check.h>
#include <math.h>

#include "predictor/ensemble/limit_chance.h"
#include "predictor/stats/splitmix.h"
#include "tests/unit/suite.h"

#define JOBS 64

static struct limit_chance *chance;
static uint64_t generator;

static double random_share(void)
{
	return splitmix_unit(&generator);
}

static void set_up(void)
{
	generator = 46;
	chance = limit_chance_create(JOBS);
	ck_assert_ptr_nonnull(chance);
}

static void tear_down(void)
{
	limit_chance_destroy(chance);
	limit_chance_destroy(NULL);
}

static struct query query_of(uint64_t user, uint64_t application,
			     double limit_s)
{
	return (struct query){ .user_key = user,
			       .application_key = application,
			       .cluster_key = 7,
			       .limit_s = limit_s,
			       .in_flight = 1 };
}

/* Quantiles of a time that is `share` likely to be beyond 1,000 s. */
static void knots_fill(double share, double ret[PREDICTION_KNOTS])
{
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		ret[i] = prediction_knots[i] < 1 - share ? 100 + i : 1000 + i;
}

static double run_one(const struct query *q, const double *knots_s,
		      double runtime_s)
{
	double told = limit_chance_find(chance, q, knots_s);

	limit_chance_watch(chance, 3, q, knots_s);
	limit_chance_end(chance, 3, q, runtime_s);
	return told;
}

START_TEST(test_learns_of_user_and_application)
{
	struct query often = query_of(1, 1, 1000), other = query_of(1, 2, 1000);
	struct query never = query_of(2, 1, 1000), longer = query_of(1, 1, 4e3);
	double knots_s[PREDICTION_KNOTS];

	knots_fill(0.2, knots_s);

	double before = limit_chance_find(chance, &often, knots_s);

	for (int i = 0; i < 40; i++) {
		run_one(&often, knots_s, 995);
		run_one(&other, knots_s, 140);
		run_one(&never, knots_s, 140);
		run_one(&longer, knots_s, 995);
	}
	ck_assert_double_gt(limit_chance_find(chance, &often, knots_s),
			    before + 0.1);
	ck_assert_double_lt(limit_chance_find(chance, &never, knots_s), before);
	ck_assert_double_lt(limit_chance_find(chance, &other, knots_s), before);
	ck_assert_double_lt(limit_chance_find(chance, &longer, knots_s),
			    before);
}
END_TEST

/* Before the first run ends, quantiles and the share of all runs, a tenth,
 * count: ln(odds) are -0.3 + 0.3 ln(1/9) + 0.5 ln(odds of the quantiles). */
START_TEST(test_before_the_first)
{
	struct query q = query_of(1, 1, 1000);
	double knots_s[PREDICTION_KNOTS];
	double low, high, ln_odds = -0.3 + 0.8 * log(1. / 9);

	for (int i = 0; i < PREDICTION_KNOTS; i++)
		knots_s[i] = NAN;
	ck_assert_double_eq_tol(limit_chance_find(chance, &q, knots_s),
				1 / (1 + exp(-ln_odds)), 1e-9);
	knots_fill(0.2, knots_s);
	low = limit_chance_find(chance, &q, knots_s);
	knots_fill(0.8, knots_s);
	high = limit_chance_find(chance, &q, knots_s);
	ck_assert_double_gt(low, 0.1);
	ck_assert_double_gt(high, 2 * low);
}
END_TEST

/* Whatever quantiles and shares say, what was predicted comes true as often:
 * here quantiles say twice the odds. */
START_TEST(test_is_calibrated)
{
	static const double shares[] = { 0.1, 0.3, 0.5 };
	double told[3] = { 0 }, reached[3] = { 0 }, counts[3] = { 0 };

	for (int i = 0; i < 60000; i++) {
		int of = (int)(3 * random_share());
		double odds = 2 * shares[of] / (1 - shares[of]);
		struct query q =
			query_of(1 + (uint64_t)(40 * random_share()), 1, 1000);
		double knots_s[PREDICTION_KNOTS];
		bool reaches = random_share() < shares[of];

		knots_fill(odds / (1 + odds), knots_s);

		double p = run_one(&q, knots_s, reaches ? 1000 : 200);

		if (i < 20000)
			continue;
		for (int bin = 0; bin < 3; bin++) {
			if (fabs(p - shares[bin]) > 0.05)
				continue;
			told[bin] += p;
			reached[bin] += reaches;
			counts[bin]++;
		}
	}
	for (int bin = 0; bin < 3; bin++) {
		ck_assert_double_gt(counts[bin], 1000);
		ck_assert_double_le(fabs(told[bin] - reached[bin]),
				    0.05 * counts[bin]);
	}
}
END_TEST

/* From 99 % of it on. */
START_TEST(test_reached)
{
	ck_assert(limit_is_reached(1000, 1000));
	ck_assert(limit_is_reached(990, 1000));
	ck_assert(!limit_is_reached(989.9, 1000));
}
END_TEST

START_TEST(test_without_a_limit)
{
	const double limits_s[] = { NAN, HUGE_VAL, 0 };
	double knots_s[PREDICTION_KNOTS];
	struct query limited = query_of(1, 1, 1000);

	knots_fill(0.3, knots_s);

	double before = limit_chance_find(chance, &limited, knots_s);

	for (size_t i = 0; i < sizeof(limits_s) / sizeof(limits_s[0]); i++) {
		struct query q = query_of(1, 1, limits_s[i]);

		ck_assert_double_nan(run_one(&q, knots_s, 1e4));
	}
	ck_assert_double_eq(limit_chance_find(chance, &limited, knots_s),
			    before);
}
END_TEST

/* A run that nobody predicted is learned from; without quantiles there still is
 * a chance. */
START_TEST(test_not_predicted)
{
	struct query q = query_of(5, 6, 1000);
	double knots_s[PREDICTION_KNOTS];

	for (int i = 0; i < PREDICTION_KNOTS; i++)
		knots_s[i] = NAN;

	double before = limit_chance_find(chance, &q, knots_s);

	for (int i = 0; i < 20; i++)
		limit_chance_end(chance, LIMIT_CHANCE_NONE, &q, 1001);
	ck_assert_double_gt(limit_chance_find(chance, &q, knots_s),
			    before + 0.2);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_learns_of_user_and_application,
		test_before_the_first,
		test_is_calibrated,
		test_reached,
		test_without_a_limit,
		test_not_predicted,
		NULL,
	};

	return suite_run_each("limit_chance", tests, set_up, tear_down);
}
