/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_steps.c - lines that are none, and sums of many */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "collectors/runs/steps.h"
#include "tests/unit/suite.h"

START_TEST(test_bad_lines)
{
	struct run_share share;
	double script_ended_s;

	steps_sum("", 0, HUGE_VAL, &share, &script_ended_s);
	ck_assert_uint_eq(share.tasks, 0);
	ck_assert_double_nan(share.task_memory_mb);
	ck_assert_double_nan(share.cached_memory_mb);
	steps_sum("\n\nnonsense\n5 0 1 0 1\n5 0 1 0 nan 1\n5 0 1 0 -1 1\n"
		  "inf 0 1 0 1 1\n5 0 1 0 1 1 extra\n5 0 1 0 1e300 1\n"
		  "5 0 1 0 1.5 2048\n"
		  "5 0 1 0 7 9",
		  0, HUGE_VAL, &share, &script_ended_s);
	ck_assert_double_nan(script_ended_s);
	ck_assert_uint_eq(share.tasks, 1); /* the last one is torn */
	ck_assert_double_eq(share.cpu_s, 1.5);
	ck_assert_double_eq(share.task_memory_mb, 2);
	ck_assert_double_nan(share.cached_memory_mb);
	/* The most of the job with files is at the end, where it is known. */
	steps_sum("5 0 1 0 1 2048 3072\n6 1 2 0 1 1024 5120\n"
		  "6 1 2 0 1 1024 -1\n6 1 2 0 1 1024 nan\n"
		  "6 1 2 0 1 1024 1e300\n7 2 3 0 1 1024\n",
		  0, HUGE_VAL, &share, &script_ended_s);
	ck_assert_double_eq(share.task_memory_mb, 2);
	ck_assert_double_eq(share.cached_memory_mb, 5);
}
END_TEST

START_TEST(test_many_steps)
{
	char *text = malloc(3000 * 40);
	size_t used = 0;
	struct run_share share;
	double script_ended_s;

	for (int i = 0; i < 3000; i++)
		used += (size_t)sprintf(text + used, "5 %d %d 0 0.5 1\n", i,
					i + 7);
	steps_sum(text, 5, 5, &share, &script_ended_s);
	ck_assert_uint_eq(share.tasks, 3000);
	/* Bounded: those beyond the first 1024 slurmstepd are not added. */
	ck_assert_double_eq_tol(share.cpu_s, 512, 1e-9);
	steps_sum(text, 5.001, HUGE_VAL, &share, &script_ended_s);
	ck_assert_uint_eq(share.tasks, 0);
	steps_sum(text, 0, 4.999, &share, &script_ended_s);
	ck_assert_uint_eq(share.tasks, 0);
	free(text);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_bad_lines, test_many_steps, NULL };

	return suite_run("steps", tests);
}
