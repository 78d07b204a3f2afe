/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_queued_job.c - what spredict reads from squeue of a job that waits */
#include "predictor/slurm/queued_job.h"
#include "tests/squeue_print.h"
#include "tests/unit/suite.h"

static char text[SQUEUE_RECORD_SIZE];
static struct queued_job job;
static struct sp_error err;

static int parse(const char *id, const char *name, const char *admin_comment)
{
	const struct squeue_value values[] = {
		{ "jobid", id },
		{ "state", "PENDING" },
		{ "reason", "Resources" },
		{ "name", name },
		{ "admin_comment", admin_comment },
		{ NULL, NULL },
	};
	struct squeue_args args;
	size_t size = 0;

	queued_job_args("4711", NULL, &args);
	squeue_print(args.format, values, text, &size);
	return queued_job_parse(text, size, &job, &err);
}

START_TEST(test_command)
{
	struct squeue_args args;
	size_t count = 0;

	queued_job_args("7_2", "big", &args);
	while (args.argv[count])
		count++;
	ck_assert_str_eq(args.argv[0], "squeue");
	ck_assert_str_eq(args.argv[count - 2], "--clusters");
	ck_assert_str_eq(args.argv[count - 1], "big");
}
END_TEST

START_TEST(test_job)
{
	ck_assert_int_eq(parse("4711", "run me",
			       "x predict=00ff,y,predict=0123456789abcdef"),
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
	ck_assert_int_eq(parse("3", "x", "(null)"), 0);
	ck_assert_str_eq(job.prediction_id, "");
	ck_assert_int_eq(parse("3", "x", "predict=0123456789abcdef0"), 0);
	ck_assert_str_eq(job.prediction_id, "");
}
END_TEST

START_TEST(test_no_job)
{
	static const char *const ids[] = { "", "0", "-3", "99999999999999" };
	struct queued_job before = { .job_id = 77 };

	job = before;
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		ck_assert_int_eq(parse(ids[i], "x", ""), -1);
	ck_assert_int_eq(queued_job_parse("", 0, &job, &err), -1);
	ck_assert_mem_eq(&job, &before, sizeof(job));
}
END_TEST

START_TEST(test_hostile_name)
{
	ck_assert_int_eq(parse("5",
			       "a\nb AdminComment=predict=ffffffffffffffff",
			       "predict=0123456789abcdef"),
			 0);
	ck_assert_str_eq(job.state, "PENDING");
	ck_assert_str_eq(job.prediction_id, "0123456789abcdef");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_command, test_job,          test_job_without_prediction,
		test_no_job,  test_hostile_name, NULL
	};

	return suite_run("queued_job", tests);
}
