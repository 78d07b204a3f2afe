/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_series.c - how one resource of one node has been lately */
#include <math.h>

#include "predictor/forecast/series.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static const struct series_window window = { 3, 15, 60 };

START_TEST(test_mean_of_the_last_few)
{
	struct series s = { .count = 0 };

	ck_assert_double_nan(series_forecast(&s, 1000, &window));
	ck_assert_double_infinite(series_age_s(&s, 1000));
	series_add(&s, 1000, 7);
	ck_assert_double_eq(series_forecast(&s, 1000, &window), 7);
	series_add(&s, 1005, 2);
	series_add(&s, 1010, 3);
	series_add(&s, 1015, 4);
	ck_assert_double_eq(series_forecast(&s, 1016, &window), 3);
	/* 1005 is now too old, and the newest counts to the end of its time. */
	ck_assert_double_eq(series_forecast(&s, 1020, &window), 3.5);
	ck_assert_double_eq(series_forecast(&s, 1075, &window), 4);
	ck_assert_double_nan(series_forecast(&s, 1075.5, &window));
	ck_assert_double_eq(series_age_s(&s, 1075.5), 60.5);
}
END_TEST

START_TEST(test_never_looks_ahead)
{
	struct series s = { .count = 0 };

	for (int i = 0; i < 50; i++)
		series_add(&s, 100 + i, i);

	struct series longer = s;

	for (int i = 50; i < 90; i++)
		series_add(&longer, 100 + i, 1e6);
	for (double t = 90; t < 150; t += 0.25) {
		double a = series_forecast(&s, t, &window);
		double b = series_forecast(&longer, t, &window);

		ck_assert(isnan(a) ? isnan(b) : a == b);
	}
	ck_assert_double_nan(series_forecast(&s, 99.9, &window));
}
END_TEST

START_TEST(test_order_of_arrival_does_not_matter)
{
	struct random r = { 5 };

	for (int trial = 0; trial < 100; trial++) {
		struct series in_order = { .count = 0 };
		struct series mixed = { .count = 0 };
		int order[40];

		for (int i = 0; i < 40; i++) {
			series_add(&in_order, 10 * i, i * i);
			order[i] = i;
		}
		for (int i = 39; i > 0; i--) {
			int j = (int)random_below(&r, (uint64_t)i + 1);
			int swap = order[i];

			order[i] = order[j];
			order[j] = swap;
		}
		for (int i = 0; i < 40; i++) {
			series_add(&mixed, 10 * order[i], -1);
			series_add(&mixed, 10 * order[i], order[i] * order[i]);
		}
		ck_assert_int_eq(mixed.count, 40);
		for (int i = 0; i < 40; i++) {
			ck_assert_double_eq(mixed.times_s[i],
					    in_order.times_s[i]);
			ck_assert_float_eq(mixed.values[i], in_order.values[i]);
		}
	}
}
END_TEST

START_TEST(test_keeps_the_newest)
{
	struct series s = { .count = 0 };
	int n = 3 * SERIES_SAMPLES_MAX + 17;

	for (int i = 0; i < n; i++)
		ck_assert_int_eq(series_add(&s, i, i), 0);
	ck_assert_int_eq(s.count, SERIES_SAMPLES_MAX);
	ck_assert_double_eq(series_forecast(&s, n, &window), n - 2);
	ck_assert_int_eq(series_add(&s, 5, 1), -1); /* older than all */
	ck_assert_int_eq(series_add(&s, n - 1.5, 1), 0);
	ck_assert_int_eq(s.count, SERIES_SAMPLES_MAX);
	ck_assert_double_eq(series_forecast(&s, n - 1.5, &window),
			    (1 + (n - 2) + (n - 3)) / 3.0);
}
END_TEST

START_TEST(test_refuses_what_is_no_number)
{
	struct series s = { .count = 0 };

	ck_assert_int_eq(series_add(&s, NAN, 1), -1);
	ck_assert_int_eq(series_add(&s, HUGE_VAL, 1), -1);
	ck_assert_int_eq(series_add(&s, 1, NAN), -1);
	ck_assert_int_eq(series_add(&s, 1, 1e300), -1);
	ck_assert_int_eq(s.count, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_mean_of_the_last_few,
		test_never_looks_ahead,
		test_order_of_arrival_does_not_matter,
		test_keeps_the_newest,
		test_refuses_what_is_no_number,
		NULL,
	};

	return suite_run("series", tests);
}
