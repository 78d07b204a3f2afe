/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_past_jobs.c - many jobs that have ended, with the texts that
 * they lend */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/past_jobs.h"
#include "tests/unit/suite.h"

#define JOBS 3000

static struct sp_error err;

static void make_run(uint32_t i, struct run *ret)
{
	/* Leftovers behind the ends of texts must not matter. */
	memset(ret, (int)(i % 7), sizeof(*ret));
	snprintf(ret->cluster, sizeof(ret->cluster), "little");
	snprintf(ret->account, sizeof(ret->account), "a%u", i % 5);
	snprintf(ret->partition, sizeof(ret->partition), "p%u", i % 3);
	snprintf(ret->application.name, APPLICATION_NAME_SIZE, "app%u", i % 11);
	ret->application.parameters.count = 1;
	snprintf(ret->application.parameters.of[0].name, PARAMETER_NAME_SIZE,
		 "n");
	ret->application.parameters.of[0].value = i % 2;
	snprintf(ret->application.traits, TRAITS_SIZE, "m=t%u", i % 2);
	ret->job_id = i + 1;
	ret->user_id = 1000 + i;
	ret->nodes = 1 + i % 4;
	ret->limit_s = NAN;
	ret->submitted_at_s = i;
	ret->started_at_s = i + 0.5;
	ret->ended_at_s = i + 7;
	ret->state = i % 2 ? RUN_COMPLETED : RUN_OUT_OF_MEMORY;
}

/* Models see the run time, and an end that nobody knew of earlier. */
START_TEST(test_suspended)
{
	struct past_job job;
	struct run run;

	make_run(3, &run);
	run.suspended_s = 2.25;
	past_job_of_run(&run, &job);
	ck_assert_double_eq(job.outcome.started_at_s, 5.75);
	ck_assert_double_eq(job.outcome.ended_at_s, 10);
	ck_assert_double_eq(run_runtime_s(&run), 4.25);
}
END_TEST

START_TEST(test_texts_are_kept_once)
{
	struct past_jobs jobs;
	struct past_job job;
	struct run run;

	past_jobs_init(&jobs);
	for (uint32_t i = 0; i < JOBS; i++) {
		make_run(i, &run);
		past_job_of_run(&run, &job);
		ck_assert_ptr_eq(job.subject.account, run.account);
		ck_assert_int_eq(past_jobs_add(&jobs, &job, &err), 0);
	}
	memset(&run, 0xff, sizeof(run));
	ck_assert_uint_eq(jobs.count, JOBS);
	for (uint32_t i = 0; i < JOBS; i++) {
		const struct past_job *got = &jobs.of[i];
		/* The first that had the same: two parameters, 11 names. */
		const struct past_job *first = &jobs.of[i % 22];
		char name[16];

		snprintf(name, sizeof(name), "app%u", i % 11);
		ck_assert_str_eq(got->subject.application->name, name);
		ck_assert_str_eq(got->subject.traits, i % 2 ? "m=t1" : "m=t0");
		ck_assert(got->subject.application->parameters.of[0].value ==
			  i % 2);
		ck_assert_ptr_eq(got->subject.application,
				 first->subject.application);
		ck_assert_ptr_eq(got->subject.account,
				 jobs.of[i % 5].subject.account);
		ck_assert_uint_eq(got->outcome.job_id, i + 1);
		ck_assert_int_eq(got->outcome.end,
				 i % 2 ? OUTCOME_COMPLETED : OUTCOME_FAILED);
	}
	past_jobs_clear(&jobs);
	past_jobs_clear(&jobs);
	ck_assert_uint_eq(jobs.count, 0);
}
END_TEST

START_TEST(test_ends)
{
	static const enum outcome_end ends[RUN_STATES] = {
		[RUN_RUNNING] = OUTCOME_OTHER,
		[RUN_COMPLETED] = OUTCOME_COMPLETED,
		[RUN_FAILED] = OUTCOME_FAILED,
		[RUN_CANCELLED] = OUTCOME_CANCELLED,
		[RUN_TIMEOUT] = OUTCOME_TIMEOUT,
		[RUN_OUT_OF_MEMORY] = OUTCOME_FAILED,
		[RUN_NODE_FAIL] = OUTCOME_OTHER,
		[RUN_PREEMPTED] = OUTCOME_OTHER,
		[RUN_REQUEUED] = OUTCOME_OTHER,
		[RUN_LOST] = OUTCOME_OTHER,
	};

	for (int i = 0; i < RUN_STATES; i++)
		ck_assert_int_eq(outcome_end_of((enum run_state)i), ends[i]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_suspended, test_texts_are_kept_once,
				       test_ends, NULL };

	return suite_run("past_jobs", tests);
}
