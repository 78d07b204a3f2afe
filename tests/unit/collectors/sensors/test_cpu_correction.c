/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cpu_correction.c - when probes come, and what they change */
#include <math.h>

#include "collectors/sensors/cpu_correction.h"
#include "tests/unit/suite.h"

static const struct cpu_share whole = { 1, 1, 1 };
static const struct cpu_share some = { 0.66, 0.5, 1 };

static void learn(struct cpu_correction *c, double now_s, double share,
		  const struct cpu_share *expected, double period_s)
{
	struct cpu_probe_result result = { .share = share,
					   .cost_s = 0.02,
					   .took_s = 0.02 / share,
					   .speed = 0.9 + share / 100 };

	cpu_correction_learn(c, now_s, &result, expected, period_s);
}

START_TEST(test_within_bounds)
{
	struct cpu_correction c;

	cpu_correction_init(&c);
	ck_assert_double_nan(cpu_correction_speed(&c));
	learn(&c, 10, 0.55, &some, 0);
	learn(&c, 20, 0.98, &some, 0);
	learn(&c, 30, 0.93, &whole, 0);
	ck_assert_double_eq(c.factor, 1);
	ck_assert_double_eq_tol(cpu_correction_speed(&c), 0.9098, 1e-9);
}
END_TEST

START_TEST(test_follows)
{
	struct cpu_correction c;

	cpu_correction_init(&c);
	for (int i = 0; i < 6; i++)
		learn(&c, i, 0.3, &whole, 0);
	ck_assert_double_eq_tol(c.factor, 0.3, 0.01);
	for (int i = 0; i < 8; i++)
		learn(&c, i, 1, &whole, 0);
	ck_assert_double_eq(c.factor, 1);
	for (int i = 0; i < 8; i++)
		learn(&c, i, 0.8, &(struct cpu_share){ 0.2, 0.1, 0.25 }, 0);
	ck_assert_double_eq_tol(c.factor, 3.2, 0.02);
	for (int i = 0; i < 100; i++)
		learn(&c, i, 1e-6, &whole, 0);
	ck_assert_double_gt(c.factor, 0);
}
END_TEST

START_TEST(test_confirmed)
{
	struct cpu_correction c;

	cpu_correction_init(&c);
	learn(&c, 1, 0.1, &whole, 0);
	ck_assert_double_eq(c.factor, 1);
	learn(&c, 2, 1, &whole, 0);
	learn(&c, 3, 0.4, &whole, 0);
	ck_assert_double_eq(c.factor, 1);
	learn(&c, 4, 0.1, &whole, 0);
	ck_assert_double_lt(c.factor, 0.7);
	ck_assert_double_ge(c.factor, 0.4);
}
END_TEST

/* 20 ms in a period of 100 ms may have had no end of quota. */
START_TEST(test_long_period)
{
	static const struct cpu_share quota = { 0.4, 0.4, 0.4 };
	struct cpu_correction c;

	cpu_correction_init(&c);
	learn(&c, 1, 1, &quota, 0.1);
	ck_assert_double_eq(c.factor, 1);
	learn(&c, 2, 0.8, &quota, 0.005);
	learn(&c, 3, 0.8, &quota, 0.005);
	ck_assert_double_gt(c.factor, 1);
}
END_TEST

/* Probes while `seconds` pass, each as expected. */
static int probes(struct cpu_correction *c, double from_s, double to_s,
		  double share)
{
	struct cpu_view view = { 1, 0 };
	int count = 0;

	for (double now_s = from_s; now_s < to_s; now_s += 1.25) {
		if (!cpu_correction_is_due(c, now_s, &view))
			continue;
		count++;
		learn(c, now_s + 0.5, share, &whole, 0);
	}
	return count;
}

START_TEST(test_rare_while_dull)
{
	struct cpu_correction c;
	struct cpu_view changed = { 0.5, 0 };

	cpu_correction_init(&c);
	ck_assert_int_ge(probes(&c, 0, 100, 1), 2);
	ck_assert_int_le(probes(&c, 100, 4000, 1), 9);
	ck_assert_int_ge(probes(&c, 4000, 8000, 1), 5);
	/* A change brings the next one, but never too many. */
	c.at_s = c.soonest_s = 8000;
	ck_assert(cpu_correction_is_due(&c, 8000, &changed));
	learn(&c, 8000.1, 0.5, &whole, 0);
	ck_assert(!cpu_correction_is_due(&c, 8001, &changed));
	changed.share = 1;
	ck_assert(!cpu_correction_is_due(&c, 8002, &changed));
	ck_assert(cpu_correction_is_due(&c, 8030, &changed));
	learn(&c, 8030.1, 1, &whole, 0);
	changed.busy = 0.4;
	ck_assert(cpu_correction_is_due(&c, 8060, &changed));
}
END_TEST

START_TEST(test_cost)
{
	struct cpu_correction c;
	struct cpu_view view = { 1, 0 };
	int count = 0;

	cpu_correction_init(&c);
	for (int i = 0; i < 10000; i++) {
		view.share = i % 2;
		if (!cpu_correction_is_due(&c, i, &view))
			continue;
		count++;
		learn(&c, i, i % 3 ? 0.2 : 1, &whole, 0);
	}
	ck_assert_double_le(count * 0.02 / 10000, PROBE_COST_MAX);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_within_bounds,
				       test_follows,
				       test_confirmed,
				       test_long_period,
				       test_rare_while_dull,
				       test_cost,
				       NULL };

	return suite_run("cpu_correction", tests);
}
