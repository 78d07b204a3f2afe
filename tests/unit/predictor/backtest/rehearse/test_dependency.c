/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_dependency.c - texts of --dependency, and jobs that wait for others */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/rehearse/replayed_dependency.h"
#include "tests/unit/suite.h"

START_TEST(test_texts)
{
	struct dependency d;

	dependency_read("afterok:1200:1300_7,after:1450+30:1460", &d);
	ck_assert_uint_eq(d.count, 4);
	ck_assert(!d.any && !d.of[0].on_start && d.of[2].on_start);
	ck_assert_uint_eq(d.of[0].log_id, 1200);
	ck_assert_uint_eq(d.of[0].task, DEPENDENCY_NO_TASK);
	ck_assert_uint_eq(d.of[1].log_id, 1300);
	ck_assert_uint_eq(d.of[1].task, 7);
	ck_assert_uint_eq(d.of[2].minutes, 30);
	ck_assert_uint_eq(d.of[3].minutes, 0);
	ck_assert_uint_eq(d.left_out, 0);

	dependency_read("AfterNotOK:17?afterany:18_*", &d);
	ck_assert(d.any);
	ck_assert_uint_eq(d.count, 2);
	ck_assert_uint_eq(d.of[1].task, DEPENDENCY_NO_TASK);

	dependency_read("977", &d);
	ck_assert_uint_eq(d.count, 1);
	ck_assert_uint_eq(d.of[0].log_id, 977);

	dependency_read("singleton,expand:12,afterok,afterok:x:5y:,"
			"afterok:99999999999,afterok:3",
			&d);
	ck_assert_uint_eq(d.count, 1);
	ck_assert_uint_eq(d.of[0].log_id, 3);
	ck_assert_uint_eq(d.left_out, 7);

	dependency_read("", &d);
	ck_assert_uint_eq(d.count + d.left_out, 0);
}
END_TEST

/* Whatever the text, it is read to its end, and no more items than there
 * is room. */
START_TEST(test_any_text)
{
	static const char letters[] = "after:any,?12_34+*ok\n\xc3";
	struct dependency d;
	char text[400];

	srandom(7);
	for (int n = 0; n < 20000; n++) {
		size_t length = (size_t)random() % sizeof text;

		for (size_t i = 0; i < length; i++)
			text[i] = letters[(size_t)random() %
					  (sizeof letters - 1)];
		text[length ? length - 1 : 0] = '\0';
		dependency_read(text, &d);
		ck_assert_uint_le(d.count, DEPENDENCY_MAX);
	}
}
END_TEST

/* --- Jobs that wait for others -------------------------------------------- */

#define JOBS 6

static struct rehearse_job of[JOBS];
static struct replayed states[JOBS];
static struct replayed_jobs replayed;

/* 1: job 21; 2 to 4: tasks 5, 6, 9 of array 30; 0 and 5 depend on others. */
static void set_up(void)
{
	memset(states, 0, sizeof states);
	replayed = (struct replayed_jobs){ .of = states };
	for (uint32_t i = 0; i < JOBS; i++)
		of[i] = (struct rehearse_job){
			.submit_s = 10 * i + 3,
			.logged_at_s = 1000 + i,
			.log_id = 20 + i,
			.components = 1,
			.group_size = 1,
			.think_s = NAN,
			.start_s = NAN,
			.end_s = NAN,
		};
	for (uint32_t i = 2; i < 5; i++) {
		of[i].group = GROUP_ARRAY;
		of[i].group_log_id = 30;
		of[i].group_size = i == 2 ? 3 : 0;
		of[i].submit_s = 23;
		of[i].logged_at_s = 1002;
	}
	of[2].member = 5;
	of[3].member = 6;
	of[4].member = 9;
	for (uint32_t i = 0; i < JOBS; i++)
		states[i].submitted_id = 700 + (i > 2 && i < 5 ? 2 : i);
	replayed.jobs =
		(struct rehearse_jobs){ .of = of, .count = JOBS, .cpus = 16 };
	ck_assert_int_eq(log_index_create(&replayed.jobs, &replayed.index), 0);
}

static void tear_down(void)
{
	log_index_destroy(&replayed.index);
	job_order_destroy(&replayed.order);
}

static void order_create(void)
{
	ck_assert_int_eq(job_order_create(&replayed.jobs, replayed_hold,
					  &replayed, &replayed.order),
			 0);
}

static const char *printed(const char *dependency)
{
	static char text[REPLAYED_DEPENDENCY_SIZE];

	strcpy(of[5].dependency, dependency);
	replayed_dependency(&replayed, 5, text);
	return text;
}

START_TEST(test_ids_of_slurm)
{
	for (int i = 1; i < 5; i++)
		states[i].phase = PHASE_PENDING;
	ck_assert_str_eq(printed("afterok:21"), "afterany:701");
	/* Also by the number that a task has for itself. */
	ck_assert_str_eq(printed("afterok:30_9,after:21+5"),
			 "afterany:702_2,after:701+5");
	ck_assert_str_eq(printed("afterok:23"), "afterany:702_1");
	ck_assert_str_eq(printed("aftercorr:30?afterok:21"),
			 "afterany:702?afterany:701");
	/* What is unknown ended before the window. */
	ck_assert_str_eq(printed("afterok:5:21"), "afterany:701");
	ck_assert_str_eq(printed("afterok:5?afterok:21"), "");

	states[1].phase = PHASE_RUNNING;
	ck_assert_str_eq(printed("after:21"), "");
	ck_assert_str_eq(printed("after:21+9"), "after:701+9");
	states[1].phase = PHASE_DONE;
	ck_assert_str_eq(printed("afterok:21:30_5"), "afterany:702_0");
	ck_assert_str_eq(printed("afterok:21?afterok:30_5"), "");
	ck_assert_uint_eq(replayed.left_out, 0);
	ck_assert_str_eq(printed("singleton"), "");
	ck_assert_uint_eq(replayed.left_out, 1);
}
END_TEST

/* A job that the jitter put before the one that it depends on. */
START_TEST(test_later)
{
	strcpy(of[1].dependency, "afterok:20");
	of[0].submit_s = 40;
	for (size_t i = 0; i + 1 < JOBS; i++)
		ck_assert(replayed_wait_s(&replayed, i) == (i == 1 ? 40 : -1));
	states[0].phase = PHASE_PENDING;
	ck_assert_double_eq(replayed_wait_s(&replayed, 1), -1);
	/* Nobody waits for a later one. */
	strcpy(of[1].dependency, "afterok:25");
	ck_assert_double_eq(replayed_wait_s(&replayed, 1), -1);
}
END_TEST

START_TEST(test_postponed_groups)
{
	order_create();
	replayed.order.submitted = 2;
	ck_assert_double_eq(job_order_next_s(&replayed.order), 23);
	job_order_postpone(&replayed.order, 53);
	ck_assert_double_eq(job_order_next_s(&replayed.order), 53);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(replayed.order.of[2 + i], (i + 3) % 4 + 2);
	for (size_t i = 2; i < 5; i++)
		ck_assert_double_eq(of[i].submit_s, 53);
}
END_TEST

/* Its user thinks for 100 s after the end of job 21. */
START_TEST(test_think_time)
{
	strcpy(of[5].dependency, "afterany:21");
	of[5].think_s = 100;
	of[0].think_s = 7; /* after a job of which nothing is known */
	strcpy(of[0].dependency, "afterany:3");
	order_create();
	ck_assert_uint_eq(replayed.order.count, JOBS - 1);
	ck_assert_uint_eq(replayed.order.held_count, 1);
	replayed.order.submitted = 2;
	replayed_release(&replayed, 15);
	ck_assert_uint_eq(replayed.order.held_count, 1);
	states[1].phase = PHASE_DONE;
	of[1].end_s = 14;
	replayed_release(&replayed, 15);
	ck_assert_uint_eq(replayed.order.held_count, 0);
	ck_assert_uint_eq(replayed.order.of[5], 5);
	ck_assert_double_eq(of[5].submit_s, 114);
	ck_assert_str_eq(printed("afterany:21"), "");
}
END_TEST

/* It is not held for ever by a job that Slurm has refused. */
START_TEST(test_think_time_of_refused)
{
	strcpy(of[5].dependency, "afterany:21");
	of[5].think_s = 100;
	order_create();
	states[1].phase = PHASE_DONE;
	replayed_release(&replayed, 15);
	ck_assert_uint_eq(replayed.order.held_count, 0);
	ck_assert_double_eq(of[5].submit_s, 53);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_texts,
				       test_any_text,
				       test_ids_of_slurm,
				       test_later,
				       test_postponed_groups,
				       test_think_time,
				       test_think_time_of_refused,
				       NULL };

	return suite_run_each("dependency", tests, set_up, tear_down);
}
