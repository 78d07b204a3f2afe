/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_breaker.c - pauses after failures, with a simulated clock */
#include <check.h>
#include <stdlib.h>

#include "plugin/job_submit/breaker.h"
#include "tests/unit/suite.h"

START_TEST(test_opens_after_failures_in_a_row)
{
	struct breaker b = { 0 };

	for (int i = 0; i < 100; i++) {
		for (int j = 1; j < BREAKER_FAILURES; j++)
			ck_assert(!breaker_failed(&b, 7.5 + i));
		ck_assert(breaker_allows(&b, 7.5 + i));
		ck_assert(!breaker_succeeded(&b));
	}
	for (int j = 1; j < BREAKER_FAILURES; j++)
		ck_assert(!breaker_failed(&b, 1234.5));
	ck_assert(breaker_failed(&b, 1234.5));
	ck_assert(!breaker_allows(&b, 1234.5));
	ck_assert(!breaker_allows(&b, 1244.4));
	ck_assert(breaker_allows(&b, 1244.6));
}
END_TEST

START_TEST(test_one_try_after_the_pause)
{
	struct breaker b = { 0 };

	for (int j = 0; j < BREAKER_FAILURES; j++)
		breaker_failed(&b, 0.25);
	for (int i = 1; i < 100; i++) {
		double now_s = 10.5 * i;

		ck_assert(breaker_allows(&b, now_s));
		ck_assert(!breaker_failed(&b, now_s)); /* no change */
		ck_assert(!breaker_allows(&b, now_s + 9.9));
	}
	ck_assert(breaker_succeeded(&b));
	ck_assert(!breaker_succeeded(&b));
	ck_assert(breaker_allows(&b, 0));
	ck_assert(!breaker_failed(&b, 2000)); /* counts from the start */
	ck_assert(breaker_allows(&b, 2000));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_opens_after_failures_in_a_row,
		test_one_try_after_the_pause,
		NULL,
	};

	return suite_run("breaker", tests);
}
