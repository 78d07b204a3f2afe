/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_level.c - the level of what is measured seldom */
#include <math.h>

#include "predictor/forecast/level.h"
#include "tests/unit/suite.h"

static double value_at(const struct level *level, double time_s)
{
	double value, error;

	return level_forecast(level, time_s, &value, &error) ? NAN : value;
}

START_TEST(test_one_value)
{
	struct level level = { 0 };
	double value, error;

	ck_assert_int_eq(level_forecast(&level, 1e9, &value, &error), -1);
	ck_assert_double_infinite(level_time_s(&level, 1e9));
	ck_assert_int_eq(level_add(&level, NAN, 1), -1);
	ck_assert_int_eq(level_add(&level, 1, HUGE_VAL), -1);
	ck_assert_int_eq(level_add(&level, 100, 7), 0);
	ck_assert_int_eq(level_forecast(&level, 99, &value, &error), -1);
	ck_assert_int_eq(level_forecast(&level, 100, &value, &error), 0);
	ck_assert_double_eq(value, 7);
	ck_assert_double_nan(error);
	ck_assert_double_eq(level_time_s(&level, 1e9), 100);
}
END_TEST

/* One wrong value in five: a median is right, the last value is not. */
START_TEST(test_spikes_do_not_count)
{
	struct level level = { 0 };

	for (int i = 0; i < 60; i++)
		level_add(&level, 100 * i, i % 5 == 4 ? 30 : 90 + i % 3);
	ck_assert_int_gt(level.best, 0);
	ck_assert_double_eq_tol(value_at(&level, 6000), 91, 1);
}
END_TEST

/* A level that walks: the last value is best. */
START_TEST(test_follows_what_walks)
{
	struct level level = { 0 };

	for (int i = 0; i < 60; i++)
		level_add(&level, 100 * i, 10 * i);
	ck_assert_int_eq(level.best, 0);
	ck_assert_double_eq(value_at(&level, 1e9), 590);
	ck_assert_double_eq_tol((double)level.error, 10, 1e-3);
	/* As of before, from what was known then. */
	ck_assert_double_eq(value_at(&level, 5799), 570);
	ck_assert_double_eq_tol((double)level.step_s, 100, 1e-3);
}
END_TEST

START_TEST(test_late_and_set_back)
{
	struct level level = { 0 };

	for (int i = 0; i < 40; i++)
		level_add(&level, 10000 + 100 * i, 5);
	ck_assert_int_eq(level_add(&level, 13900, 99), 1); /* twice */
	ck_assert_int_eq(level_add(&level, 13850, 99), 1); /* late */
	ck_assert_double_eq(value_at(&level, 1e9), 5);
	/* A clock set back is followed after a few. */
	ck_assert_int_eq(level_add(&level, 500, 8), 1);
	ck_assert_int_eq(level_add(&level, 600, 8), 1);
	ck_assert_int_eq(level_add(&level, 700, 8), 0);
	ck_assert_double_eq(level_time_s(&level, 1e9), 700);
	ck_assert_double_eq(value_at(&level, 700), 8);
	ck_assert_int_eq(level_add(&level, 800, 8), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_one_value,
		test_spikes_do_not_count,
		test_follows_what_walks,
		test_late_and_set_back,
		NULL,
	};

	return suite_run("level", tests);
}
