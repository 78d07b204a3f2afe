/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_easy.c - EASY backfilling, by hand and at random */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/scheduler/easy.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define JOBS_MAX 2000

static const struct easy_plan *told; /* NULL: the limit */
static const struct easy_job *jobs_now;

static int tell(void *context, size_t job, double now_s, struct easy_plan *ret,
		struct sp_error *err)
{
	(void)context;
	(void)err;
	ck_assert_double_eq(now_s, jobs_now[job].submitted_s);
	ret->order_s = told ? told[job].order_s : jobs_now[job].limit_s;
	ret->reserve_s = told ? told[job].reserve_s : jobs_now[job].limit_s;
	return 0;
}

static const struct easy_planner planner = { .submitted = tell };

static void simulate(const struct easy_rules *rules,
		     const struct easy_job *jobs, size_t count, double *started)
{
	struct sp_error err;

	jobs_now = jobs;
	ck_assert_int_eq(
		easy_simulate(rules, jobs, count, &planner, started, &err), 0);
}

START_TEST(test_backfills_what_does_not_delay_the_first)
{
	const struct easy_rules rules = { .cpus = 10 };
	const struct easy_job jobs[] = {
		{ .submitted_s = 0, .runtime_s = 100, .limit_s = 100, 6 },
		{ .submitted_s = 1, .runtime_s = 50, .limit_s = 50, 8 },
		{ .submitted_s = 2, .runtime_s = 9, .limit_s = 99, 4 },
		{ .submitted_s = 3, .runtime_s = 1000, .limit_s = 1000, 2 },
		{ .submitted_s = 4, .runtime_s = 96, .limit_s = 96, 1 },
	};
	double started[5];

	told = NULL;
	simulate(&rules, jobs, 5, started);
	ck_assert_double_eq(started[0], 0);
	ck_assert_double_eq(started[1], 100);
	ck_assert_double_eq(started[2], 150); /* would end at 101 */
	ck_assert_double_eq(started[3], 3);   /* in the two to spare */
	ck_assert_double_eq(started[4], 4);   /* ends just in time */
}
END_TEST

START_TEST(test_shortest_first)
{
	struct easy_rules rules = { .cpus = 10 };
	const struct easy_job jobs[] = {
		{ .submitted_s = 0, .runtime_s = 100, .limit_s = 100, 6 },
		{ .submitted_s = 0, .runtime_s = 10, .limit_s = 10, 4 },
		{ .submitted_s = 1, .runtime_s = 50, .limit_s = 50, 10 },
		{ .submitted_s = 2, .runtime_s = 80, .limit_s = 80, 4 },
		{ .submitted_s = 3, .runtime_s = 40, .limit_s = 40, 4 },
	};
	double started[5];

	told = NULL;
	simulate(&rules, jobs, 5, started);
	ck_assert_double_eq(started[3], 10);
	ck_assert_double_eq(started[4], 150);
	ck_assert_double_eq(started[2], 100);
	rules.shortest_first = true;
	simulate(&rules, jobs, 5, started);
	ck_assert_double_eq(started[3], 150);
	ck_assert_double_eq(started[4], 10);
	ck_assert_double_eq(started[2], 100);
}
END_TEST

/* By submission + 2 * length: the third is at 26, the second at 101. */
START_TEST(test_aged_order)
{
	struct easy_rules rules = { .cpus = 10, .aged = 2 };
	const struct easy_job jobs[] = {
		{ .submitted_s = 0, .runtime_s = 100, .limit_s = 100, 6 },
		{ .submitted_s = 1, .runtime_s = 50, .limit_s = 50, 10 },
		{ .submitted_s = 20, .runtime_s = 3, .limit_s = 3, 7 },
		{ .submitted_s = 96, .runtime_s = 5, .limit_s = 5, 10 },
	};
	double started[4];

	told = NULL;
	simulate(&rules, jobs, 4, started);
	ck_assert_double_eq(started[2], 100);
	ck_assert_double_eq(started[1],
			    103); /* at 101, before the last one's 106 */
	ck_assert_double_eq(started[3], 153);
	/* By the logarithm they count as 61.8, 5.0 and 8.2 s: the second is at
	 * 124.6, the last at 112.3. */
	rules.aged_most_s = 100;
	simulate(&rules, jobs, 4, started);
	ck_assert_double_eq(started[2], 100);
	ck_assert_double_eq(started[3], 103);
	ck_assert_double_eq(started[1], 108);
	rules.aged_most_s = 0;
	rules.aged = .01; /* hardly */
	simulate(&rules, jobs, 4, started);
	ck_assert_double_eq(started[1], 100);
	ck_assert_double_eq(started[2], 150);
}
END_TEST

START_TEST(test_corrects_a_plan_that_was_outlived)
{
	struct easy_rules rules = { .cpus = 10 };
	const struct easy_job jobs[] = {
		{ .submitted_s = 0, .runtime_s = 60, .limit_s = 100, 6 },
		{ .submitted_s = 1, .runtime_s = 5, .limit_s = 5, 8 },
		{ .submitted_s = 2, .runtime_s = 70, .limit_s = 70, 4 },
	};
	static const struct easy_plan plans[] = {
		{ 20, 20 },
		{ 5, 5 },
		{ 70, 70 },
	};
	double started[3];

	told = plans;
	/* To 100: the third fits before. */
	simulate(&rules, jobs, 3, started);
	ck_assert_double_eq(started[2], 20);
	ck_assert_double_eq(started[1], 90);
}
END_TEST

static void random_jobs(struct random *r, struct easy_job *jobs,
			struct easy_plan *plans, size_t count)
{
	double now_s = 0;

	for (size_t i = 0; i < count; i++) {
		double runtime_s = floor(exp(9 * random_unit(r)) - 1);

		now_s += (double)random_below(r, 700);
		jobs[i] = (struct easy_job){
			.submitted_s = now_s,
			.runtime_s = runtime_s,
			.limit_s = 1 + runtime_s * (1 + 3 * random_unit(r)),
			.cpus = 1 + (uint32_t)random_below(r, 37),
		};
		plans[i].order_s = exp(9 * random_unit(r));
		plans[i].reserve_s = exp(9 * random_unit(r));
	}
}

/* CPUs in use at the moment at which `job` started. */
static uint32_t used_when(const struct easy_job *jobs, const double *started,
			  size_t count, size_t job)
{
	double at_s = started[job];
	uint32_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (started[i] <= at_s && at_s < started[i] + jobs[i].runtime_s)
			used += jobs[i].cpus;
	return used;
}

START_TEST(test_never_more_cpus_than_there_are)
{
	struct random r = { 71 };
	static struct easy_job jobs[JOBS_MAX];
	static struct easy_plan plans[JOBS_MAX];
	static double started[JOBS_MAX];

	for (int round = 0; round < 8; round++) {
		struct easy_rules rules = { .cpus = 37,
					    .shortest_first = round & 1 };

		random_jobs(&r, jobs, plans, JOBS_MAX);
		told = round & 4 ? plans : NULL;
		simulate(&rules, jobs, JOBS_MAX, started);
		for (size_t i = 0; i < JOBS_MAX; i++) {
			ck_assert_double_ge(started[i], jobs[i].submitted_s);
			ck_assert_uint_le(used_when(jobs, started, JOBS_MAX, i),
					  37);
		}
	}
}
END_TEST

START_TEST(test_order_of_jobs_does_not_matter)
{
	struct random r = { 72 };
	struct easy_rules rules = { .cpus = 37, .shortest_first = true };
	static struct easy_job jobs[300], backwards[300];
	static struct easy_plan plans[300];
	double started[300], started_backwards[300];

	random_jobs(&r, jobs, plans, 300);
	for (int i = 0; i < 300; i++) {
		jobs[i].submitted_s += i; /* no two at a time */
		backwards[299 - i] = jobs[i];
	}
	told = NULL;
	simulate(&rules, jobs, 300, started);
	simulate(&rules, backwards, 300, started_backwards);
	for (int i = 0; i < 300; i++)
		ck_assert_double_eq(started[i], started_backwards[299 - i]);
}
END_TEST

START_TEST(test_refuses_impossible_jobs)
{
	const struct easy_rules rules = { .cpus = 10 };
	const struct easy_job good = { 3, 17, 20, 10 };
	struct easy_job bad[] = { good, good, good, good, good, good };
	struct sp_error err;
	double started;

	bad[0].cpus = 11;
	bad[1].cpus = 0;
	bad[2].runtime_s = NAN;
	bad[3].limit_s = NAN;
	bad[4].submitted_s = HUGE_VAL;
	bad[5].limit_s = 16;
	for (int i = 0; i < 6; i++) {
		started = -3.5;
		ck_assert_int_eq(easy_simulate(&rules, &bad[i], 1, &planner,
					       &started, &err),
				 -1);
		ck_assert_double_eq(started, -3.5);
	}
	told = NULL;
	simulate(&rules, &good, 1, &started);
	ck_assert_double_eq(started, 3);
	simulate(&rules, NULL, 0, NULL);
}
END_TEST

/* The second may go in front of the first, but not of the third where that has
 * a reservation, too. */
START_TEST(test_more_reservations)
{
	struct easy_rules rules = { .cpus = 4, .reservations = 3 };
	const struct easy_job jobs[] = {
		{ .submitted_s = 0,
		  .runtime_s = 100,
		  .limit_s = 100,
		  .cpus = 3 },
		{ .submitted_s = 1,
		  .runtime_s = 100,
		  .limit_s = 100,
		  .cpus = 4 },
		{ .submitted_s = 2, .runtime_s = 50, .limit_s = 50, .cpus = 3 },
		{ .submitted_s = 3, .runtime_s = 20, .limit_s = 20, .cpus = 1 },
		{ .submitted_s = 4, .runtime_s = 90, .limit_s = 90, .cpus = 1 },
		{ .submitted_s = 5, .runtime_s = 60, .limit_s = 60, .cpus = 1 },
	};
	double started[6];

	simulate(&rules, jobs, 6, started);
	ck_assert_double_eq(started[1], 100);
	ck_assert_double_eq(started[2], 200);
	ck_assert_double_eq(started[3], 3);
	/* Until 100 it would not end; beside the third there is room. */
	ck_assert_double_eq(started[4], 200);
	ck_assert_double_eq(started[5], 23);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_backfills_what_does_not_delay_the_first,
		test_shortest_first,
		test_aged_order,
		test_corrects_a_plan_that_was_outlived,
		test_never_more_cpus_than_there_are,
		test_order_of_jobs_does_not_matter,
		test_refuses_impossible_jobs,
		test_more_reservations,
		NULL,
	};

	return suite_run("easy", tests);
}
