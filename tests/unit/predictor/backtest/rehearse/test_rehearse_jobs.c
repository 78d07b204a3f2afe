/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "predictor/backtest/rehearse/rehearse_jobs.h"
#include "tests/unit/suite.h"

/* An array of which one task is larger, and a heterogeneous job. */
static const char sacct_text[] =
	"JobID|JobIDRaw|User|UID|Submit|Start|End|TimelimitRaw|AllocCPUS|State|"
	"SubmitLine\n"
	"40_8|42|a|7|2026-05-01T10:00:00|2026-05-01T10:00:00|"
	"2026-05-01T10:09:00|20|2|COMPLETED|sbatch -a3-8%2 a.sh\n"
	"40_3|41|a|7|2026-05-01T10:00:00|2026-05-01T10:00:00|"
	"2026-05-01T10:07:00|20|2|COMPLETED|sbatch -a3-8%2 a.sh\n"
	"40_5|40|a|7|2026-05-01T10:00:00|2026-05-01T10:00:00|"
	"2026-05-01T10:05:00|20|9|COMPLETED|sbatch -a3-8%2 a.sh\n"
	"50+0|50|a|7|2026-05-01T10:00:00|2026-05-01T10:00:00|"
	"2026-05-01T10:30:00|40|4|COMPLETED|sbatch -d afterok:40_3 b.sh\n"
	"50+1|51|a|7|2026-05-01T10:00:00|2026-05-01T10:00:00|"
	"2026-05-01T10:29:00|20|1|COMPLETED|sbatch -d afterok:40_3 b.sh\n";

static char path[] = "/tmp/rehearse-jobs-XXXXXX";

/* Number, submission, wait, run time, processors, ..., limit, ... */
static const char log_text[] =
	"; MaxProcs: 10\n"
	"1 100 5 61 4 -1 -1 4 300 -1 1 7 1 -1 1 1 -1 -1\n"
	"2 150 5 700 10 -1 -1 10 600 -1 1 8 1 -1 1 1 -1 -1\n"
	"3 160 5 7 2 -1 -1 2 60 -1 1 7 1 -1 1 1 -1 -1\n"
	"4 9000 5 30 1 -1 -1 1 90 -1 1 9 1 -1 1 1 -1 -1\n";

static void text_write(const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static void set_up(void)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	text_write(log_text);
}

static void read_window(double from_s, double length_s, uint64_t seed,
			struct rehearse_jobs *ret)
{
	const struct rehearse_window window = { from_s, length_s, 60, seed, 0 };
	struct sp_error err = { "" };

	ck_assert_msg(!rehearse_jobs_read("swf", path, &window, ret, &err),
		      "%s", err.text);
}

START_TEST(test_window_and_limits)
{
	struct rehearse_jobs jobs;

	set_up();
	read_window(0, 3600, 0, &jobs);
	ck_assert_uint_eq(jobs.count, 3);
	ck_assert_uint_eq(jobs.cpus, 10);
	ck_assert_double_eq(jobs.of[1].submit_s, 50);
	/* Longer than its limit: it ends there. */
	ck_assert_double_eq(jobs.of[1].runtime_s, 600);
	ck_assert_double_eq(jobs.of[2].limit_s, 60);
	ck_assert_uint_eq(jobs.wide + jobs.no_limit + jobs.instant, 0);
	ck_assert_uint_eq(jobs.of[0].user, 7);
	rehearse_jobs_clear(&jobs);

	read_window(3600, HUGE_VAL, 0, &jobs);
	ck_assert_uint_eq(jobs.count, 1);
	ck_assert_double_eq(jobs.of[0].submit_s, 5300);
	ck_assert_double_eq(jobs.of[0].limit_s, 120);
	rehearse_jobs_clear(&jobs);
	unlink(path);
}
END_TEST

START_TEST(test_jitter)
{
	struct rehearse_jobs exact, first, again, second;
	double moved = 0, differ = 0;

	set_up();
	read_window(0, HUGE_VAL, 0, &exact);
	read_window(0, HUGE_VAL, 1, &first);
	read_window(0, HUGE_VAL, 1, &again);
	read_window(0, HUGE_VAL, 2, &second);
	for (size_t i = 0; i < exact.count; i++) {
		double later = first.of[3].submit_s - exact.of[3].submit_s;

		ck_assert_double_eq(first.of[i].submit_s, again.of[i].submit_s);
		ck_assert(later >= 0 && later < 60);
		moved += fabs(first.of[i].submit_s - exact.of[i].submit_s);
		differ += fabs(first.of[i].submit_s - second.of[i].submit_s);
	}
	ck_assert(moved > 0 && differ > 0);
	rehearse_jobs_clear(&exact);
	rehearse_jobs_clear(&first);
	rehearse_jobs_clear(&again);
	rehearse_jobs_clear(&second);
	unlink(path);
}
END_TEST

START_TEST(test_groups)
{
	const struct rehearse_window all = { 0, HUGE_VAL, 60, 3, 0 };
	struct rehearse_jobs jobs;
	struct sp_error err = { "" };

	set_up();
	text_write(sacct_text);
	ck_assert_msg(!rehearse_jobs_read("sacct", path, &all, &jobs, &err),
		      "%s", err.text);
	ck_assert_uint_eq(jobs.count, 5);
	for (size_t i = 0; i < jobs.count; i++) {
		const struct rehearse_job *j = &jobs.of[i];

		if (j->group_size == 0) {
			ck_assert_double_eq(j->submit_s, j[-1].submit_s);
			ck_assert_int_eq(j->group, j[-1].group);
		}
		switch (j->log_id) {
		case 41: /* 3 is before 8 */
			ck_assert_uint_eq(j->group_size, 2);
			ck_assert_uint_eq(j[1].log_id, 42);
			ck_assert_uint_eq(j[1].member, 8);
			ck_assert_uint_eq(j->array_most, 2);
			break;
		case 40:
			ck_assert_uint_eq(j->group_size, 1);
			ck_assert_uint_eq(j->cpus, 9);
			break;
		case 50:
			ck_assert_uint_eq(j->group_size, 2);
			ck_assert_int_eq(j->group, GROUP_HET);
			ck_assert_str_eq(j->dependency, "afterok:40_3");
			break;
		case 51: /* ends with the first one */
			ck_assert_uint_eq(j->group_size, 0);
			ck_assert_double_eq(j->runtime_s, 1800);
			ck_assert_double_ge(j->limit_s, 1800);
			break;
		}
	}
	rehearse_jobs_clear(&jobs);
	unlink(path);
}
END_TEST

/* Without a limit, larger than the machine, two that never ran, one twice, and
 * a line that is none. */
static const char odd_text[] =
	"; MaxProcs: 10\n"
	"1 100 5 61 4 -1 -1 4 300 -1 1 7 1 -1 1 1 -1 -1\n"
	"2 150 5 700 10 -1 -1 10 -1 -1 1 8 1 -1 1 1 -1 -1\n"
	"3 160 5 0 2 -1 -1 2 90 -1 1 7 1 -1 1 1 -1 -1\n"
	"4 170 5 30 11 -1 -1 11 7200 -1 1 9 1 -1 1 1 -1 -1\n"
	"5 180 5 -1 1 -1 -1 1 60 -1 5 9 1 -1 1 1 -1 -1\n"
	"1 100 5 61 4 -1 -1 4 300 -1 1 7 1 -1 1 1 -1 -1\n"
	"no job\n";

static const char instant_text[] =
	"JobIDRaw|JobID|Submit|Start|End|TimelimitRaw|AllocCPUS|State\n"
	"50|50+0|2026-05-01T10:00:00|2026-05-01T10:00:00|"
	"2026-05-01T10:30:00|40|4|COMPLETED\n"
	"51|50+1|2026-05-01T10:00:00|2026-05-01T10:00:00|"
	"2026-05-01T10:30:00|40|1|COMPLETED\n"
	"52|52|2026-05-01T10:00:00|2026-05-01T10:00:00|"
	"2026-05-01T10:00:00|1|4|FAILED\n"
	"53|53|2026-05-01T10:00:00|2026-05-01T10:00:00|Unknown|1|4|RUNNING\n";

START_TEST(test_odd_jobs)
{
	struct rehearse_window window = { 0, HUGE_VAL, 60, 0, 0 };
	struct rehearse_jobs jobs;
	struct sp_error err = { "" };

	set_up();
	text_write(odd_text);
	read_window(0, HUGE_VAL, 0, &jobs);
	ck_assert_uint_eq(jobs.count, 2);
	ck_assert_uint_eq(jobs.wide, 1);
	ck_assert_uint_eq(jobs.twice, 1);
	ck_assert_uint_eq(jobs.no_limit, 1);
	ck_assert_uint_eq(jobs.instant, 0);
	ck_assert_uint_eq(jobs.no_runs, 2);
	ck_assert_uint_eq(jobs.bad_lines, 1);
	/* The longest requested in the log, by whichever job. */
	ck_assert_double_eq(jobs.of[1].limit_s, 7200);
	ck_assert_double_eq(jobs.of[1].runtime_s, 700);
	rehearse_jobs_clear(&jobs);
	/* Only jobs of the window count. */
	read_window(0, 50, 0, &jobs);
	ck_assert_uint_eq(jobs.count, 1);
	ck_assert_uint_eq(jobs.no_limit + jobs.wide, 0);
	rehearse_jobs_clear(&jobs);
	/* The machine is larger than the header says. */
	window.cpus = 11;
	ck_assert_int_eq(rehearse_jobs_read("swf", path, &window, &jobs, &err),
			 0);
	ck_assert_uint_eq(jobs.count, 3);
	ck_assert_uint_eq(jobs.cpus, 11);
	ck_assert_uint_eq(jobs.wide, 0);
	rehearse_jobs_clear(&jobs);
	/* A heterogeneous job needs all of its components; one job runs for no
	 * time, one has not ended. */
	text_write(instant_text);
	window.cpus = 4;
	ck_assert_int_eq(
		rehearse_jobs_read("sacct", path, &window, &jobs, &err), 0);
	ck_assert_uint_eq(jobs.count, 1);
	ck_assert_uint_eq(jobs.wide, 2);
	ck_assert_uint_eq(jobs.instant, 1);
	ck_assert_uint_eq(jobs.no_runs, 1);
	ck_assert_double_eq(jobs.of[0].runtime_s, 1);
	ck_assert_double_eq(jobs.of[0].limit_s, 60);
	rehearse_jobs_clear(&jobs);
	/* Nobody requested a limit: the longest run. */
	text_write("1 100 5 61 4 -1 -1 4 -1 -1 1 7 1 -1 1 1 -1 -1\n"
		   "2 150 5 700 9 -1 -1 9 -1 -1 1 8 1 -1 1 1 -1 -1\n");
	read_window(0, HUGE_VAL, 0, &jobs);
	ck_assert_uint_eq(jobs.no_limit, 2);
	ck_assert_double_eq(jobs.of[0].limit_s, 720);
	rehearse_jobs_clear(&jobs);
	unlink(path);
}
END_TEST

START_TEST(test_refused)
{
	const struct rehearse_window window = { 1e9, 1, 0, 0, 0 };
	struct rehearse_jobs jobs = { .count = 77 };
	struct sp_error err;

	set_up();
	ck_assert_int_eq(rehearse_jobs_read("swf", path, &window, &jobs, &err),
			 -1);
	ck_assert_int_eq(rehearse_jobs_read("csv", path, &window, &jobs, &err),
			 -1);
	ck_assert_int_eq(rehearse_jobs_load(path, &jobs, &err), -1);
	text_write("cpus 10\n1 2 3 4 5 6\n");
	ck_assert_int_eq(rehearse_jobs_load(path, &jobs, &err), -1);
	ck_assert_uint_eq(jobs.count, 77);
	unlink(path);
	ck_assert_int_eq(rehearse_jobs_load(path, &jobs, &err), -1);
}
END_TEST

START_TEST(test_saved)
{
	struct rehearse_jobs jobs, copy;
	struct sp_error err;

	set_up();
	read_window(0, HUGE_VAL, 0, &jobs);
	ck_assert_int_eq(rehearse_jobs_save(path, &jobs, &err), 0);
	ck_assert_int_eq(rehearse_jobs_load(path, &copy, &err), 0);
	ck_assert_uint_eq(copy.count, jobs.count);
	ck_assert_uint_eq(copy.cpus, 10);
	ck_assert(isnan(copy.of[0].start_s));
	ck_assert_str_eq(copy.of[0].partition, jobs.of[0].partition);
	ck_assert_str_ne(copy.of[0].partition, "");
	rehearse_jobs_clear(&jobs);
	rehearse_jobs_clear(&copy);
	unlink(path);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_window_and_limits, test_jitter, test_groups, test_odd_jobs,
		test_refused,           test_saved,  NULL,
	};

	return suite_run("rehearse", tests);
}
