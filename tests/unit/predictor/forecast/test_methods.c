/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_methods.c - each method of the battery on a series made for it */
#include <math.h>
#include <string.h>

#include "predictor/forecast/battery.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct past past;
static double state[BATTERY_STATES];
static const struct forecaster *method;

static void begin(const char *name)
{
	memset(&past, 0, sizeof(past));
	memset(state, 0, sizeof(state));
	for (method = battery_methods; method->name; method++)
		if (strcmp(method->name, name) == 0)
			return;
	ck_abort_msg("no method %s", name);
}

/* What comes after one more value. */
static double then(double value)
{
	if (method->update)
		method->update(method, state, &past, value);
	past_add(&past, (float)value);
	return method->forecast(method, state, &past);
}

START_TEST(test_since_change)
{
	double next = 0;

	begin("since-change");
	for (int i = 0; i < 100; i++)
		next = then(10 + i % 2);
	ck_assert_double_eq_tol(next, 10.5, 0.01);
	next = then(900); /* one alone is no change of level */
	ck_assert_double_lt(next, 25);
	begin("since-change");
	for (int i = 0; i < 100; i++)
		then(10 + i % 2);
	for (int i = 0; i < 20; i++)
		next = then(40 + i % 2);
	ck_assert_double_eq_tol(next, 40.5, 0.2);
}
END_TEST

START_TEST(test_period)
{
	double next = 0;

	begin("period");
	for (int i = 0; i < 200; i++)
		next = then((i % 17) * (i % 17));
	ck_assert_double_eq(next, (200 % 17) * (200 % 17));
}
END_TEST

START_TEST(test_analog)
{
	double next = 0;

	/* After a 5 that follows a 7 comes 9; after others 1. */
	static const double cycle[] = { 7, 5, 9, 2, 5, 1 };

	begin("analog-2");
	for (int i = 0; i < 122; i++)
		next = then(cycle[i % 6]);
	ck_assert_double_eq(next, 9);
	for (int i = 122; i < 125; i++)
		next = then(cycle[i % 6]);
	ck_assert_double_eq(next, 1);
}
END_TEST

START_TEST(test_autoregression)
{
	struct random r = { 41 };
	double x = 0, errors = 0, of_last = 0, next = 0;

	/* Each value is the negative of much of the one before. */
	begin("autoregression");
	for (int i = 0; i < 2000; i++) {
		double value = -0.8 * x + random_unit(&r) - 0.5;

		if (i > 200) {
			errors += fabs(value - next);
			of_last += fabs(value - x);
		}
		next = then(value);
		x = value;
	}
	ck_assert_double_lt(errors, of_last / 2);
}
END_TEST

START_TEST(test_trend)
{
	double next = 0;

	begin("trend");
	for (int i = 0; i < 200; i++)
		next = then(3.0 * i);
	/* Damped: ahead of the last value, but not all of a step. */
	ck_assert_double_gt(next, 3 * 197);
	ck_assert_double_lt(next, 3 * 200);
}
END_TEST

START_TEST(test_clipped)
{
	double next = 0;

	begin("clipped");
	for (int i = 0; i < 60; i++)
		next = then(20 + i % 2);
	ck_assert_double_eq_tol(next, 21, 1e-6);
	ck_assert_double_lt(then(500), 50);
}
END_TEST

START_TEST(test_running_median)
{
	struct random r = { 43 };
	double next = 0;

	begin("running-median");
	for (int i = 0; i < 3000; i++)
		next = then(random_below(&r, 10) ? 5 + random_unit(&r) : 1000);
	ck_assert(next > 0 && next < 60);
}
END_TEST

/* All methods forecast a constant exactly. */
START_TEST(test_all_of_a_constant)
{
	for (int m = 0; battery_methods[m].name; m++) {
		begin(battery_methods[m].name);
		for (int i = 0; i < 300; i++)
			ck_assert_double_eq_tol(then(0.3), 0.3, 1e-6);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_since_change,
		test_period,
		test_analog,
		test_autoregression,
		test_trend,
		test_clipped,
		test_running_median,
		test_all_of_a_constant,
		NULL,
	};

	return suite_run("methods", tests);
}
