/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rehearse_predict.c - medians of a log as they were known at
 * submission */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "predictor/backtest/rehearse/rehearse_predict.h"
#include "tests/unit/suite.h"

#define RUNS 12

static char path[] = "/tmp/rehearse-predict-XXXXXX";

static void sized_print(FILE *file, int id, int submit_s, int run_s, int user,
			int cpus)
{
	fprintf(file, "%d %d 0 %d %d -1 -1 %d 7200 -1 1 %d 1 3 1 1 -1 -1\n", id,
		submit_s, run_s, cpus, cpus, user);
}

static void job_print(FILE *file, int id, int submit_s, int run_s, int user)
{
	sized_print(file, id, submit_s, run_s, user, 2);
}

/* User 5 runs for about 600 s again and again, one at a time; then come jobs of
 * the same user, of one who has two runs, of a new one, and one of a new size.
 * User 8's runs become six times as long after the first of them. */
static void log_write(void)
{
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");

	ck_assert_ptr_nonnull(file);
	fprintf(file, "; MaxProcs: 16\n");
	for (int i = 0; i < RUNS; i++)
		job_print(file, i + 1, 1000 * i, 595 + i, 5);
	job_print(file, 101, 9000, 50, 6);
	job_print(file, 102, 9500, 50, 6);
	for (int i = 0; i < RUNS; i++)
		job_print(file, 301 + i, 4000 * i, i < 6 ? 595 + i : 3600, 8);
	job_print(file, 201, 50000, 7000, 5);
	job_print(file, 202, 50001, 7000, 6);
	job_print(file, 203, 50002, 7000, 7);
	sized_print(file, 204, 50003, 7000, 5, 16);
	ck_assert_int_eq(fclose(file), 0);
}

static const struct rehearse_job *find(const struct rehearse_jobs *jobs,
				       uint32_t id)
{
	for (size_t i = 0; i < jobs->count; i++)
		if (jobs->of[i].log_id == id)
			return &jobs->of[i];
	ck_abort_msg("no job %u", id);
}

START_TEST(test_medians)
{
	const struct rehearse_window all = { 0, HUGE_VAL, 60, 3, 0 };
	struct rehearse_jobs jobs;
	struct sp_error err = { "" };

	log_write();
	ck_assert_int_eq(rehearse_jobs_read("swf", path, &all, &jobs, &err), 0);
	ck_assert_msg(!rehearse_predict("swf", path, &jobs, &err), "%s",
		      err.text);

	/* What it ran for itself is not known to anybody. */
	double median_s = find(&jobs, 201)->predicted_s;

	ck_assert_msg(median_s > 500 && median_s < 700, "%g s", median_s);
	ck_assert(isnan(find(&jobs, 202)->predicted_s));
	ck_assert(isnan(find(&jobs, 203)->predicted_s));
	ck_assert(isnan(find(&jobs, 204)->predicted_s)); /* extrapolated */
	/* Its quantile held at first, and then no more. */
	ck_assert(find(&jobs, 306)->predicted_s > 0);
	ck_assert(isnan(find(&jobs, 312)->predicted_s));
	/* Two runs had ended when the third began, three at the fourth. */
	ck_assert(isnan(find(&jobs, 1)->predicted_s));
	ck_assert(isnan(find(&jobs, 3)->predicted_s));
	ck_assert(find(&jobs, 4)->predicted_s > 0);
	rehearse_jobs_clear(&jobs);
	unlink(path);
}
END_TEST

START_TEST(test_no_log)
{
	struct rehearse_jobs none = { 0 };
	struct sp_error err = { "" };

	ck_assert_int_eq(rehearse_predict("csv", path, &none, &err), -1);
	ck_assert_int_eq(rehearse_predict("swf", "/nowhere", &none, &err), -1);
	ck_assert_str_ne(err.text, "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_medians, test_no_log, NULL };

	return suite_run("rehearse_predict", tests);
}
