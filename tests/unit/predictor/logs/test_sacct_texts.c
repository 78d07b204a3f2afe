/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sacct_texts.c - delimiters of sacct, and texts that have them */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/predictor/logs/sacct_runs.h"

START_TEST(test_separators_in_texts)
{
	struct run runs[8];

	ck_assert_uint_eq(
		read_all("JobID|JobName|Submit|Start|End|State|SubmitLine\n"
			 "1|a|b|" TIMES "|COMPLETED|srun solver\n"
			 "2|a|" TIMES "|COMPLETED|sbatch --wrap \"x | y\"\n"
			 "3|a|b|c|" TIMES "|COMPLETED|sbatch --wrap x | y | "
			 "z\n"
			 "4|a|" TIMES "|COMPLETED|srun solver\n"
			 "5|a|" TIMES "|COMPLETED|srun solver|ODD|" TIMES "\n"
			 "6|a|ODD|" TIMES "|COMPLETED|ODD|COMPLETED|\n"
			 "7|a|" TIMES "|ODD|srun solver|x\n",
			 runs, 8),
		6);
	ck_assert_str_eq(runs[0].job_name, "a|b");
	ck_assert_str_eq(runs[1].job_name, "a");
	ck_assert_str_eq(runs[2].job_name, "a|b|c");
	ck_assert_str_eq(runs[3].application.name, "solver");
	ck_assert_str_eq(runs[5].job_name, "a|ODD");
	/* There is no way to take the last one apart. */
	ck_assert_uint_eq(counts.bad, 1);
	ck_assert_uint_eq(counts.bad_lines[0].line, 8);
}
END_TEST

START_TEST(test_newlines_in_texts)
{
	struct run runs[8];

	ck_assert_uint_eq(
		read_all("JobID|JobName|Submit|Start|End|State|SubmitLine\n"
			 "1|a|" TIMES "|COMPLETED|sbatch --wrap #!/bin/sh\n"
			 "12\n"
			 "\n"
			 "x | y\n"
			 "2|a\nb|" TIMES "|COMPLETED|srun x\n"
			 "3|a|" TIMES "\n"
			 "4|a|" TIMES "|FAILED|srun x\n"
			 "JobID|JobName|Submit|Start|End|State|SubmitLine\n"
			 "5|a|" TIMES "|FAILED|srun x\n",
			 runs, 8),
		4);
	ck_assert_uint_eq(runs[0].job_id, 1);
	ck_assert_str_eq(runs[1].job_name, "a\nb");
	ck_assert_uint_eq(runs[2].job_id, 4);
	ck_assert_uint_eq(runs[3].job_id, 5);
	ck_assert_uint_eq(counts.bad, 1);
	ck_assert_uint_eq(counts.bad_lines[0].line, 8);
	/* Where nothing can follow, what follows is bad by itself. */
	ck_assert_uint_eq(read_all(COMMON "\n1|a|" TIMES "|COMPLETED\n"
					  "sacct: error: something\n"
					  "2|a|" TIMES "|COMPLETED\n",
				   runs, 8),
			  2);
	ck_assert_uint_eq(counts.bad_lines[0].line, 3);
}
END_TEST

/* A file that is something else gets its reason at once. */
static void check_refused(const char *text, const char *why)
{
	struct joblog *log = log_of(&joblog_sacct, text);
	struct run run;

	err.text[0] = '\0';
	ck_assert_int_eq(joblog_next(log, &run, &err), -1);
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
	joblog_destroy(log);
}

START_TEST(test_no_header)
{
	struct run runs[4];

	check_refused("Submit|Start|End|State\n",
		      "test:1: the first line must name the fields");
	check_refused("JobID|Submit|Start|State\n",
		      "the field End is missing: ask for it with --format");
	check_refused("       JobID    JobName  State\n"
		      "------------ ---------- ------\n"
		      "7                     a FAILED\n",
		      "run sacct with --parsable2");
	check_refused("JobIDRaw     Submit    State\n", "--parsable2");
	check_refused("{\n  \"jobs\": [\n", "JSON");
	check_refused("7|" TIMES "|FAILED\n8|" TIMES "|FAILED\n",
		      "test:2: the first line must name the fields");
	/* messages before it, and other outputs behind the first one */
	ck_assert_uint_eq(read_all("Welcome to node n1\n\n"
				   "JobID|Submit|Start|End|State\n"
				   "7|" TIMES "|FAILED\n"
				   "\xef\xbb\xbfJobID|State|Submit|Start|End|"
				   "NNodes\n"
				   "8|FAILED|" TIMES "|1.50K\n",
				   runs, 4),
			  2);
	ck_assert_uint_eq(runs[1].job_id, 8);
	ck_assert_uint_eq(runs[1].nodes, 1536);
	ck_assert_uint_eq(counts.bad, 0);
}
END_TEST

/* --delimiter has any text. */
START_TEST(test_other_delimiters)
{
	struct run runs[4];

	ck_assert_uint_eq(
		read_all("JobID,JobName,Submit,Start,End,NodeList,ReqTRES,"
			 "State\n"
			 "7,x,2026-01-05T10:00:00,2026-01-05T10:01:00,"
			 "2026-01-05T10:31:00,n[3-4,9],cpu=8,gres/gpu=2,"
			 "node=3,FAILED\n",
			 runs, 4),
		1);
	ck_assert_int_eq(runs[0].state, RUN_FAILED);
	ck_assert_uint_eq(
		read_all("JobID\tJobName%30\tSubmit\tStart\tEnd\tState\n"
			 "7\ta|b\t2026-01-05T10:00:00\t"
			 "2026-01-05T10:01:00\t2026-01-05T10:31:00\tFAILED\n",
			 runs, 4),
		1);
	ck_assert_str_eq(runs[0].job_name, "a|b");
}
END_TEST

/* A text at the end goes on in the next line, wherever the id stands. */
START_TEST(test_text_at_the_end)
{
	struct run runs[4];

	ck_assert_uint_eq(
		read_all("User|JobName|JobID|Submit|Start|End|State|"
			 "SubmitLine\n"
			 "ada|a|7|" TIMES "|FAILED|srun sh -c \"cd w\n"
			 "grep x | sort\n\n8\nrun\"\n"
			 "bob|b|c|9|" TIMES "|FAILED|sbatch b.sh\n"
			 "eve|d|11|" TIMES "|FAILED|sbatch 'c\n' d.sh\n",
			 runs, 4),
		3);
	ck_assert_str_eq(runs[0].user, "ada");
	ck_assert_str_eq(runs[1].user, "bob");
	ck_assert_str_eq(runs[1].job_name, "b|c");
	ck_assert_str_eq(runs[2].user, "eve");
	ck_assert_uint_eq(counts.bad, 0);
}
END_TEST

/* With a secret between fields a name is a name, whatever is in it. */
START_TEST(test_secret_delimiter)
{
#define D "<5ec2e7>"
#define T                                                                   \
	"2026-01-05T10:00:00" D "2026-01-05T10:01:00" D "2026-01-05T10:31:" \
	"00" D
	static const char text[] =
		"JobIDRaw" D "UID" D "Submit" D "Start" D "End" D "JobName" D
		"State" D "SubmitLine" D "ExitCode\n"
		"17" D "1000" D T "x\n18|0|a|b|c|d|COMPLETED|e|0:0\n" D
		"FAILED" D "sbatch\n99" D "1:0\n"
		"19" D "1001" D T "y|FAILED|z" D "COMPLETED" D
		"sbatch 'a\n|b'" D "0:0\n"
		"20" D "1002" D T "z" D "TIMEOUT" D "sbatch c" D "0:0\n";
	const struct joblog_config config = { .cluster = "little",
					      .delimiter = D };
	struct joblog *log = joblog_create(&joblog_sacct, &config,
					   stream_of(text, strlen(text)), &err);
	struct run runs[3];

	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(joblog_next(log, &runs[i], &err), 1);
	ck_assert_uint_eq(runs[0].job_id, 17);
	ck_assert_uint_eq(runs[0].user_id, 1000);
	ck_assert_int_eq(runs[0].state, RUN_FAILED);
	ck_assert_uint_eq(runs[1].job_id, 19);
	ck_assert_int_eq(runs[1].state, RUN_COMPLETED);
	ck_assert_str_eq(runs[1].job_name, "y|FAILED|z");
	ck_assert_uint_eq(runs[2].job_id, 20);
	ck_assert_int_eq(runs[2].state, RUN_TIMEOUT);
	ck_assert_int_eq(joblog_next(log, &runs[0], &err), 0);
	ck_assert_uint_eq(joblog_counts(log)->bad, 0);
	joblog_destroy(log);
#undef D
#undef T
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_separators_in_texts,
		test_newlines_in_texts,
		test_no_header,
		test_other_delimiters,
		test_text_at_the_end,
		test_secret_delimiter,
		NULL,
	};

	return suite_run("sacct texts", tests);
}
