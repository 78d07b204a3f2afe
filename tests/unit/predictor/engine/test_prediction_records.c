/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_prediction_records.c - the last predictions, and the runs that
 * name them */
#include <check.h>
#include <string.h>

#include "predictor/engine/job_records.h"
#include "predictor/engine/prediction_records.h"
#include "tests/unit/suite.h"

static struct records *records;

static void begin(void)
{
	records = predictions_create();
	ck_assert_ptr_nonnull(records);
}

static void end(void)
{
	records_destroy(records);
}

static struct prediction made(const char *id, double median_s)
{
	struct prediction p = { .median_s = median_s,
				.user_id = 1000,
				.cluster = "little" };

	strcpy(p.id, id);
	return p;
}

#define ID "0123456789abcdef"

START_TEST(test_stages)
{
	struct prediction p = made(ID, 10), got;

	ck_assert_int_eq(predictions_get(records, ID, STAGE_SUBMISSION, &got),
			 -1);
	ck_assert_int_eq(predictions_put(records, &p), 0);
	ck_assert_int_eq(predictions_get(records, ID, STAGE_SUBMISSION, &got),
			 0);
	ck_assert_double_eq(got.median_s, 10);
	ck_assert_int_eq(predictions_get(records, ID, STAGE_START, &got), -1);
	/* What is known stays, unless it is to be replaced. */
	p.median_s = 20;
	ck_assert_int_eq(predictions_put(records, &p), 0);
	predictions_get(records, ID, STAGE_SUBMISSION, &got);
	ck_assert_double_eq(got.median_s, 10);
	predictions_replace(records, &p);
	predictions_get(records, ID, STAGE_SUBMISSION, &got);
	ck_assert_double_eq(got.median_s, 20);
	p.stage = STAGE_START;
	p.median_s = 30;
	ck_assert_int_eq(predictions_put(records, &p), 0);
	predictions_get(records, ID, STAGE_START, &got);
	ck_assert_double_eq(got.median_s, 30);
	predictions_get(records, ID, STAGE_SUBMISSION, &got);
	ck_assert_double_eq(got.median_s, 20);
	ck_assert_uint_eq(records_count(records), 2);
}
END_TEST

/* The first digits follow the time, the rest is chance. */
START_TEST(test_names)
{
	struct prediction a = made("", 1), b = made("", 1);

	a.made_at_s = b.made_at_s = 64.0 * 0x12abc;
	predictions_name(records, &a);
	predictions_name(records, &b);
	ck_assert_uint_eq(strlen(a.id), 16);
	ck_assert_uint_eq(strspn(a.id, "0123456789abcdef"), 16);
	ck_assert_int_eq(strncmp(a.id, "2abc", 4), 0);
	ck_assert_int_eq(strncmp(b.id, "2abc", 4), 0);
	ck_assert_str_ne(a.id, b.id);
}
END_TEST

/* An id is only a text that a job carries. */
START_TEST(test_runs)
{
	struct prediction p = made(ID, 10), got;
	struct run run = { .user_id = 1000,
			   .cluster = "little",
			   .prediction_id = ID };

	/* It is not known here: of another predictd, or too old. */
	ck_assert(!predictions_is_foreign(records, &run));
	ck_assert_int_eq(predictions_of_run(records, &run, &got), -1);
	predictions_put(records, &p);
	ck_assert(!predictions_is_foreign(records, &run));
	ck_assert_int_eq(predictions_of_run(records, &run, &got), 0);
	ck_assert_str_eq(got.id, ID);
	run.user_id = 1001;
	ck_assert(predictions_is_foreign(records, &run));
	ck_assert_int_eq(predictions_of_run(records, &run, &got), -1);
	run.user_id = 1000;
	strcpy(run.cluster, "big");
	ck_assert(predictions_is_foreign(records, &run));
	ck_assert_int_eq(predictions_of_run(records, &run, &got), -1);
	/* Made for no cluster in particular. */
	p.cluster[0] = '\0';
	predictions_replace(records, &p);
	ck_assert(!predictions_is_foreign(records, &run));
	ck_assert_int_eq(predictions_of_run(records, &run, &got), 0);
	run.prediction_id[0] = '\0';
	ck_assert(!predictions_is_foreign(records, &run));
	ck_assert_int_eq(predictions_of_run(records, &run, &got), -1);
}
END_TEST

/* --- The newest run of each job ------------------------------------------- */

static void put(struct records *jobs, const char *cluster, double started_at_s,
		enum run_state state)
{
	struct run run = { .job_id = 7,
			   .started_at_s = started_at_s,
			   .state = state };

	strcpy(run.cluster, cluster);
	ck_assert_int_eq(job_records_put(jobs, &run), 0);
}

static enum run_state state_of(struct records *jobs, double started_at_s)
{
	struct run run;

	ck_assert_int_eq(job_records_get(jobs, "little", 7, &run), 0);
	ck_assert_double_eq(run.started_at_s, started_at_s);
	return run.state;
}

START_TEST(test_newest_run)
{
	struct records *jobs = job_records_create();
	struct run run;

	ck_assert_int_eq(job_records_get(jobs, "little", 7, &run), -1);
	put(jobs, "little", 100, RUN_RUNNING);
	ck_assert_uint_eq(records_marked(jobs), 1);
	ck_assert_int_eq(state_of(jobs, 100), RUN_RUNNING);
	put(jobs, "little", 100, RUN_LOST);
	ck_assert_int_eq(state_of(jobs, 100), RUN_LOST);
	ck_assert_uint_eq(records_marked(jobs), 0);
	put(jobs, "little", 100, RUN_RUNNING); /* reported late */
	ck_assert_int_eq(state_of(jobs, 100), RUN_LOST);
	put(jobs, "little", 100, RUN_TIMEOUT);
	ck_assert_int_eq(state_of(jobs, 100), RUN_TIMEOUT);
	put(jobs, "little", 100, RUN_LOST);
	put(jobs, "little", 100, RUN_COMPLETED);
	ck_assert_int_eq(state_of(jobs, 100), RUN_TIMEOUT);
	put(jobs, "little", 200, RUN_RUNNING);
	put(jobs, "little", 150, RUN_COMPLETED);
	ck_assert_int_eq(state_of(jobs, 200), RUN_RUNNING);
	/* Numbers of jobs are a cluster's own. */
	put(jobs, "big", 300, RUN_COMPLETED);
	ck_assert_int_eq(state_of(jobs, 200), RUN_RUNNING);
	ck_assert_int_eq(job_records_get(jobs, "little", 8, &run), -1);
	ck_assert_uint_eq(records_count(jobs), 2);
	records_destroy(jobs);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_stages, test_names, test_runs,
				       test_newest_run, NULL };

	return suite_run_each("prediction_records", tests, begin, end);
}
