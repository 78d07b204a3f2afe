/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_queued_job.c - what spredict reads from scontrol of a job that waits */
#include <check.h>

#include "predictor/slurm/queued_job.h"
#include "tests/unit/suite.h"

START_TEST(test_job)
{
	struct queued_job job;
	struct sp_error err;

	ck_assert_int_eq(
		queued_job_parse("JobId=4711 ArrayJobId=4709 ArrayTaskId=2 "
				 "JobName=run me UserId=ada(1044) "
				 "JobState=PENDING Reason=Resources "
				 "AdminComment=x predict=00ff,y,"
				 "predict=0123456789abcdef \n",
				 &job, &err),
		0);
	ck_assert_uint_eq(job.job_id, 4711);
	ck_assert_str_eq(job.name, "run me");
	ck_assert_str_eq(job.state, "PENDING");
	ck_assert_str_eq(job.reason, "Resources");
	ck_assert_str_eq(job.prediction_id, "0123456789abcdef");
}
END_TEST

START_TEST(test_job_without_prediction)
{
	struct queued_job job;
	struct sp_error err;

	ck_assert_int_eq(queued_job_parse("JobId=3 JobState=RUNNING "
					  "Comment=predict=0123456789abcdef",
					  &job, &err),
			 0);
	ck_assert_str_eq(job.prediction_id, "");
	ck_assert_int_eq(
		queued_job_parse("JobId=3 JobState=RUNNING AdminComment="
				 "predict=0123456789abcdef0",
				 &job, &err),
		0);
	ck_assert_str_eq(job.prediction_id, "");
}
END_TEST

START_TEST(test_no_job)
{
	static const char *const texts[] = {
		"",
		"JobId=",
		"JobId=0 JobState=RUNNING",
		"JobId=-3 JobState=RUNNING",
		"JobId=99999999999999 JobState=RUNNING",
		"XJobId=3",
		"slurm_load_jobs error: Invalid job id specified",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct queued_job job = { .job_id = 77 };
		struct sp_error err = { "" };

		ck_assert_int_eq(queued_job_parse(texts[i], &job, &err), -1);
		ck_assert_str_ne(err.text, "");
		ck_assert_uint_eq(job.job_id, 77);
	}
}
END_TEST

/* Forged, but shown all the same: the first of each key counts. */
START_TEST(test_names_of_users)
{
	struct queued_job job;
	struct sp_error err;

	ck_assert_int_eq(queued_job_parse("JobId=5 JobName=a\nb c "
					  "UserId=ada(1044) JobState=PENDING "
					  "Reason=None JobState=RUNNING\n",
					  &job, &err),
			 0);
	ck_assert_str_eq(job.name, "a");
	ck_assert_str_eq(job.state, "PENDING");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_job, test_job_without_prediction,
				       test_no_job, test_names_of_users, NULL };

	return suite_run("queued_job", tests);
}
