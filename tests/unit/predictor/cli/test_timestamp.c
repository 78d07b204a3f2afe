/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_timestamp.c - times of day as people write them */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/cli/timestamp.h"
#include "tests/unit/suite.h"

#define NOW 1767603600.0 /* 2026-01-05T10:00:00 in Berlin */

START_TEST(test_times)
{
	static const struct {
		const char *text;
		double s;
	} good[] = {
		{ "2026-01-05", 1767567600 },
		{ "2026-01-05T10:00", NOW },
		{ "2026-01-05T10:00:07", NOW + 7 },
		{ "2026-01-05 10:00:07", NOW + 7 },
		{ "2026-07-05T10:00:00", 1783238400 },
		{ "1767603600", NOW },
		{ "now", NOW },
		{ "now-30days", NOW - 30 * 86400 },
		{ "now-1day", NOW - 86400 },
		{ "NOW-2w", NOW - 14 * 86400 },
		{ "now-1.5hours", NOW - 5400 },
	};
	static const char *const bad[] = { "",
					   "2026",
					   "yesterday",
					   "now+1day",
					   "now-day",
					   "now-1",
					   "now-3fortnights",
					   "2026-01-05T",
					   "2026-01-05x",
					   "now-9999years",
					   "now--1day" };
	struct sp_error err;
	char text[TIMESTAMP_TEXT_SIZE];
	double s;

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_msg(!timestamp_parse(good[i].text, NOW, &s, &err),
			      "%s", err.text);
		ck_assert_msg(s == good[i].s, "%s: %.1f", good[i].text, s);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(timestamp_parse(bad[i], NOW, &s, &err) < 0, "%s",
			      bad[i]);
	ck_assert_str_eq(timestamp_format(NOW, text), "2026-01-05T10:00:00");
}
END_TEST

START_TEST(test_near_times_are_short)
{
	static const struct {
		double from_now_s;
		const char *text;
	} cases[] = {
		{ 0, "10:00" },
		{ -9 * 3600, "01:00" },
		{ 13 * 3600, "Mon 23:00" },
		{ 5 * 86400, "Sat 10:00" },
		{ 8 * 86400, "13 Jan" },
		{ -400 * 86400.0, "2024-12-01" },
		{ NAN, "-" },
		{ 1e300, "-" },
	};
	char text[TIMESTAMP_TEXT_SIZE];

	setenv("TZ", "UTC-1", 1);
	tzset();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_str_eq(timestamp_format_near(
					 NOW + cases[i].from_now_s, NOW, text),
				 cases[i].text);
	ck_assert_str_eq(timestamp_format(NAN, text), "-");
	ck_assert_str_eq(timestamp_format(1e300, text), "-");
}
END_TEST

START_TEST(test_range)
{
	struct sp_error err;
	double since_s = 7, until_s = 7;

	ck_assert_int_eq(timestamp_parse_range(NULL, NULL, NOW, &since_s,
					       &until_s, &err),
			 0);
	ck_assert(isnan(since_s) && isnan(until_s));
	ck_assert_int_eq(timestamp_parse_range("now-2days", "now-1day", NOW,
					       &since_s, &until_s, &err),
			 0);
	ck_assert_double_eq(since_s, NOW - 2 * 86400);
	ck_assert_double_eq(until_s, NOW - 86400);
	ck_assert_int_eq(timestamp_parse_range("now", "now", NOW, &since_s,
					       &until_s, &err),
			 -1);
	ck_assert_int_eq(timestamp_parse_range("now", "soon", NOW, &since_s,
					       &until_s, &err),
			 -1);
	ck_assert_double_eq(until_s, NOW - 86400); /* unchanged */
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_times, test_near_times_are_short,
				       test_range, NULL };

	return suite_run("timestamp", tests);
}
