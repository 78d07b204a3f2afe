/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_battery.c - how a resource will be, from how it has been */
#include <math.h>
#include <string.h>

#include "predictor/forecast/battery.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct battery b;

static void begin(void)
{
	battery_init(&b, -HUGE_VAL, HUGE_VAL);
}

static struct battery_forecast ahead(double horizon_s)
{
	struct battery_forecast f;

	ck_assert_int_eq(battery_forecast(&b, b.time_s, horizon_s, 0.8, &f), 0);
	ck_assert(f.low <= f.value && f.value <= f.high);
	return f;
}

/* Roughly normal. */
static double noise(struct random *r)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += random_unit(r);
	return sum - 6;
}

START_TEST(test_nothing_seen)
{
	struct battery_forecast f;

	begin();
	ck_assert_int_eq(battery_forecast(&b, 0, 10, 0.8, &f), -1);
	battery_update(&b, 100, 7);
	ck_assert_double_eq(ahead(10).value, 7);
	/* With one value the spread is not known. */
	ck_assert_double_lt(ahead(10).low, 3);
	ck_assert_double_gt(ahead(10).high, 11);
	ck_assert_double_nan(ahead(10).error);
}
END_TEST

START_TEST(test_constant)
{
	begin();
	for (int i = 0; i < 500; i++)
		battery_update(&b, 10 * i, 0.25);
	for (double h = 1; h < 1e6; h *= 3) {
		struct battery_forecast f = ahead(h);

		ck_assert_double_eq_tol(f.value, 0.25, 1e-6);
		ck_assert_double_eq_tol(f.low, 0.25, 1e-6);
		ck_assert_double_eq_tol(f.high, 0.25, 1e-6);
	}
}
END_TEST

START_TEST(test_refuses_what_is_no_number)
{
	static struct battery before;

	begin();
	for (int i = 0; i < 9; i++)
		battery_update(&b, i, i * i);
	before = b;
	ck_assert_int_eq(battery_update(&b, 10, NAN), BATTERY_REFUSED);
	ck_assert_int_eq(battery_update(&b, 10, -INFINITY), BATTERY_REFUSED);
	ck_assert_int_eq(battery_update(&b, 10, 1e300), BATTERY_REFUSED);
	ck_assert_int_eq(battery_update(&b, NAN, 1), BATTERY_REFUSED);
	ck_assert_mem_eq(&before, &b, sizeof(b));
}
END_TEST

START_TEST(test_limits)
{
	struct random r = { 5 };

	battery_init(&b, 0, 1);
	for (int i = 0; i < 800; i++) {
		battery_update(&b, i, 0.9 + 0.4 * noise(&r));
		for (int h = 1; h < 300; h *= 7) {
			struct battery_forecast f = ahead(h);

			ck_assert(f.low >= 0 && f.high <= 1);
		}
	}
}
END_TEST

START_TEST(test_late_and_duplicate)
{
	begin();
	for (int i = 0; i < 50; i++)
		battery_update(&b, 10 * i, i % 7);

	struct battery_forecast before = ahead(60);

	ck_assert_int_eq(battery_update(&b, 490, 1000), BATTERY_LATE);
	ck_assert_int_eq(battery_update(&b, 485, 1000), BATTERY_LATE);
	ck_assert_int_eq(battery_update(&b, 12, 1000), BATTERY_LATE);
	ck_assert_double_eq(ahead(60).value, before.value);
	ck_assert_double_eq(ahead(60).high, before.high);
	ck_assert_int_eq(battery_update(&b, 500, 3), BATTERY_TAKEN);
}
END_TEST

START_TEST(test_clock_set_back)
{
	int taken = 0;

	begin();
	for (int i = 0; i < 50; i++)
		battery_update(&b, 1e6 + 10 * i, 3);
	for (int i = 0; i < 20; i++)
		taken += battery_update(&b, 1000 + 10 * i, 5) == BATTERY_TAKEN;
	ck_assert_int_ge(taken, 15);
	ck_assert_double_eq(b.time_s, 1190);
	ck_assert_double_eq_tol(b.step_s, 10, 0.01);
	ck_assert_double_eq_tol(ahead(10).value, 5, 0.5);
}
END_TEST

START_TEST(test_gaps)
{
	begin();
	for (int i = 0; i < 200; i++)
		battery_update(&b, 10 * i, i % 2);

	float judged = b.rungs[4].weight;

	ck_assert_double_gt((double)judged, 1);
	/* Forecasts under way are not judged by much later values. */
	battery_update(&b, 1e5, 1);
	for (int i = 0; i < BATTERY_RUNGS; i++)
		ck_assert_int_eq(b.rungs[i].slots[1].steps, -1);
	ck_assert_float_eq(b.rungs[4].weight, judged);
	ck_assert_double_eq_tol(b.step_s, 10, 0.01);

	/* A gap each time is another step. */
	for (int i = 1; i < 30; i++)
		battery_update(&b, 1e5 + 60 * i, i % 2);
	ck_assert_double_eq_tol(b.step_s, 60, 1);
}
END_TEST

START_TEST(test_change_of_level)
{
	struct random r = { 17 };

	begin();
	for (int i = 0; i < 300; i++)
		battery_update(&b, i, 10 + 0.1 * noise(&r));
	ck_assert_double_eq_tol(ahead(1).value, 10, 0.2);
	for (int i = 300; i < 306; i++)
		battery_update(&b, i, 50 + 0.1 * noise(&r));
	ck_assert_double_eq_tol(ahead(1).value, 50, 1);
	for (int i = 306; i < 340; i++)
		battery_update(&b, i, 50 + 0.1 * noise(&r));
	ck_assert_double_eq_tol(ahead(1).value, 50, 0.3);
}
END_TEST

START_TEST(test_what_repeats)
{
	begin();
	for (int i = 0; i < 400; i++)
		battery_update(&b, i, i % 8 == 0 ? 90 : 10);
	/* 399 % 8 is 7: a peak is next. */
	ck_assert_double_eq_tol(ahead(1).value, 90, 1);
	ck_assert_double_eq_tol(ahead(30).value, 20, 3);
}
END_TEST

/* Intervals of white noise, and of a walk that returns to its mean. */
static void check_coverage(double memory, int rung, double least, double most)
{
	struct random r = { 23 };
	static double values[6000];
	int steps = battery_steps[rung], count = 0;
	double inside = 0, x = 0;

	begin();
	for (int i = 0; i < 6000; i++)
		values[i] = 100 + (x = memory * x + noise(&r));
	for (int i = 0; i + steps < 6000; i++) {
		double came = 0;

		battery_update(&b, i, values[i]);
		for (int j = 1; j <= steps; j++)
			came += values[i + j] / steps;
		if (i < 20 * steps)
			continue;

		struct battery_forecast f = ahead(steps);

		inside += came >= f.low && came <= f.high;
		count++;
	}
	inside /= count;
	ck_assert_msg(inside >= least && inside <= most,
		      "memory %g, %d steps: %g inside", memory, steps, inside);
}

START_TEST(test_coverage)
{
	check_coverage(0, 0, 0.78, 0.82);
	check_coverage(0.9, 0, 0.78, 0.82);
	check_coverage(0, 3, 0.74, 0.86);
	check_coverage(0.9, 3, 0.74, 0.86);
	check_coverage(0.9, 4, 0.72, 0.88);
}
END_TEST

START_TEST(test_levels_and_horizons)
{
	struct random r = { 29 };
	struct battery_forecast f[3];
	double x = 0;

	begin();
	for (int i = 0; i < 3000; i++)
		battery_update(&b, 5 * i, x = 0.99 * x + noise(&r));
	for (int i = 0; i < 3; i++)
		battery_forecast(&b, b.time_s, 5, 0.5 + 0.2 * i, &f[i]);
	for (int i = 1; i < 3; i++) {
		ck_assert(f[i].low < f[i - 1].low);
		ck_assert(f[i].high > f[i - 1].high);
	}

	/* Between rungs, and from an older value on. */
	struct battery_forecast a = ahead(10 * 5), c = ahead(30 * 5);
	struct battery_forecast m = ahead(17 * 5), old;

	ck_assert(m.value >= fmin(a.value, c.value) &&
		  m.value <= fmax(a.value, c.value));
	battery_forecast(&b, b.time_s + 20 * 5, 10 * 5, 0.8, &old);
	ck_assert_double_eq(old.low, c.low);
	ck_assert(c.high - c.low > f[0].high - f[0].low);
}
END_TEST

START_TEST(test_memory)
{
	/* 10,000 nodes with five resources each stay below 1 GB. */
	ck_assert_uint_le(sizeof(struct battery), 12 << 10);
}
END_TEST

START_TEST(test_any_numbers)
{
	struct random r = { 31 };

	begin();
	for (int i = 0; i < 3000; i++) {
		double value = ldexp(random_unit(&r) - 0.5,
				     (int)random_below(&r, 254) - 127);

		battery_update(&b, i * random_unit(&r), value);
		if (i % 10 == 0) {
			struct battery_forecast f = ahead(1 << (i % 11));

			ck_assert(isfinite(f.value) && isfinite(f.low) &&
				  isfinite(f.high));
		}
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_nothing_seen,
		test_constant,
		test_refuses_what_is_no_number,
		test_limits,
		test_late_and_duplicate,
		test_clock_set_back,
		test_gaps,
		test_change_of_level,
		test_what_repeats,
		test_coverage,
		test_levels_and_horizons,
		test_memory,
		test_any_numbers,
		NULL,
	};

	return suite_run("battery", tests);
}
