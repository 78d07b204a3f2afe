/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_log_repeats.c - count lines of a log that repeat */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/log_repeats.h"
#include "tests/unit/suite.h"

static struct log_repeats repeats;
static struct log_repeats_line expired;

static void set_up(void)
{
	memset(&repeats, 0, sizeof(repeats));
}

/* Whether it is written; nothing expires before it. */
static bool is_written(const char *text, double now_s)
{
	ck_assert(!log_repeats_expire(&repeats, text, now_s, &expired));
	return log_repeats_note(&repeats, text, now_s);
}

START_TEST(test_the_same_line_is_counted)
{
	ck_assert(is_written("disk full", 1000.5));
	for (int i = 0; i < 312; i++)
		ck_assert(!is_written("disk full", 1001));
	ck_assert(is_written("disk gone", 1001));
	ck_assert(log_repeats_expire(&repeats, "x", 1000.5 + LOG_REPEATS_S,
				     &expired));
	ck_assert_str_eq(expired.text, "disk full");
	ck_assert_uint_eq(expired.count, 312);
	ck_assert(is_written("disk full", 1000.5 + LOG_REPEATS_S));
}
END_TEST

START_TEST(test_more_lines_than_room)
{
	char text[32];

	for (int i = 0; i < LOG_REPEATS_LINES; i++) {
		snprintf(text, sizeof(text), "line %d", i);
		ck_assert(is_written(text, 10 + i));
	}
	ck_assert(!is_written("line 0", 20));
	ck_assert(!is_written("line 1", 20));
	/* The oldest goes, with its count. */
	ck_assert(log_repeats_expire(&repeats, "new", 21, &expired));
	ck_assert_str_eq(expired.text, "line 0");
	ck_assert(is_written("new", 21));
	/* At the end all go. */
	ck_assert(log_repeats_expire(&repeats, "", HUGE_VAL, &expired));
	ck_assert_str_eq(expired.text, "line 1");
	ck_assert(!log_repeats_expire(&repeats, "", HUGE_VAL, &expired));
}
END_TEST

/* Without a new line none has to make room. */
START_TEST(test_counts_that_nothing_follows)
{
	char text[32];

	for (int i = 0; i < LOG_REPEATS_LINES; i++) {
		snprintf(text, sizeof(text), "line %d", i);
		ck_assert(is_written(text, 10 + i));
		ck_assert(!is_written(text, 10 + i));
	}
	ck_assert(!log_repeats_expire(&repeats, NULL, 20, &expired));
	ck_assert(log_repeats_expire(&repeats, NULL, 10 + LOG_REPEATS_S,
				     &expired));
	ck_assert_str_eq(expired.text, "line 0");
	ck_assert_uint_eq(expired.count, 1);
	ck_assert(!log_repeats_expire(&repeats, NULL, 10 + LOG_REPEATS_S,
				      &expired));
}
END_TEST

START_TEST(test_long_and_empty_lines_are_written)
{
	char text[LOG_REPEATS_TEXT_SIZE + 1];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (int i = 0; i < 3; i++) {
		ck_assert(is_written(text, 5));
		ck_assert(is_written("", 5));
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_the_same_line_is_counted,
				       test_more_lines_than_room,
				       test_counts_that_nothing_follows,
				       test_long_and_empty_lines_are_written,
				       NULL };

	return suite_run_each("log_repeats", tests, set_up, NULL);
}
