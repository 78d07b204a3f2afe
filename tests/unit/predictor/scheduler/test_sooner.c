/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sooner.c - what a change gains a waiting job */
#include <math.h>

#include "predictor/scheduler/sooner.h"
#include "tests/unit/suite.h"

static struct start_job jobs[3];
static struct sooner_pool pool;
static struct sooner found;
static struct sp_error err;
static int left; /* draws that there is time for */

static struct start_job job(uint32_t cpus, bool running, double limit_s,
			    double left_s)
{
	struct start_job j = { .cpus = cpus,
			       .running = running,
			       .limit_s = limit_s };

	for (int i = 0; i < START_LEVELS; i++)
		j.left_s[i] = left_s;
	return j;
}

/* One of three CPUs is free until the second job starts. */
static void set_up(void)
{
	jobs[0] = job(2, true, 7000, 7000);
	jobs[1] = job(3, false, 5000, 5000);
	jobs[2] = job(1, false, 9000, 300);
	pool = (struct sooner_pool){ .rules = { 3, 50 },
				     .count = 3,
				     .which = 2,
				     .jobs = jobs,
				     .now_s = 12345.5 };
	left = 1000;
}

static bool stops(void *argument)
{
	ck_assert_ptr_eq(argument, &left);
	return left-- == 0;
}

/* With that limit; beside it, with half of the CPUs, if it runs longer_s longer
 * then. */
static void find_both(double limit_s, double longer_s)
{
	struct sooner_change changes[SOONER_CHANGES] = {
		{ jobs[2], 0 }, { jobs[2], longer_s }
	};

	changes[0].job.limit_s = limit_s;
	changes[1].job.cpus /= 2;
	ck_assert_int_eq(sooner_find(&pool, changes, isnan(longer_s) ? 1 : 2,
				     stops, &left, &found, &err),
			 0);
	ck_assert_mem_eq(&jobs[2].left_s, &changes[1].job.left_s,
			 sizeof(jobs[2].left_s));
}

static void find(double limit_s)
{
	find_both(limit_s, NAN);
}

START_TEST(test_it_fits)
{
	set_up();
	find(6900);
	ck_assert_double_eq_tol(found.wait_s, 12000, 1e-6);
	ck_assert_double_eq_tol(found.gain_s[0], 12000, 1e-6);
	ck_assert(found.worth);
	ck_assert_double_eq(jobs[2].limit_s, 9000);
}
END_TEST

START_TEST(test_it_does_not_fit)
{
	set_up();
	find(7100);
	ck_assert_double_eq_tol(found.wait_s, 12000, 1e-6);
	ck_assert_double_eq_tol(found.gain_s[0], 0, 1e-6);
	ck_assert(!found.worth);
}
END_TEST

START_TEST(test_it_is_no_shorter)
{
	set_up();
	find(9000);
	ck_assert_double_eq(found.gain_s[0], 0);
	find(HUGE_VAL);
	ck_assert(found.gain_s[0] == 0 && !found.worth);
}
END_TEST

START_TEST(test_it_never_starts)
{
	set_up();
	jobs[2].cpus = 4;
	find(60);
	ck_assert(!found.worth);
}
END_TEST

/* A few draws say how long it waits, but not what would be gained. */
START_TEST(test_there_is_no_time)
{
	set_up();
	left = 0;
	find(6900);
	ck_assert(isnan(found.wait_s) && found.gain_s[0] == 0 && !found.worth);
	left = SOONER_DRAWS_LEAST - 1;
	find(6900);
	ck_assert_double_eq_tol(found.wait_s, 12000, 1e-6);
	ck_assert(found.gain_s[0] == 0 && !found.worth);
	left = SOONER_DRAWS_LEAST;
	find(6900);
	ck_assert_double_eq_tol(found.gain_s[0], 12000, 1e-6);
	ck_assert(found.worth);
}
END_TEST

/* Without a change it waits for the second job, too; with one CPU it starts at
 * once, though it ends later. */
START_TEST(test_half_of_it)
{
	set_up();
	jobs[2].cpus = 2;
	find_both(9000, 700);
	ck_assert_double_eq_tol(found.wait_s, 12000, 1e-6);
	ck_assert_double_eq_tol(found.gain_s[0], 0, 1e-6);
	ck_assert(!found.worth);
	/* Its limit still does not let it fit before the second. */
	ck_assert_double_eq_tol(found.gain_s[1], -700, 1e-6);
	jobs[2].limit_s = 6000;
	find_both(6000, 700);
	ck_assert_double_eq_tol(found.gain_s[0], 0, 1e-6);
	ck_assert_double_eq_tol(found.gain_s[1], 11300, 1e-6);
	ck_assert_uint_eq(jobs[2].cpus, 2);
	left = SOONER_DRAWS_LEAST - 1;
	find_both(6000, 700);
	ck_assert_double_eq(found.gain_s[1], 0);
}
END_TEST

START_TEST(test_what_is_worth_it)
{
	ck_assert(sooner_is_worth(2900, 601));
	ck_assert(!sooner_is_worth(2900, 579));
	ck_assert(!sooner_is_worth(3100, 619));
	ck_assert(!sooner_is_worth(700, 599));
	ck_assert(!sooner_is_worth(NAN, 5000) && !sooner_is_worth(5000, NAN));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_it_fits,          test_it_does_not_fit,
		test_it_is_no_shorter, test_it_never_starts,
		test_there_is_no_time, test_half_of_it,
		test_what_is_worth_it, NULL,
	};

	return suite_run("sooner", tests);
}
