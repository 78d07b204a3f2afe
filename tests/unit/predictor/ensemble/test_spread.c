/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_spread.c - the distribution of run times around a model's median */
#include <math.h>

#include "predictor/ensemble/spread.h"
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

#define MODEL 1
#define LN_S  4.5 /* of the predicted median */

#define KEY 4711

static void note(struct spread *s, double error)
{
	spread_note(s, MODEL, KEY, exp(LN_S), exp(LN_S + error));
}

static void distribution_of(const struct spread *s, struct distribution *ret)
{
	struct model_result answer = { .median_s = exp(LN_S),
				       .sigma = 0.1,
				       .degrees = 9 };
	double weight = 0;

	spread_around(s, MODEL, KEY, &answer, ret);
	for (int i = 0; i < ret->count; i++) {
		weight += ret->atoms[i].weight;
		if (i)
			ck_assert_double_ge(ret->atoms[i].value,
					    ret->atoms[i - 1].value);
	}
	ck_assert_double_eq_tol(weight, 1, 1e-9);
}

/* Weight of what is farther off than that, below (-1) or above the median. */
static double weight_beyond(const struct distribution *d, int side, double off)
{
	double weight = 0;

	for (int i = 0; i < d->count; i++)
		if (side * (d->atoms[i].value - LN_S) > off)
			weight += d->atoms[i].weight;
	return weight;
}

/* Eight runs that were all shorter than predicted say how far off the next may
 * be, and not that it cannot be longer. */
START_TEST(test_errors_on_one_side)
{
	struct spread *s = spread_create();
	struct distribution d;

	for (int i = 0; i < 8; i++)
		note(s, -0.2 - 0.01 * i);
	distribution_of(s, &d);
	ck_assert_double_eq_tol(weight_beyond(&d, -1, 0.19), 0.5, 1e-6);
	ck_assert_double_eq_tol(weight_beyond(&d, 1, 0.19), 0.5, 1e-6);
	ck_assert_double_eq_tol(weight_beyond(&d, 1, 0.28), 0, 1e-6);
	spread_destroy(s);
}
END_TEST

/* A tenth of the next normal errors passes the 0.9-quantile, before any
 * correction by experience. */
START_TEST(test_few_errors_cover)
{
	struct random r = { 7 };
	int within = 0, rounds = 2000;

	for (int round = 0; round < rounds; round++) {
		struct spread *s = spread_create();
		struct distribution d;
		double weight = 0;
		int i = 0;

		for (int n = 0; n < 10; n++)
			note(s, 0.3 * random_normal(&r));
		distribution_of(s, &d);
		while (weight + d.atoms[i].weight / 2 < 0.9)
			weight += d.atoms[i++].weight;
		within += 0.3 * random_normal(&r) <= d.atoms[i].value - LN_S;
		spread_destroy(s);
	}
	ck_assert_int_gt(within, rounds * 88 / 100);
	ck_assert_int_lt(within, rounds * 93 / 100);
}
END_TEST

/* Without errors it is the model's own deviation. */
START_TEST(test_no_errors)
{
	struct spread *s = spread_create();
	struct distribution d;

	distribution_of(s, &d);
	ck_assert_double_eq_tol(weight_beyond(&d, 1, 0.1), 0.2, 0.07);
	ck_assert_double_eq_tol(weight_beyond(&d, -1, 0.1), 0.2, 0.07);
	ck_assert_double_eq_tol(weight_beyond(&d, 1, 0.4), 0, 1e-6);
	spread_destroy(s);
	spread_destroy(NULL);
}
END_TEST

/* Those of others count while there are few. */
START_TEST(test_sigma)
{
	struct spread *s = spread_create();

	ck_assert(isnan(spread_sigma(s, MODEL, KEY)));
	for (int i = 0; i < 3; i++)
		spread_note(s, MODEL, KEY + 1, exp(LN_S), exp(LN_S + 2));
	ck_assert(isnan(spread_sigma(s, MODEL, KEY)));
	spread_note(s, MODEL, KEY + 1, exp(LN_S), exp(LN_S - 2));
	ck_assert_double_eq_tol(spread_sigma(s, MODEL, KEY), 2 * sqrt(8. / 6),
				1e-6);
	ck_assert(isnan(spread_sigma(s, MODEL + 1, KEY)));
	for (int i = 0; i < 40; i++)
		note(s, i % 2 ? 0.5 : -0.5);
	ck_assert_double_eq_tol(spread_sigma(s, MODEL, KEY),
				0.5 * sqrt(16. / 14), 1e-6);
	ck_assert_double_gt(spread_sigma(s, MODEL, KEY + 1), 1);
	spread_destroy(s);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_errors_on_one_side,
		test_few_errors_cover,
		test_no_errors,
		test_sigma,
		NULL,
	};

	return suite_run("spread", tests);
}
