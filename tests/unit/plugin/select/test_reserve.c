/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reserve.c - for which waiting jobs backfill keeps nodes free */
#include <stdio.h>

#include "tests/unit/plugin/select/slurmctld_stub.h"

#if SLURM_SOURCE_MISSING
int main(void)
{
	puts("ok reserve # skipped: no source of Slurm is here");
	return 0;
}
#else
#include "plugin/select/reserve.h"
#include "plugin/site/tokens.h"
#include "tests/unit/suite.h"

#define NOW 1795651201

static struct policy policy;
static struct stub_job *waiting;

static void policy_set(const char *tokens)
{
	tokens_parse(tokens, &policy, NULL, NULL);
}

static bool is_early(void)
{
	return reserve_is_early(&policy, &waiting->job, NOW);
}

static void waits(time_t seconds)
{
	waiting->details.begin_time = NOW - seconds;
}

/* A job that has waited for less than 19 times its median. */
static void case_begin(void)
{
	static char *variables[2];

	variables[0] = "A=1";
	variables[1] = "PREDICT_P50=600";
	slurmctld_stub_begin(1);
	waiting = slurmctld_stub_job(slurmctld_stub_bits(1, ""), 0, 0);
	waiting->job.time_limit = NO_VAL;
	waiting->job.spank_job_env = variables;
	waiting->job.spank_job_env_size = 2;
	waits(100);
	policy_set("predict_plan=on,predict_plan_reserve=20");
}

static void case_end(void)
{
	slurmctld_stub_end();
}

START_TEST(test_after_a_wait)
{
	ck_assert(is_early());
	waits(19 * 600 - 1);
	ck_assert(is_early());
	waits(19 * 600);
	ck_assert(!is_early());
	/* It began to age after it had become eligible. */
	waiting->details.accrue_time = NOW - 19 * 600 + 1;
	ck_assert(is_early());
	waits(-100);
	waiting->details.accrue_time = 0;
	ck_assert(!is_early());
	waiting->details.begin_time = 0;
	ck_assert(!is_early());
	/* A job runs no longer than its limit, of which --time-min is
	 * no part. */
	waits(19 * 120);
	waiting->job.time_limit = 2;
	ck_assert(!is_early());
	waiting->job.time_min = 1;
	ck_assert(is_early());
	/* A long one, by the hours. */
	waiting->job.spank_job_env[1] = "PREDICT_P50=1e6";
	waits(20 * 3600 - 1);
	ck_assert(is_early());
	waits(20 * 3600);
	ck_assert(!is_early());
}
END_TEST

START_TEST(test_by_limit)
{
	part_record_t part = { .name = "debug" };

	policy_set("predict_plan=on,predict_plan_reserve=20,"
		   "predict_plan_key=limit,predict_plan.debug=off");
	ck_assert(!is_early());
	waiting->job.time_limit = INFINITE;
	ck_assert(!is_early());
	waiting->job.time_limit = 10;
	ck_assert(is_early());
	waits(19 * 600);
	ck_assert(!is_early());
	waits(100);
	ck_assert(is_early());
	waiting->job.part_ptr = &part;
	ck_assert(!is_early());
}
END_TEST

START_TEST(test_in_doubt)
{
	static const char *const texts[] = { "PREDICT_P50=", "PREDICT_P50=nan",
					     "PREDICT_P50=inf",
					     "PREDICT_P50=-7" };
	static const char *const policies[] = {
		"predict_plan=on",
		"predict_plan=observe,predict_plan_reserve=20",
		"predict_plan_reserve=20",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		waiting->job.spank_job_env[1] = (char *)texts[i];
		waits(i == 2 ? 20 * 3600 : 19 * 60);
		ck_assert(!is_early());
	}
	waits(100);
	waiting->job.spank_job_env[1] = NULL;
	ck_assert(!is_early());
	waiting->job.spank_job_env[1] = "PREDICT_P50=600";
	ck_assert(is_early());
	waiting->job.het_job_id = 11;
	ck_assert(!is_early());
	waiting->job.het_job_id = 0;
	waiting->job.burst_buffer = "#BB";
	ck_assert(!is_early());
	waiting->job.burst_buffer = NULL;
	waiting->job.resv_name = "r";
	ck_assert(!is_early());
	waiting->job.resv_name = NULL;
	waiting->job.resv_ptr = (void *)waiting;
	ck_assert(!is_early());
	waiting->job.resv_ptr = NULL;
	waiting->job.deadline = NOW + 9999;
	ck_assert(!is_early());
	waiting->job.deadline = NO_VAL;
	ck_assert(is_early());
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		policy_set(policies[i]);
		ck_assert(!is_early());
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_after_a_wait, test_by_limit,
				       test_in_doubt, NULL };

	return suite_run_each("reserve", tests, case_begin, case_end);
}
#endif
