/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_job.c - jobs from squeue, with honest and with hostile texts */
#include <math.h>

#include "predictor/slurm/slurm_job.h"
#include "tests/squeue_print.h"
#include "tests/unit/suite.h"

#define RECORDS 3

/* As Slurm 22.05 prints it, times by SLURM_TIME_FORMAT=%s. */
static const struct squeue_value plain[] = {
	{ "jobid", "12" },
	{ "arrayjobid", "12" },
	{ "arraytaskid", "N/A" },
	{ "hetjobid", "N/A" },
	{ "hetjoboffset", "N/A" },
	{ "userid", "1000" },
	{ "username", "alice" },
	{ "account", "phys" },
	{ "partition", "main" },
	{ "qos", "(null)" },
	{ "state", "FAILED" },
	{ "restartcnt", "2" },
	{ "exit_code", "768" },
	{ "timelimit", "1-02:03:04" },
	{ "submittime", "1795164589" },
	{ "starttime", "1795164590" },
	{ "endtime", "1795164591" },
	{ "timeused", "0:01" },
	{ "numnodes", "2" },
	{ "numcpus", "8" },
	{ "numtasks", "4" },
	{ "minmemory", "1.50G" },
	{ "tres-alloc", "cpu=8,mem=12G,node=2,billing=8" },
	{ "feature", "(null)" },
	{ "licenses", "(null)" },
	{ "tres-per-job", "N/A" },
	{ "tres-per-node", "N/A" },
	{ "tres-per-socket", "N/A" },
	{ "tres-per-task", "N/A" },
	{ "name", "my job" },
	{ "admin_comment", "x predict=0123456789abcdef,other=1" },
	{ "nodelist", "n[1-2]" },
	{ NULL, NULL },
};

#define COLUMNS (sizeof(plain) / sizeof(*plain))

static char text[RECORDS * SQUEUE_RECORD_SIZE];
static size_t size;
static struct slurm_job job;
static struct sp_error err;

/* A plain record with other values for the columns in `changes`. */
static void print(const struct squeue_value changes[])
{
	struct squeue_value values[COLUMNS];
	struct squeue_args args;

	memcpy(values, plain, sizeof(plain));
	for (; changes->column; changes++)
		for (size_t i = 0; i + 1 < COLUMNS; i++)
			if (!strcmp(values[i].column, changes->column))
				values[i].text = changes->text;
	slurm_job_args("squeue", "12", &args);
	squeue_print(args.format, values, text, &size);
}

static int parse(void)
{
	size_t length = size;

	size = 0;
	return slurm_job_parse(text, length, 12, &job, &err);
}

static int parse_with(const char *column, const char *value)
{
	const struct squeue_value changes[] = { { column, value },
						{ NULL, NULL } };

	print(changes);
	return parse();
}

START_TEST(test_command)
{
	struct squeue_args args;
	size_t count = 0;

	slurm_job_args("/opt/squeue", "77", &args);
	while (args.argv[count])
		count++;
	ck_assert_str_eq(args.argv[0], "/opt/squeue");
	ck_assert_str_eq(args.argv[count - 3], "77");
	ck_assert_str_eq(args.argv[count - 2], "--Format");
	ck_assert(strncmp(args.argv[count - 1], "jobid:10|,arrayj", 16) == 0);
	ck_assert_str_eq(strrchr(args.format, ','), ",nodelist");
}
END_TEST

START_TEST(test_all_fields)
{
	ck_assert_msg(!parse_with("", ""), "%s", err.text);
	ck_assert_int_eq(job.phase, SLURM_ENDED);
	ck_assert_int_eq(job.restarts, 2);
	ck_assert_uint_eq(job.run.job_id, 12);
	ck_assert_uint_eq(job.run.array_job_id, 0);
	ck_assert_str_eq(job.run.job_name, "my job");
	ck_assert_str_eq(job.run.user, "alice");
	ck_assert_uint_eq(job.run.user_id, 1000);
	ck_assert_str_eq(job.run.account, "phys");
	ck_assert_str_eq(job.run.partition, "main");
	ck_assert_str_eq(job.run.qos, "");
	ck_assert_str_eq(job.run.features, "");
	ck_assert_str_eq(job.run.gres, "");
	ck_assert_str_eq(job.run.licenses, "");
	ck_assert_uint_eq(job.run.het_job_id, 0);
	ck_assert_uint_eq(job.run.het_offset, 0);
	ck_assert_str_eq(job.run.prediction_id, "0123456789abcdef");
	ck_assert_str_eq(job.run.node_list, "n[1-2]");
	ck_assert_uint_eq(job.run.nodes, 2);
	ck_assert_uint_eq(job.run.cpus, 8);
	ck_assert_uint_eq(job.run.tasks, 4);
	ck_assert_double_eq(job.run.memory_mb, 12288);
	ck_assert_double_eq(job.run.limit_s, 93784);
	ck_assert_double_eq(job.run.submitted_at_s, 1795164589);
	ck_assert_double_eq(job.run.started_at_s, 1795164590);
	ck_assert_double_eq(job.run.ended_at_s, 1795164591);
	ck_assert_int_eq(job.run.state, RUN_FAILED);
	ck_assert_int_eq(job.run.exit_code, 3);
	ck_assert_int_eq(job.run.exit_signal, 0);
}
END_TEST

START_TEST(test_states)
{
	ck_assert_int_eq(parse_with("state", "RUNNING"), 0);
	ck_assert_int_eq(job.phase, SLURM_RUNNING);
	ck_assert_int_eq(job.run.state, RUN_RUNNING);
	ck_assert_double_nan(job.run.ended_at_s); /* only expected */
	ck_assert_int_eq(parse_with("state", "COMPLETING"), 0);
	ck_assert_int_eq(job.phase, SLURM_ENDING);
	ck_assert_int_eq(parse_with("state", "PENDING"), 0);
	ck_assert_int_eq(job.phase, SLURM_WAITING);
	ck_assert_int_eq(parse_with("state", "NODE_FAIL"), 0);
	ck_assert_int_eq(job.run.state, RUN_NODE_FAIL);
	ck_assert_int_eq(parse_with("state", "DEADLINE"), 0);
	ck_assert_int_eq(job.run.state, RUN_TIMEOUT);
	ck_assert_int_eq(parse_with("state", "SLEEPING"), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "state"));
}
END_TEST

START_TEST(test_values)
{
	/* Status of waitpid(), or code and signal, by the release. */
	ck_assert_int_eq(parse_with("exit_code", "9"), 0);
	ck_assert_int_eq(job.run.exit_code, 0);
	ck_assert_int_eq(job.run.exit_signal, 9);
	ck_assert_int_eq(parse_with("exit_code", "3:0"), 0);
	ck_assert_int_eq(job.run.exit_code, 3);
	ck_assert_int_eq(parse_with("exit_code", "no"), -1);

	ck_assert_int_eq(parse_with("timelimit", "30:00"), 0);
	ck_assert_double_eq(job.run.limit_s, 1800);
	ck_assert_int_eq(parse_with("timelimit", "UNLIMITED"), 0);
	ck_assert(isinf(job.run.limit_s));
	ck_assert_int_eq(parse_with("timelimit", "NOT_SET"), 0);
	ck_assert_double_nan(job.run.limit_s);
	ck_assert_int_eq(parse_with("endtime", "NONE"), 0);
	ck_assert_double_nan(job.run.ended_at_s);
	ck_assert_int_eq(parse_with("starttime", "N/A"), 0);
	ck_assert_double_nan(job.run.started_at_s);
	ck_assert_int_eq(parse_with("userid", "-2"), 0);
	ck_assert_uint_eq(job.run.user_id, 4294967294);
	ck_assert_int_eq(parse_with("numtasks", "4294967294"), 0);
	ck_assert_uint_eq(job.run.tasks, 0);

	/* Memory that is not requested is no request for a whole node. */
	ck_assert_int_eq(parse_with("minmemory", "0"), 0);
	ck_assert_double_eq(job.run.memory_mb, 0);
	ck_assert_int_eq(parse_with("tres-alloc", "cpu=8,node=2"), 0);
	ck_assert_double_eq(job.run.memory_mb, 1536 * 2);
}
END_TEST

START_TEST(test_suspended)
{
	const struct squeue_value changes[] = { { "endtime", "1795171790" },
						{ "timeused", "1:30:00" },
						{ NULL, NULL } };

	ck_assert_int_eq(parse_with("", ""), 0);
	ck_assert_double_eq(job.run.suspended_s, 0);
	print(changes);
	ck_assert_int_eq(parse(), 0);
	ck_assert_double_eq(job.run.suspended_s, 1800);
	/* Without an end, or without the time, nothing is known of it. */
	ck_assert_int_eq(parse_with("timeused", "INVALID"), 0);
	ck_assert_double_eq(job.run.suspended_s, 0);
	ck_assert_int_eq(parse_with("endtime", "NONE"), 0);
	ck_assert_double_eq(job.run.suspended_s, 0);
	ck_assert_int_eq(parse_with("state", "SUSPENDED"), 0);
	ck_assert_double_eq(job.run.suspended_s, 0);
}
END_TEST

START_TEST(test_requests)
{
	const struct squeue_value changes[] = {
		{ "tres-per-job", "gres:shard:3" },
		{ "tres-per-node", "gres:gpu:a100:2" },
		{ "tres-per-task", "cpu=1,gres/gpu:a100=1" },
		{ "feature", "avx2|b" },
		{ "qos", "lowest" },
		{ "licenses", "matlab:2,fluent@flex:7" },
		{ NULL, NULL },
	};

	print(changes);
	ck_assert_int_eq(parse(), 0);
	ck_assert_str_eq(job.run.licenses, "matlab:2,fluent@flex:7");
	ck_assert_str_eq(job.run.gres, "gpu:a100:8,shard:3");
	ck_assert_str_eq(job.run.features, "avx2|b");
	ck_assert_str_eq(job.run.qos, "lowest");
}
END_TEST

START_TEST(test_het)
{
	const struct squeue_value component[] = { { "hetjobid", "9" },
						  { "hetjoboffset", "3" },
						  { NULL, NULL } };

	print(component);
	ck_assert_int_eq(parse(), 0);
	ck_assert_uint_eq(job.run.het_job_id, 9);
	ck_assert_uint_eq(job.run.het_offset, 3);

	/* NO_VAL of a job that is none. */
	ck_assert_int_eq(parse_with("hetjoboffset", "4294967294"), 0);
	ck_assert_uint_eq(job.run.het_offset, 0);
}
END_TEST

START_TEST(test_array)
{
	const struct squeue_value waiting[] = { { "jobid", "9" },
						{ "arrayjobid", "9" },
						{ "arraytaskid", "8-20%3" },
						{ "state", "PENDING" },
						{ "nodelist", "" },
						{ NULL, NULL } };
	const struct squeue_value other[] = { { "jobid", "11" },
					      { "arrayjobid", "9" },
					      { "arraytaskid", "1" },
					      { "numnodes", "strange" },
					      { NULL, NULL } };
	const struct squeue_value wanted_task[] = { { "arrayjobid", "9" },
						    { "arraytaskid", "7" },
						    { "state", "COMPLETED" },
						    { NULL, NULL } };

	print(waiting);
	print(other); /* no reason to refuse the job itself */
	print(wanted_task);
	ck_assert_msg(!parse(), "%s", err.text);
	ck_assert_uint_eq(job.run.job_id, 12);
	ck_assert_uint_eq(job.run.array_job_id, 9);
	ck_assert_uint_eq(job.run.array_task_id, 7);
	ck_assert_int_eq(job.run.state, RUN_COMPLETED);
	print(waiting);
	ck_assert_int_eq(parse(), -1);
}
END_TEST

/* Whatever a user writes changes the value of its own column only. */
START_TEST(test_hostile_texts)
{
	static char long_text[3000], record[SQUEUE_RECORD_SIZE];
	const char *const texts[] = {
		"x UserId=root(0) JobState=COMPLETED",
		"x\n",
		"\n\n12        |12        |N/A             |0          |root",
		"x AdminComment=predict=ffffffffffffffff",
		"predict=ffffffffffffffff",
		"|||||||||||||||||||||||||||||||||||||||||||||",
		"\xff\x1b[2J\t\r",
		record,
		long_text,
	};
	struct slurm_job honest;

	ck_assert_int_eq(parse_with("", ""), 0);
	honest = job;
	memset(honest.run.job_name, 0, sizeof(honest.run.job_name));
	memset(honest.run.features, 0, sizeof(honest.run.features));
	memccpy(record, text, '\0', sizeof(record));
	memset(long_text, 'n', sizeof(long_text) - 1);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const struct squeue_value changes[] = {
			{ "name", texts[i] },
			{ "feature", texts[i] },
			{ NULL, NULL },
		};

		print(changes);
		ck_assert_msg(!parse(), "%s", err.text);
		ck_assert(strncmp(job.run.job_name, texts[i], 4) == 0);
		memset(job.run.job_name, 0, sizeof(job.run.job_name));
		memset(job.run.features, 0, sizeof(job.run.features));
		ck_assert_mem_eq(&job, &honest, sizeof(job));
	}
}
END_TEST

/* Output of another shape is refused: nothing in it would mean what
 * we think. */
START_TEST(test_other_shapes)
{
	struct slurm_job before = { .restarts = 77 };

	for (size_t cut = 0; cut < 3000; cut += 7) {
		job = before;
		ck_assert_int_eq(parse_with("", ""), 0);
		job = before;
		ck_assert_int_eq(
			slurm_job_parse(text + 1 + cut, 4000, 12, &job, &err),
			-1);
		ck_assert_int_eq(
			slurm_job_parse(text, 3000 - cut, 12, &job, &err), -1);
		ck_assert_mem_eq(&before, &job, sizeof(job));
	}
	ck_assert_int_eq(slurm_job_parse("", 0, 12, &job, &err), -1);
	ck_assert_int_eq(parse_with("jobid", "13"), -1);
}
END_TEST

START_TEST(test_long_lists)
{
	char nodes[5000];

	memset(nodes, 'n', sizeof(nodes));
	nodes[RUN_NODES_SIZE - 1] = '\0';
	ck_assert_int_eq(parse_with("nodelist", nodes), 0);
	ck_assert_str_eq(job.run.node_list, nodes);
	nodes[RUN_NODES_SIZE - 1] = 'n';
	nodes[sizeof(nodes) - 1] = '\0';
	ck_assert_int_eq(parse_with("nodelist", nodes), 0);
	ck_assert_str_eq(job.run.node_list, "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_command,       test_all_fields,
				       test_states,        test_values,
				       test_suspended,     test_requests,
				       test_het,           test_array,
				       test_hostile_texts, test_other_shapes,
				       test_long_lists,    NULL };

	return suite_run("slurm_job", tests);
}
