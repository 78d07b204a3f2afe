/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_duration.c - time spans as Slurm and people write them */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

START_TEST(test_formats_as_slurm_does)
{
	static const struct {
		double seconds;
		const char *full, *brief;
	} cases[] = {
		{ 0, "00:00:00", "0.0s" },
		{ 0.04, "00:00:00", "0.0s" },
		{ 3.44, "00:00:03", "3.4s" },
		{ 9.94, "00:00:10", "9.9s" },
		{ 9.96, "00:00:10", "10s" },
		{ 45, "00:00:45", "45s" },
		{ 59.49, "00:00:59", "59s" },
		{ 59.5, "00:01:00", "1m00" },
		{ 192, "00:03:12", "3m12" },
		{ 3599.4, "00:59:59", "59m59" },
		{ 3599.6, "01:00:00", "1h00" },
		{ 7529, "02:05:29", "2h05" },
		{ 7531, "02:05:31", "2h06" },
		{ 86399, "23:59:59", "1d 0h" },
		{ 86400, "1-00:00:00", "1d 0h" },
		{ 4 * 86400 + 3 * 3600 + 7 * 60 + 12, "4-03:07:12", "4d 3h" },
		{ 9999 * 86400.0, "9999-00:00:00", "9999d 0h" },
		{ 2e12, "UNLIMITED", "unlimited" },
		{ HUGE_VAL, "UNLIMITED", "unlimited" },
		{ -0.001, "-", "-" },
		{ -HUGE_VAL, "-", "-" },
		{ NAN, "-", "-" },
	};
	char text[DURATION_TEXT_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_str_eq(duration_format(cases[i].seconds, text),
				 cases[i].full);
		ck_assert_str_eq(duration_format_brief(cases[i].seconds, text),
				 cases[i].brief);
	}
}
END_TEST

START_TEST(test_parses_all_forms)
{
	static const struct {
		const char *text;
		double seconds;
	} cases[] = {
		{ "5", 300 },
		{ "0", 0 },
		{ "90:00", 5400 },
		{ "5:07", 307 },
		{ "1:02:03", 3723 },
		{ "2-3", 2 * 86400 + 3 * 3600 },
		{ "2-3:04", 2 * 86400 + 3 * 3600 + 240 },
		{ "2-03:04:05", 2 * 86400 + 3 * 3600 + 245 },
		{ "10000-0", 864e6 },
		{ "infinite", HUGE_VAL },
		{ "UNLIMITED", HUGE_VAL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct sp_error err;
		double seconds = -7;

		ck_assert_msg(!duration_parse(cases[i].text, &seconds, &err),
			      "%s: %s", cases[i].text, err.text);
		ck_assert_double_eq(seconds, cases[i].seconds);
	}
}
END_TEST

START_TEST(test_refuses_the_rest)
{
	static const char *const texts[] = {
		"",     " ",    "-",       "5 ",           " 5",
		"-5",   "1-",   "1-2-3",   "1:2:3:4",      "1-2:3:4:5",
		":5",   "5:",   "5::6",    "+5",           "0x10",
		"1e3",  "1.5",  "nan",     "12345678901",  "UNLIMITED1",
		"5:-3", "1--2", "10000-1", "99999999:0:0",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct sp_error err = { "" };
		double seconds = -7;

		ck_assert_msg(duration_parse(texts[i], &seconds, &err) == -1,
			      "'%s' was taken", texts[i]);
		ck_assert_double_eq(seconds, -7);
		ck_assert_ptr_nonnull(strstr(err.text, texts[i]));
		ck_assert_int_eq(duration_parse(texts[i], &seconds, NULL), -1);
	}
}
END_TEST

START_TEST(test_reads_what_it_wrote)
{
	struct random r = { 17 };

	for (int i = 0; i < 20000; i++) {
		double seconds = (double)random_below(&r, 864000000);
		double back;
		char text[DURATION_TEXT_SIZE];

		duration_format(seconds, text);
		ck_assert_int_eq(duration_parse(text, &back, NULL), 0);
		ck_assert_double_eq(back, seconds);
	}
}
END_TEST

/* The brief form has a unit and is near, at every size. */
START_TEST(test_brief_is_near)
{
	struct random r = { 18 };

	for (int i = 0; i < 20000; i++) {
		double seconds = exp(random_unit(&r) * log(1e9));
		char text[DURATION_TEXT_SIZE], unit[2];
		double major = 0, minor = 0, shown;

		duration_format_brief(seconds, text);
		if (sscanf(text, "%lfd%lfh", &major, &minor) == 2)
			shown = major * 86400 + minor * 3600;
		else if (sscanf(text, "%lfh%lfm", &major, &minor) == 2)
			shown = major * 3600 + minor * 60;
		else if (sscanf(text, "%lfm%lfs", &major, &minor) == 2)
			shown = major * 60 + minor;
		else
			ck_assert_int_eq(sscanf(text, "%lf%1[s]", &shown, unit),
					 2);
		ck_assert_double_le(fabs(shown - seconds),
				    0.05 + 0.05 * seconds);
		ck_assert_double_lt(minor, 60);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_formats_as_slurm_does, test_parses_all_forms,
		test_refuses_the_rest,      test_reads_what_it_wrote,
		test_brief_is_near,         NULL,
	};

	return suite_run("duration", tests);
}
