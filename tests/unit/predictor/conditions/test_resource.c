/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_resource.c - one resource of a node: gaps, clocks, doubles, and sensors
 * that cannot be trusted
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/conditions/resource.h"
#include "tests/unit/suite.h"

static struct resource *r;

static void set_up(double high)
{
	r = malloc(sizeof(*r));
	ck_assert_ptr_nonnull(r);
	resource_init(r, 0, high, 60);
}

static void tear_down(void)
{
	free(r);
	r = NULL;
}

static double forecast(double time_s, double horizon_s)
{
	struct resource_forecast f;

	resource_forecast(r, time_s, horizon_s, &f);
	if (!isnan(f.value) && !isnan(f.low)) {
		ck_assert_double_le(f.low, f.value + 1e-6);
		ck_assert_double_ge(f.high, f.value - 1e-6);
		ck_assert_str_ne(f.method, "");
	}
	return f.value;
}

START_TEST(test_nothing_is_nothing)
{
	set_up(1);
	ck_assert_double_nan(forecast(100, 10));
	ck_assert_double_nan(resource_newest(r));
	ck_assert(!resource_is_stuck(r));
	ck_assert(!resource_jumps(r));
	ck_assert_int_eq(resource_add(r, NAN, 0.5), RESOURCE_REFUSED);
	ck_assert_int_eq(resource_add(r, 100, HUGE_VAL), RESOURCE_REFUSED);
	ck_assert_double_nan(forecast(100, 10));
	tear_down();
}
END_TEST

START_TEST(test_forecasts_from_the_newest_on)
{
	set_up(1);
	for (int i = 0; i < 200; i++)
		ck_assert_int_eq(
			resource_add(r, 1000 + 5 * i, i % 2 ? 0.25 : 0.75),
			RESOURCE_TAKEN);

	/* Half of the time it is there: so it will be for a while. */
	double long_s = forecast(1995, 3600);

	ck_assert_double_eq_tol(long_s, 0.5, 0.05);
	/* Asked for twice it is the same, until there is news. */
	ck_assert_double_eq(forecast(1996, 3600), long_s);
	resource_add(r, 2000, 0.75);
	ck_assert_double_eq_tol(forecast(2000, 0), 0.25, 0.1);
	tear_down();
}
END_TEST

START_TEST(test_expires)
{
	set_up(1);
	resource_add(r, 1000, 0.5);
	ck_assert_double_eq(forecast(1060, 5), 0.5);
	ck_assert_double_nan(forecast(1060.1, 5));
	/* Sampled every 30 s, so the minute becomes two. */
	for (int i = 0; i < 50; i++)
		resource_add(r, 2000 + 30 * i, 0.5);
	ck_assert_double_gt(resource_expiry_s(r), 100);
	ck_assert_double_eq(forecast(2000 + 30 * 49 + 100, 5), 0.5);
	tear_down();
}
END_TEST

START_TEST(test_never_looks_ahead)
{
	set_up(HUGE_VAL);
	for (int i = 0; i < 20; i++)
		resource_add(r, 1000 + 5 * i, i < 10 ? 2 : 7);
	ck_assert_double_eq(forecast(1045, 600), 2);
	ck_assert_double_eq(forecast(1049, 600), 2);
	ck_assert_double_nan(forecast(999, 600));
	ck_assert_double_gt(forecast(1095, 5), 5);
	tear_down();
}
END_TEST

START_TEST(test_late_ones_take_their_place)
{
	set_up(HUGE_VAL);
	for (int i = 0; i < 10; i++)
		if (i != 5)
			resource_add(r, 1000 + 5 * i, 1);
	ck_assert_int_eq(resource_add(r, 1025, 4), RESOURCE_LATE);
	ck_assert_int_eq(resource_add(r, 1045, 1), RESOURCE_LATE); /* twice */
	ck_assert_int_eq(r->recent.count, 10);
	ck_assert_double_eq((double)series_value(&r->recent, 5), 4);
	ck_assert_double_eq(resource_newest(r), 1);
	ck_assert_double_eq(r->last_s, 1045);
	tear_down();
}
END_TEST

START_TEST(test_gap)
{
	set_up(HUGE_VAL);
	for (int i = 0; i < 30; i++)
		resource_add(r, 1000 + 5 * i, 1);
	ck_assert_double_nan(forecast(3000, 5));
	resource_add(r, 5000, 9);
	ck_assert(!isnan(forecast(5001, 5)));
	/* The step is still that of before. */
	ck_assert_double_eq_tol(r->battery.step_s, 5, 1);
	tear_down();
}
END_TEST

START_TEST(test_clock_is_set_back)
{
	set_up(HUGE_VAL);
	for (int i = 0; i < 30; i++)
		resource_add(r, 1e6 + 5 * i, 1);

	int i = 0;

	while (i < 20 && resource_add(r, 5e5 + 5 * i, 3) == RESOURCE_LATE)
		i++;
	ck_assert_int_gt(i, 1);
	ck_assert_int_lt(i, 10);
	ck_assert_double_eq(r->last_s, 5e5 + 5 * i);
	/* What seemed to come later is gone. */
	ck_assert_double_le(series_time_s(&r->recent, r->recent.count - 1),
			    r->last_s);
	for (int k = 1; k < 100; k++)
		ck_assert_int_eq(resource_add(r, 5e5 + 5 * (i + k), 3),
				 RESOURCE_TAKEN);
	ck_assert_double_eq_tol(forecast(r->last_s, 60), 3, 0.5);
	tear_down();
}
END_TEST

static double noise(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

START_TEST(test_sticks)
{
	set_up(1);
	for (int i = 0; i < 60; i++)
		resource_add(r, 1000 + 5 * i, 0.3 + 0.4 * noise());
	ck_assert(!resource_is_stuck(r));
	for (int i = 60; i < 119; i++)
		resource_add(r, 1000 + 5 * i, 0.4375);
	ck_assert(!resource_is_stuck(r));
	for (int i = 119; i < 121; i++)
		resource_add(r, 1000 + 5 * i, 0.4375);
	ck_assert(resource_is_stuck(r));
	resource_add(r, 2000, 0.5);
	ck_assert(!resource_is_stuck(r));
	tear_down();

	/* All of a CPU is there for hours: nothing strange. */
	set_up(1);
	resource_add(r, 990, 0.5);
	for (int i = 0; i < 100; i++)
		resource_add(r, 1000 + 5 * i, 1);
	ck_assert(!resource_is_stuck(r));
	tear_down();
}
END_TEST

START_TEST(test_jumps)
{
	set_up(HUGE_VAL);
	for (int i = 0; i < 100; i++)
		resource_add(r, 1000 + 5 * i, 1000 + 10 * noise());
	ck_assert(!resource_jumps(r));
	for (int i = 100; i < 120; i++)
		resource_add(r, 1000 + 5 * i,
			     i % 6 ? 1000 + 10 * noise() : 3000);
	ck_assert(resource_jumps(r));
	tear_down();

	/* A load that comes and goes is no jump. */
	set_up(HUGE_VAL);
	for (int i = 0; i < 120; i++)
		resource_add(r, 1000 + 5 * i, (i / 7 % 2) + 0.05 * noise());
	ck_assert(!resource_jumps(r));
	tear_down();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_nothing_is_nothing,
		test_forecasts_from_the_newest_on,
		test_expires,
		test_never_looks_ahead,
		test_late_ones_take_their_place,
		test_gap,
		test_clock_is_set_back,
		test_sticks,
		test_jumps,
		NULL,
	};

	return suite_run("resource", tests);
}
