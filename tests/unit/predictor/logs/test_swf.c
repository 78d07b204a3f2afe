/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_swf.c - the Standard Workload Format, read and written */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/logs/swf.h"
#include "tests/unit/predictor/logs/logs.h"
#include "tests/unit/suite.h"

static struct sp_error err;

static const char head[] = "; Computer: IBM SP2\n"
			   "; UnixStartTime: 843480031\n"
			   "; MaxNodes: 16 (batch; 20 total)\n"
			   ";MaxProcs:   128\n";

START_TEST(test_a_line)
{
	char text[1024];
	struct run run;

	snprintf(text, sizeof(text),
		 "%s\n   7  100  30  937  16 142.50 -1  12 35100 1024  1  97  "
		 "3 307  4  2 -1 -1\n",
		 head);

	struct joblog *log = log_of(&joblog_swf, text);

	ck_assert_int_eq(joblog_next(log, &run, &err), 1);
	ck_assert_str_eq(run.cluster, "little");
	ck_assert_uint_eq(run.job_id, 7);
	ck_assert_uint_eq(run.user_id, 97);
	ck_assert_str_eq(run.user, "u97");
	ck_assert_str_eq(run.account, "g3");
	ck_assert_str_eq(run.partition, "q4/p2");
	ck_assert_str_eq(run.application.name, "exe307");
	ck_assert_str_eq(run.job_name, "exe307");
	/* 12 processors of 8 on a node. */
	ck_assert_uint_eq(run.cpus, 12);
	ck_assert_uint_eq(run.tasks, 12);
	ck_assert_uint_eq(run.nodes, 2);
	ck_assert_double_eq(run.memory_mb, 12);
	ck_assert_double_eq(run.limit_s, 35100);
	ck_assert_double_eq(run.submitted_at_s, 843480131);
	ck_assert_double_eq(run.started_at_s, 843480161);
	ck_assert_double_eq(run.ended_at_s, 843481098);
	ck_assert_int_eq(run.state, RUN_COMPLETED);
	ck_assert_double_nan(run.before.cpu_load);
	ck_assert_str_eq(run.dependency, "");
	ck_assert_double_nan(run.think_s);
	ck_assert_int_eq(joblog_next(log, &run, &err), 0);
	ck_assert_int_eq(joblog_next(log, &run, &err), 0);
	ck_assert_str_eq(joblog_machine(log)->computer, "IBM SP2");
	ck_assert_uint_eq(joblog_machine(log)->processors, 128);
	ck_assert_uint_eq(joblog_counts(log)->runs, 1);
	joblog_destroy(log);
}
END_TEST

START_TEST(test_preceding_jobs)
{
	struct joblog *log =
		log_of(&joblog_swf,
		       "7 100 30 937 16 -1 -1 12 -1 -1 1 97 3 307 4 2 5 83\n"
		       "8 100 30 937 16 -1 -1 12 -1 -1 1 97 3 307 4 2 7 -1\n");
	struct run run;

	ck_assert_int_eq(joblog_next(log, &run, &err), 1);
	ck_assert_str_eq(run.dependency, "afterany:5");
	ck_assert_double_eq(run.think_s, 83);
	ck_assert_int_eq(joblog_next(log, &run, &err), 1);
	ck_assert_str_eq(run.dependency, "afterany:7");
	ck_assert_double_nan(run.think_s);
	joblog_destroy(log);
}
END_TEST

START_TEST(test_what_is_not_known)
{
	struct joblog *log =
		log_of(&joblog_swf,
		       "1 5 -1 9 3 nan -1 -1 none -1 -1 -1 ? -1 -1 -1 "
		       "-1 -1\n2 5 -1 9 3 -1 -1 -1 0 -1 5 -1 -1 -1 0 -1 -1 "
		       "-1\n");
	struct run run;

	ck_assert_int_eq(joblog_next(log, &run, &err), 1);
	ck_assert_uint_eq(run.user_id, UINT32_MAX);
	ck_assert_str_eq(run.account, "");
	ck_assert_str_eq(run.partition, "");
	ck_assert_str_eq(run.application.name, "");
	ck_assert_uint_eq(run.nodes, 3);
	ck_assert_double_nan(run.limit_s);
	ck_assert_double_eq(run.started_at_s, 5);
	ck_assert_int_eq(run.state, RUN_COMPLETED);
	ck_assert_int_eq(joblog_next(log, &run, &err), 1);
	ck_assert_double_nan(run.limit_s);
	ck_assert_str_eq(run.partition, "q0");
	ck_assert_int_eq(run.state, RUN_CANCELLED);
	joblog_destroy(log);
}
END_TEST

START_TEST(test_longer_lines)
{
	struct joblog *log = log_of(
		&joblog_swf, "1 1356996695 71 1164297 12 1 1024 12 1209600 "
			     "91268055040 1 101 1 1 -1 1 1 1 {1129,1130} q_2w "
			     "3:ppn=4\n");
	struct run run;

	ck_assert_int_eq(joblog_next(log, &run, &err), 1);
	ck_assert_str_eq(run.partition, "q_2w");
	ck_assert_uint_eq(run.nodes, 3);
	ck_assert_double_eq(run.memory_mb, 87040);
	joblog_destroy(log);
}
END_TEST

START_TEST(test_what_is_passed_over)
{
	struct joblog *log = log_of(
		&joblog_swf, "1 5 1 -1 3 -1 -1 3 9 -1 5 1 1 1 1 1 -1 -1\n"
			     "2 5 1 0 3 -1 -1 3 9 -1 5 1 1 1 1 1 -1 -1\n"
			     "3 5 1 9 -1 -1 -1 -1 9 -1 0 1 1 1 1 1 -1 -1\n"
			     "4 5 1 9 1 -1 -1 -1 9 -1 3 1 1 1 1 1 -1 -1\n"
			     "5 5 1 9 1 -1 -1 -1 9 -1\n"
			     "x\n"
			     "6 -5 1 9 1 -1 -1 -1 9 -1 0 1 1 1 1 1 -1 -1\n"
			     "7 5 1 9 1e12 -1 -1 -1 9 -1 0 1 1 1 1 1 -1 -1\n"
			     "8 5 1 nan 1 -1 -1 -1 9 -1 0 1 1 1 1 1 -1 -1\n"
			     "9 5 1 2 1 -1 -1 -1 9 -1 0 1 1 1 1 1 -1 -1\n");
	const struct joblog_counts *counts = joblog_counts(log);
	static const char *const why[] = {
		"has 10 fields, 18 are needed",
		"field 1: 'x' is no number",
		"job 6: submitted before the log begins",
		"job 7: 1000000000000 processors",
		"field 4: 'nan' is no number",
	};
	struct run run;

	ck_assert_int_eq(joblog_next(log, &run, &err), 1);
	ck_assert_uint_eq(run.job_id, 9);
	ck_assert_int_eq(joblog_next(log, &run, &err), 0);
	ck_assert_uint_eq(counts->lines, 10);
	ck_assert_uint_eq(counts->no_runs, 3);
	ck_assert_uint_eq(counts->bad, 5);
	for (size_t i = 0; i < 5; i++) {
		ck_assert_uint_eq(counts->bad_lines[i].line, 5 + i);
		ck_assert_str_eq(counts->bad_lines[i].why.text, why[i]);
	}
	joblog_destroy(log);
}
END_TEST

static struct run make_run(uint32_t i)
{
	struct run run = {
		.cluster = "little",
		.job_id = 1000 - i,
		.user_id = 5000 + i % 3,
		.account = "chem",
		.partition = "main",
		.nodes = 2,
		.tasks = 8,
		.cpus = 8 + i,
		.memory_mb = 64 * (8 + i),
		.limit_s = i % 2 ? 600 + i : HUGE_VAL,
		.submitted_at_s = 1700000000 - 10.0 * i,
		.started_at_s = 1700000100 - 10.0 * i,
		.ended_at_s = 1700000300 + i,
		.suspended_s = i % 4 ? 0 : 40 + i,
		.state = i % 3 ? RUN_COMPLETED : RUN_CANCELLED,
	};

	snprintf(run.application.name, APPLICATION_NAME_SIZE, "app%u", i % 2);
	return run;
}

/* What was written is read back, in the order of submissions. */
START_TEST(test_writing)
{
	const struct swf_writer_config config = { .computer = "here",
						  .anonymize = _i };
	struct swf_writer *w = swf_writer_create(&config, &err);
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	struct run run;

	ck_assert_ptr_nonnull(w);
	for (uint32_t i = 0; i < 20; i++) {
		run = make_run(i);
		ck_assert_int_eq(swf_writer_add(w, &run, &err), 0);
	}
	ck_assert_int_eq(swf_writer_finish(w, file, &err), 0);
	swf_writer_destroy(w);
	fclose(file);
	ck_assert_int_eq(strstr(text, "Computer: here") != NULL, !_i);
	ck_assert_int_eq(strstr(text, "app1") != NULL, !_i);
	ck_assert_int_eq(strstr(text, "Group: 1 chem") != NULL, !_i);
	ck_assert_ptr_null(strstr(text, "5001"));

	struct joblog *log = log_of(&joblog_swf, text);

	for (uint32_t i = 0; i < 20; i++) {
		struct run was = make_run(19 - i);

		ck_assert_int_eq(joblog_next(log, &run, &err), 1);
		ck_assert_uint_eq(run.job_id, i + 1);
		ck_assert_uint_eq(run.user_id, was.user_id - 5000 + 1);
		ck_assert_uint_eq(run.cpus, was.cpus);
		ck_assert_double_eq(run.memory_mb, was.memory_mb);
		ck_assert_double_eq(run.submitted_at_s, was.submitted_at_s);
		ck_assert_double_eq(run.started_at_s, was.started_at_s);
		ck_assert_double_eq(run_runtime_s(&run), run_runtime_s(&was));
		ck_assert_int_eq(isnan(run.limit_s), isinf(was.limit_s));
		ck_assert_int_eq(run.state, was.state);
		ck_assert_str_eq(run.account, "g1");
		ck_assert_str_eq(run.partition, "p1");
	}
	/* All twenty at one time. */
	ck_assert_uint_eq(joblog_machine(log)->processors, 350);
	ck_assert_uint_eq(joblog_machine(log)->nodes, 40);
	ck_assert_uint_eq(joblog_counts(log)->bad, 0);
	joblog_destroy(log);
	free(text);
}
END_TEST

START_TEST(test_writing_nothing)
{
	const struct swf_writer_config config = { .computer = NULL };
	struct swf_writer *w = swf_writer_create(&config, &err);
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	ck_assert_int_eq(swf_writer_finish(w, file, &err), 0);
	swf_writer_destroy(w);
	swf_writer_destroy(NULL);
	fclose(file);
	ck_assert_ptr_nonnull(strstr(text, "MaxJobs: 0"));
	free(text);
}
END_TEST

/* Fields that are no numbers, or are not there, lose themselves only. */
START_TEST(test_odd_fields)
{
	struct joblog *log =
		log_of(&joblog_swf,
		       "\xef\xbb\xbf; MaxProcs: 12,960\n"
		       "# Computer: little\n"
		       "7 80 nan 908 x nan -1 4 3600 -1 inf ? 3 1 -1 -1 -1 -1\n"
		       "8 90 3 500 4 -1 -1 -1 -1 -1 1\n"
		       "9 90 3 nan 4 -1 -1 -1 -1 -1 1 1 1 1 1 1 1 1\n"
		       "10 90 3 9e9 4 -1 -1 4 60 -1 1 3 1 -1 -1 -1 -1 -1\n");
	struct run run;

	ck_assert_int_eq(joblog_next(log, &run, &err), 1);
	ck_assert_uint_eq(joblog_machine(log)->processors, 12960);
	ck_assert_str_eq(joblog_machine(log)->computer, "little");
	ck_assert_uint_eq(run.cpus, 4);
	ck_assert_uint_eq(run.user_id, UINT32_MAX);
	ck_assert_double_eq(run.started_at_s, 80);
	ck_assert_int_eq(joblog_next(log, &run, &err), 1);
	ck_assert_double_eq(run.ended_at_s, 593);
	ck_assert_int_eq(joblog_next(log, &run, &err), 0);
	ck_assert_uint_eq(joblog_counts(log)->bad, 2);
	ck_assert_str_eq(joblog_counts(log)->bad_lines[1].why.text,
			 "job 10: ran for 285.2 years: a clock was wrong");
	joblog_destroy(log);
}
END_TEST

/* Another kind of file gets its reason at once. */
START_TEST(test_no_log)
{
	struct joblog *log = log_of(&joblog_swf, "JobID|Submit\n7|x\n");
	struct run run;

	ck_assert_int_eq(joblog_next(log, &run, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "'JobID|Submit' is no number"));
	joblog_destroy(log);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("swf");
	TCase *tests = tcase_create("swf");
	SRunner *runner = srunner_create(suite);

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, test_a_line);
	tcase_add_test(tests, test_preceding_jobs);
	tcase_add_test(tests, test_what_is_not_known);
	tcase_add_test(tests, test_longer_lines);
	tcase_add_test(tests, test_what_is_passed_over);
	tcase_add_loop_test(tests, test_writing, 0, 2);
	tcase_add_test(tests, test_writing_nothing);
	tcase_add_test(tests, test_odd_fields);
	tcase_add_test(tests, test_no_log);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);

	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed != 0;
}
