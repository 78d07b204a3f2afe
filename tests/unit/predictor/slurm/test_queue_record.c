/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_queue_record.c - the queue as squeue prints it */
#include <math.h>
#include <string.h>

#include "predictor/slurm/queue_record.h"
#include "tests/squeue_print.h"
#include "tests/unit/suite.h"

static char text[8 * SQUEUE_RECORD_SIZE];
static struct sp_error err;

static void print_job(const struct squeue_value values[], size_t *size)
{
	struct queue_args args;

	queue_args_make(&(struct queue_filter){ 0 }, &args);
	squeue_print(args.format, values, text, size);
}

START_TEST(test_command)
{
	struct queue_args args;
	const char *const all[] = { "squeue", "--noheader", "--Format" };

	queue_args_make(&(struct queue_filter){ 0 }, &args);
	for (int i = 0; i < 3; i++)
		ck_assert_str_eq(args.argv[i], all[i]);
	ck_assert_ptr_eq(args.argv[3], args.format);
	ck_assert_ptr_null(args.argv[4]);
	queue_args_make(&(struct queue_filter){ .users = "ann,bob",
						.states = "R",
						.cluster = "big" },
			&args);
	ck_assert_str_eq(args.argv[4], "--user");
	ck_assert_str_eq(args.argv[5], "ann,bob");
	ck_assert_str_eq(args.argv[6], "--states");
	ck_assert_str_eq(args.argv[8], "--clusters");
	ck_assert_str_eq(args.argv[9], "big");
	ck_assert_ptr_null(args.argv[10]);
	queue_args_make(&(struct queue_filter){ .users = "u",
						.partitions = "p",
						.jobs = "j",
						.states = "s",
						.cluster = "c",
						.names = "n",
						.accounts = "a",
						.qos = "q",
						.nodes = "n[1-2]",
						.me = true },
			&args);
	ck_assert_str_eq(args.argv[18], "--nodelist");
	ck_assert_str_eq(args.argv[19], "n[1-2]");
	ck_assert_str_eq(args.argv[22], "--me");
	ck_assert_ptr_null(args.argv[23]);
}
END_TEST

START_TEST(test_jobs)
{
	const struct squeue_value running[] = {
		{ "jobid", "4714" },
		{ "jobarrayid", "4711_3" },
		{ "account", "phys" },
		{ "qos", "low" },
		{ "licenses", "matlab:2" },
		{ "starttime", "1795164590" },
		{ "partition", "long" },
		{ "name", "a name|with bars" },
		{ "username", "ann" },
		{ "statecompact", "R" },
		{ "timeused", "1-02:03:04" },
		{ "timelimit", "UNLIMITED" },
		{ "numnodes", "2" },
		{ "reason", "None" },
		{ "admin_comment", "x predict=0123456789abcdef:p50=1h02m" },
		{ "nodelist", "n[3-4]" },
		{ NULL, NULL },
	};
	const struct squeue_value waiting[] = {
		{ "jobid", "4712" },      { "jobarrayid", "4712_[5-9]" },
		{ "licenses", "(null)" }, { "starttime", "N/A" },
		{ "partition", "long" },  { "name", "b" },
		{ "username", "bob" },    { "statecompact", "PD" },
		{ "timeused", "0:00" },   { "timelimit", "5:30" },
		{ "numnodes", "1" },      { "reason", "Priority" },
		{ "admin_comment", "" },  { "nodelist", "" },
		{ NULL, NULL },
	};
	const struct squeue_value first_second[] = {
		{ "jobid", "4713" },     { "jobarrayid", "4713" },
		{ "partition", "long" }, { "statecompact", "R" },
		{ "timeused", "0:00" },  { "timelimit", "5:30" },
		{ "admin_comment", "" }, { "nodelist", "n1" },
		{ NULL, NULL },
	};
	struct queue_record job;
	const char *at = text;
	size_t size = 0;

	print_job(running, &size);
	print_job(waiting, &size);
	print_job(first_second, &size);
	ck_assert_int_eq(queue_record_read(&at, text + size, &job, &err), 0);
	ck_assert_str_eq(job.id, "4711_3");
	ck_assert_uint_eq(job.job_id, 4714);
	ck_assert_str_eq(job.account, "phys");
	ck_assert_str_eq(job.qos, "low");
	ck_assert_str_eq(job.licenses, "matlab:2");
	ck_assert_double_eq(job.start_s, 1795164590);
	ck_assert_str_eq(job.name, "a name|with bars");
	ck_assert_str_eq(job.state, "R");
	ck_assert_double_eq(job.elapsed_s, 86400 + 2 * 3600 + 3 * 60 + 4);
	ck_assert(isinf(job.limit_s));
	ck_assert_str_eq(job.node_list, "n[3-4]");
	ck_assert_str_eq(job.prediction_id, "0123456789abcdef");

	ck_assert_int_eq(queue_record_read(&at, text + size, &job, &err), 0);
	ck_assert_str_eq(job.id, "4712_[5-9]");
	ck_assert_str_eq(job.licenses, "");
	ck_assert(isnan(job.start_s));
	ck_assert(isnan(job.elapsed_s));
	ck_assert_double_eq(job.limit_s, 330);
	ck_assert_str_eq(job.reason, "Priority");
	ck_assert_str_eq(job.node_list, "");
	ck_assert_str_eq(job.prediction_id, "");

	ck_assert_int_eq(queue_record_read(&at, text + size, &job, &err), 0);
	ck_assert_str_eq(job.id, "4713");
	ck_assert_double_eq(job.elapsed_s, 0);
	ck_assert_ptr_eq(at, text + size);
	ck_assert_int_eq(queue_record_read(&at, text + size, &job, &err), -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_command, test_jobs, NULL };

	return suite_run("queue_record", tests);
}
