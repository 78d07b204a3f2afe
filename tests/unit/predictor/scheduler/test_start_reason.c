/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_start_reason.c - who is before a waiting job, and who blocks it */
#include <math.h>
#include <string.h>

#include "predictor/scheduler/start_reason.h"
#include "tests/unit/suite.h"

static struct start_job job(bool running, double limit_s, double left_s,
			    const char *gres)
{
	struct start_job j = { .cpus = 1,
			       .running = running,
			       .limit_s = limit_s };

	for (int i = 0; i < START_LEVELS; i++)
		j.left_s[i] = left_s;
	strcpy(j.gres, gres);
	return j;
}

START_TEST(test_who_is_before_it)
{
	const struct start_job jobs[] = {
		job(false, 500, 200, "gpu:a100"), job(true, 1000, 700, ""),
		job(true, 900, NAN, "gpu:a100"),  job(false, 500, 200, ""),
		job(false, 500, 200, "gpu:a100"), job(true, 90, 800, "gpu"),
		job(false, 500, 20, "gpu:v100"),
	};
	struct start_reason why[7];

	start_reasons_find(jobs, 7, why);
	ck_assert_uint_eq(why[0].ahead, 0);
	ck_assert_double_eq(why[0].first_end_s, 900);
	ck_assert_uint_eq(why[3].ahead, 1);
	ck_assert_uint_eq(why[3].same, 0);
	ck_assert_str_eq(why[3].gres, "");
	/* A run ends at its limit at the latest. */
	ck_assert_double_eq(why[3].first_end_s, 90);
	ck_assert_uint_eq(why[4].ahead, 2);
	ck_assert_uint_eq(why[4].same, 1);
	ck_assert_str_eq(why[4].gres, "gpu:a100");
	ck_assert_double_eq(why[4].first_end_s, 900);
	ck_assert_uint_eq(why[6].ahead, 3);
	ck_assert_uint_eq(why[6].same, 0);
	ck_assert(isnan(why[6].first_end_s));
}
END_TEST

START_TEST(test_no_end_is_known)
{
	const struct start_job jobs[] = { job(true, HUGE_VAL, NAN, ""),
					  job(false, 500, 200, "") };
	struct start_reason why[2];

	start_reasons_find(jobs, 2, why);
	ck_assert_uint_eq(why[1].ahead, 0);
	ck_assert(isnan(why[1].first_end_s));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_who_is_before_it,
				       test_no_end_is_known, NULL };

	return suite_run_each("start_reason", tests, NULL, NULL);
}
