/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_start_times.c - starts of a queue: what follows, and what may */
#include <math.h>
#include <stdlib.h>

#include "predictor/scheduler/start_times.h"
#include "tests/unit/suite.h"

#define BUDGET_S 30.0

static const struct start_rules rules = { .cpus = 4, .reservations = 50 };
static struct start_time times[16];
static struct start_gaps gaps; /* of the last simulate() */
static struct sp_error err;

static struct start_job job(uint32_t cpus, bool running, double limit_s,
			    double from_s, double to_s)
{
	struct start_job j = { .cpus = cpus,
			       .running = running,
			       .limit_s = limit_s };

	for (int i = 0; i < START_LEVELS; i++)
		j.left_s[i] =
			from_s + (to_s - from_s) * (i + .5) / START_LEVELS;
	return j;
}

static int simulate(const struct start_job *jobs, size_t count)
{
	int draws = 400;

	ck_assert_int_eq(start_times(&rules, jobs, count, BUDGET_S, 7, &draws,
				     times, &gaps, &err),
			 0);
	return draws;
}

START_TEST(test_certain)
{
	const struct start_job jobs[] = {
		job(4, true, 1000, 100, 100),  job(3, false, 500, 200, 200),
		job(2, false, 1000, 50, 50),   job(1, false, 100, 10, 10),
		job(5, false, 1000, 100, 100),
	};

	ck_assert_int_eq(simulate(jobs, 5), 400);
	ck_assert_double_eq(times[0].median_s, 0);
	ck_assert_double_eq_tol(times[1].median_s, 100, 1e-9);
	ck_assert_double_eq_tol(times[2].low_s, 300, 1e-9);
	ck_assert_double_eq_tol(times[2].high_s, 300, 1e-9);
	/* It goes in front, into what is left beside the second. */
	ck_assert_double_eq_tol(times[3].median_s, 100, 1e-9);
	ck_assert(isnan(times[4].low_s) && isnan(times[4].median_s) &&
		  isnan(times[4].high_s));
}
END_TEST

START_TEST(test_interval_follows_the_run_time)
{
	const struct start_job jobs[] = { job(4, true, 1000, 100, 300),
					  job(4, false, 1000, 10, 10) };

	simulate(jobs, 2);
	ck_assert_double_eq_tol(times[1].low_s, 120, 10);
	ck_assert_double_eq_tol(times[1].median_s, 200, 12);
	ck_assert_double_eq_tol(times[1].high_s, 280, 10);
}
END_TEST

START_TEST(test_unknown_run_times)
{
	struct start_job jobs[] = { job(4, true, 1000, NAN, NAN),
				    job(4, false, 1000, NAN, NAN),
				    job(4, false, HUGE_VAL, NAN, NAN) };

	jobs[1].begin_s = 5000;
	simulate(jobs, 3);
	/* The third does not wait for one that may not begin. */
	ck_assert_double_eq_tol(times[2].median_s, 500, 80);
	ck_assert(times[2].high_s <= 1000);
	ck_assert(times[1].low_s >= 5000);
}
END_TEST

START_TEST(test_a_job_that_outlives_its_limit)
{
	const struct start_job jobs[] = { job(4, true, -20, 3000, 4000),
					  job(1, false, 60, 1, 2) };

	simulate(jobs, 2);
	ck_assert_double_le(times[1].high_s, 2);
}
END_TEST

START_TEST(test_more_runs_than_there_are_cpus)
{
	const struct start_job jobs[] = { job(4, true, 60, 10, 10),
					  job(4, true, 60, 20, 20),
					  job(4, false, 60, 1, 1),
					  job(6, false, 60, 1, 1) };

	simulate(jobs, 4);
	ck_assert_double_eq_tol(times[2].median_s, 10, 1e-9);
	ck_assert_double_eq_tol(times[3].median_s, 20, 1e-9);
}
END_TEST

/* Return the start of one more job, which is certain; NAN: never. */
static double gap_of(int turn, double after_s, uint32_t cpus, double limit_s)
{
	struct start_time start;

	if (start_gaps_find(&gaps, turn, after_s, cpus, limit_s, &start))
		return NAN;
	ck_assert_double_eq(start.low_s, start.high_s);
	return start.median_s;
}

/* 0 to 100: 1 CPU is free; to 300: 0; to 350: 2; to the end: 4. */
START_TEST(test_gaps)
{
	const struct start_job jobs[] = { job(3, true, 1000, 100, 100),
					  job(4, false, 500, 200, 200),
					  job(2, false, 1000, 50, 50) };

	simulate(jobs, 3);
	ck_assert_int_eq(gaps.draws, START_KEPT);
	ck_assert_uint_eq(gaps.behind[0], 1);
	ck_assert_uint_eq(gaps.behind[START_TURNS - 1], 3);
	ck_assert_double_eq(gap_of(3, 0, 1, 80), 0);
	/* Time is in cells: what begins in one waits for its end. */
	ck_assert_double_eq_tol(gap_of(3, 0, 1, 110), 300, 20);
	ck_assert_double_ge(gap_of(3, 0, 1, 110), 300);
	ck_assert_double_eq_tol(gap_of(3, 0, 3, 10), 350, 20);
	ck_assert_double_ge(gap_of(3, 0, 3, 10), 350);
	ck_assert_double_eq_tol(gap_of(3, 0, 4, HUGE_VAL), 350, 20);
	ck_assert(isnan(gap_of(3, 0, 5, 10)));
	/* Not before now, and in time for the next. */
	ck_assert_double_eq(gap_of(3, 50, 1, 20), 50);
	ck_assert_double_ge(gap_of(3, 50, 1, 80), 300);
	ck_assert_double_eq(gap_of(3, 5000, 1, 80), 5000);
	/* Before all that wait. */
	ck_assert_double_eq_tol(gap_of(0, 0, 4, 1000), 100, 8);
	ck_assert_double_ge(gap_of(0, 0, 4, 1000), 100);
}
END_TEST

START_TEST(test_gaps_that_nobody_has)
{
	const struct start_job jobs[] = { job(4, true, HUGE_VAL, 1e9, 1e9) };

	simulate(jobs, 1);
	ck_assert(isnan(gap_of(3, 0, 1, 10)));
	simulate(jobs, 0);
	ck_assert_double_eq(gap_of(0, 0, 4, HUGE_VAL), 0);
}
END_TEST

START_TEST(test_a_budget)
{
	struct start_job jobs[16];
	int draws = 100000;

	for (int i = 0; i < 16; i++)
		jobs[i] = job(4, i == 0, 1000, 100, 300);
	ck_assert_int_eq(
		start_times(&rules, jobs, 16, 0, 7, &draws, times, NULL, &err),
		0);
	ck_assert_int_eq(draws, 1);
	ck_assert(times[15].median_s > 1500);
}
END_TEST

START_TEST(test_nothing)
{
	int draws = 10;

	ck_assert_int_eq(start_times(&rules, NULL, 0, BUDGET_S, 7, &draws,
				     times, NULL, &err),
			 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_certain,
		test_interval_follows_the_run_time,
		test_unknown_run_times,
		test_a_job_that_outlives_its_limit,
		test_more_runs_than_there_are_cpus,
		test_gaps,
		test_gaps_that_nobody_has,
		test_a_budget,
		test_nothing,
		NULL,
	};

	return suite_run("start_times", tests);
}
