/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_nws.c - the forecasters of the Network Weather Service, as they were */
#include <math.h>
#include <string.h>

#include "tests/bench/nws.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct nws nws;

static void feed(const double *values, int count)
{
	memset(&nws, 0, sizeof(nws));
	for (int i = 0; i < count; i++)
		ck_assert_int_eq(nws_update(&nws, values[i]), 0);
}

static double said_by(const char *name)
{
	for (int i = 0; i < NWS_METHODS; i++)
		if (strcmp(nws_methods[i].name, name) == 0)
			return nws.forecasts[i];
	ck_abort_msg("no method %s", name);
}

#define SAYS(name, value) ck_assert_double_eq_tol(said_by(name), value, 1e-6)

START_TEST(test_methods)
{
	feed((const double[]){ 3, 7, 4, 10, 1, 6 }, 6);
	SAYS("last", 6);
	SAYS("running-mean", 31.0 / 6);
	SAYS("smoothing-0.50", 5.0625);    /* 3, 5, 4.5, 7.25, 4.125 */
	SAYS("smoothing-0.75", 5.2265625); /* 3, 6, 4.5, 8.625, 2.90625 */
	SAYS("median-31", 5);              /* of 1 3 4 6 7 10 */
	SAYS("median-5", 6);
	SAYS("mean-31", 31.0 / 6);
	SAYS("mean-5", 5.6);
	SAYS("trimmed-31", 5); /* without the 1 and the 10 */
	SAYS("adaptive-5-21", 5);
}
END_TEST

START_TEST(test_windows)
{
	double values[60];

	for (int i = 0; i < 60; i++)
		values[i] = i + 1;
	feed(values, 60);
	SAYS("median-31", 45);
	SAYS("median-5", 58);
	SAYS("mean-31", 45);
	SAYS("trimmed-31", 45);
	SAYS("trimmed-51", 35); /* 25 to 45 of 10 to 60 */
	/* They never move from the windows that they begin with. */
	SAYS("adaptive-5-21", 55.5);
	SAYS("adaptive-21-51", 45.5);
}
END_TEST

START_TEST(test_sorted_as_by_sorting)
{
	struct random r = { 3 };
	static struct past past;

	for (int i = 0; i < 2000; i++) {
		int count;

		/* Few distinct values: many are equal. */
		past_add(&past, (float)random_below(&r, 9) / 7);
		for (int w = 0; w < PAST_WINDOWS; w++) {
			const float *s =
				past_sorted(&past, (enum past_window)w, &count);
			double sum = 0;

			for (int j = 0; j < count; j++) {
				ck_assert(j == 0 || s[j] >= s[j - 1]);
				sum += (double)s[j];
			}
			ck_assert_double_eq_tol(sum / count,
						past_mean(&past, count), 1e-9);
		}
	}
}
END_TEST

START_TEST(test_ties_go_to_the_earliest)
{
	const struct forecaster *method;

	memset(&nws, 0, sizeof(nws));
	ck_assert_double_nan(nws_forecast(&nws, NWS_ABSOLUTE, NULL));
	for (int i = 0; i < 300; i++) {
		nws_update(&nws, 0.1);
		for (int kind = 0; kind < NWS_KINDS; kind++) {
			double next = nws_forecast(&nws, (enum nws_kind)kind,
						   &method);

			ck_assert_double_eq_tol(next, 0.1, 1e-7);
			ck_assert_str_eq(method->name, "last");
		}
	}
}
END_TEST

START_TEST(test_selects_what_was_right)
{
	struct random r = { 11 };
	const struct forecaster *method;

	memset(&nws, 0, sizeof(nws));
	for (int i = 0; i < 400; i++)
		nws_update(&nws, 10.0 * i);
	ck_assert_double_eq(nws_forecast(&nws, NWS_ABSOLUTE, &method), 3990);
	ck_assert_str_eq(method->name, "last");
	ck_assert_double_eq(nws_forecast(&nws, NWS_SQUARED, NULL), 3990);

	/* No method knows more of noise than the long mean. */
	memset(&nws, 0, sizeof(nws));
	for (int i = 0; i < 2000; i++)
		nws_update(&nws, random_unit(&r));
	ck_assert_double_eq_tol(nws_forecast(&nws, NWS_SQUARED, NULL), 0.5,
				0.1);
}
END_TEST

START_TEST(test_refuses_what_is_no_number)
{
	static struct nws before;

	feed((const double[]){ 3, 7 }, 2);
	before = nws;
	ck_assert_int_eq(nws_update(&nws, NAN), -1);
	ck_assert_int_eq(nws_update(&nws, INFINITY), -1);
	ck_assert_int_eq(nws_update(&nws, -1e300), -1);
	ck_assert_mem_eq(&before, &nws, sizeof(nws));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_methods,
		test_windows,
		test_sorted_as_by_sorting,
		test_ties_go_to_the_earliest,
		test_selects_what_was_right,
		test_refuses_what_is_no_number,
		NULL,
	};

	return suite_run("nws", tests);
}
