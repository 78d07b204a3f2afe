/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_misses.c - jobs submitted without a prediction, counted for the log */
#include "plugin/job_submit/misses.h"
#include "tests/unit/suite.h"

START_TEST(test_counts)
{
	struct misses m = { 0 };

	ck_assert_uint_eq(misses_note(&m, 5000.5), 1);
	for (int i = 0; i < 10; i++)
		ck_assert_uint_eq(misses_note(&m, 5001 + i), 0);
	ck_assert_uint_eq(misses_note(&m, 5001 + MISSES_LOG_S), 11);
	ck_assert_uint_eq(misses_note(&m, 9000), 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_counts, NULL };

	return suite_run("misses", tests);
}
