/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_queue_entry_record.c - the queue as squeue prints it, to be simulated */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/slurm/queue_entry_record.h"
#include "tests/squeue_print.h"
#include "tests/unit/suite.h"

static char text[8 * SQUEUE_RECORD_SIZE];
static size_t size;
static struct queue_state queue;
static struct sp_error err;

static void set_up(void)
{
	size = 0;
	queue = (struct queue_state){ .count = 0 };
}

static void tear_down(void)
{
	free(queue.of);
}

static void print_job(const struct squeue_value values[])
{
	struct squeue_args args;

	queue_entries_args("squeue", &args);
	ck_assert_str_eq(args.argv[0], "squeue");
	squeue_print(args.format, values, text, &size);
}

START_TEST(test_order_and_values)
{
	const struct squeue_value waits[] = {
		{ "jobid", "12" },         { "userid", "1001" },
		{ "partition", "a,b" },    { "statecompact", "PD" },
		{ "timeused", "0:00" },    { "timelimit", "1-00:00:00" },
		{ "numnodes", "2-4" },     { "numcpus", "8" },
		{ "oversubscribe", "NO" }, { "prioritylong", "4294901757" },
		{ "nice", "-40" },         { "eligibletime", "N/A" },
		{ "accruetime", "N/A" },   { "admin_comment", "" },
		{ "reason", "Priority" },  { NULL, NULL },
	};
	const struct squeue_value held[] = {
		{ "jobid", "13" },
		{ "jobarrayid", "11_2" },
		{ "userid", "1001" },
		{ "username", "ann" },
		{ "name", "<img src=x>" },
		{ "partition", "a" },
		{ "statecompact", "PD" },
		{ "timeused", "0:00" },
		{ "timelimit", "UNLIMITED" },
		{ "numnodes", "1" },
		{ "numcpus", "2K" },
		{ "mincpus", "3" },
		{ "oversubscribe", "OK" },
		{ "prioritylong", "0" },
		{ "nice", "302401" },
		{ "eligibletime", "1795164590" },
		{ "accruetime", "1795164599" },
		{ "admin_comment",
		  "predict=0123456789abcdef:p50=1h02m,predict_limit=75,x" },
		{ "reason", "JobHeldUser" },
		{ NULL, NULL },
	};
	const struct squeue_value runs[] = {
		{ "jobid", "14" },         { "userid", "0" },
		{ "partition", "a" },      { "statecompact", "R" },
		{ "timeused", "1:02:03" }, { "timelimit", "2:00:00" },
		{ "numnodes", "1" },       { "numcpus", "1" },
		{ "oversubscribe", "OK" }, { "prioritylong", "4294901758" },
		{ "nice", "0" },           { "eligibletime", "N/A" },
		{ "accruetime", "N/A" },   { "admin_comment", "" },
		{ "reason", "None" },      { NULL, NULL },
	};

	print_job(held);
	print_job(waits);
	print_job(runs);
	ck_assert_int_eq(queue_entries_read(text, size, &queue, &err), 0);
	ck_assert_uint_eq(queue.count, 3);
	ck_assert_uint_eq(queue.of[0].job_id, 14);
	ck_assert(queue.of[0].running && !queue.of[0].blocked);
	ck_assert_double_eq(queue.of[0].elapsed_s, 3723);
	ck_assert_double_eq(queue.of[0].limit_s, 7200);
	ck_assert_uint_eq(queue.of[1].job_id, 12);
	ck_assert(!queue.of[1].running && !queue.of[1].blocked);
	ck_assert(queue.of[1].whole_nodes);
	ck_assert_str_eq(queue.of[1].partition, "a");
	ck_assert_str_eq(queue.of[1].partitions, "a,b");
	ck_assert_int_eq(queue.of[1].nice, -40);
	ck_assert(isnan(queue.of[1].accrued_s));
	ck_assert_int_eq(queue.of[2].nice, 302401);
	ck_assert_uint_eq(queue.of[2].node_cpus, 3);
	ck_assert_uint_eq(queue.of[2].limit_set_min, 75);
	ck_assert_uint_eq(queue.of[1].limit_set_min, 0);
	ck_assert_double_eq(queue.of[2].accrued_s, 1795164599);
	ck_assert_uint_eq(queue.of[1].nodes, 2);
	ck_assert_uint_eq(queue.of[1].cpus, 8);
	ck_assert(isnan(queue.of[1].begin_s));
	ck_assert(queue.of[2].blocked && !queue.of[2].whole_nodes);
	ck_assert_str_eq(queue.of[2].id, "11_2");
	ck_assert_str_eq(queue.of[2].user, "ann");
	ck_assert_str_eq(queue.of[2].name, "<img src=x>");
	ck_assert_str_eq(queue.of[2].state, "PD");
	ck_assert_str_eq(queue.of[2].reason, "JobHeldUser");
	ck_assert_uint_eq(queue.of[2].cpus, 2048);
	ck_assert_double_eq(queue.of[2].begin_s, 1795164590);
	ck_assert_str_eq(queue.of[2].prediction_id, "0123456789abcdef");
	ck_assert(isinf(queue.of[2].limit_s));
}
END_TEST

START_TEST(test_records_that_make_no_sense)
{
	const struct squeue_value odd[] = {
		{ "jobid", "no number" },
		{ "reason", "None" },
		{ NULL, NULL },
	};

	print_job(odd);
	ck_assert_int_eq(queue_entries_read(text, size, &queue, &err), 0);
	ck_assert_uint_eq(queue.count, 0);
	ck_assert_int_eq(queue_entries_read(text, size - 30, &queue, &err), -1);
	ck_assert_ptr_null(queue.of);
	ck_assert_int_eq(queue_entries_read("", 0, &queue, &err), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_order_and_values,
		test_records_that_make_no_sense,
		NULL,
	};

	return suite_run_each("queue_entry_record", tests, set_up, tear_down);
}
