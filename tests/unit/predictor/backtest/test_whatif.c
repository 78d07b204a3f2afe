/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_whatif.c - schedules of a world that never was */
#include <math.h>
#include <string.h>

#include "predictor/backtest/whatif.h"
#include "tests/unit/predictor/backtest/past.h"
#include "tests/unit/suite.h"

#define JOBS 500

static struct past_job jobs[JOBS];

static struct whatif_measures run(const struct whatif_world *world,
				  const char *name)
{
	const struct whatif_row *row = whatif_rows;
	struct whatif_measures m;
	struct sp_error err;

	while (row->name && strcmp(row->name, name) != 0)
		row++;
	ck_assert_ptr_nonnull(row->name);
	ck_assert_int_eq(whatif_run(world, row, &m, &err), 0);
	return m;
}

static bool equal(const struct whatif_measures *a,
		  const struct whatif_measures *b)
{
	return a->wait_s == b->wait_s && a->slowdown == b->slowdown;
}

START_TEST(test_by_hand)
{
	static const struct application none;
	struct past_job two[2] = {
		{ .subject = { .cpus = 30,
			       .limit_s = 3000,
			       .submitted_at_s = 100 },
		  .outcome = { .started_at_s = 700, .ended_at_s = 900 } },
		{ .subject = { .cpus = 5,
			       .limit_s = 60,
			       .submitted_at_s = 150 },
		  .outcome = { .started_at_s = 800, .ended_at_s = 880 } },
	};
	const struct whatif_world world = { two, 2, .cpus = 20 };
	struct whatif_odd odd;

	two[0].subject.application = two[1].subject.application = &none;
	ck_assert_uint_eq(whatif_peak_cpus(two, 2), 35);
	ck_assert_uint_eq(whatif_peak_cpus(two, 0), 0);
	odd = whatif_odd_jobs(two, 2, 20);
	ck_assert_uint_eq(odd.wide, 1);
	ck_assert_uint_eq(odd.no_limit, 0);
	ck_assert_uint_eq(odd.instant, 0);
	two[0].subject.limit_s = HUGE_VAL;
	two[1].outcome.ended_at_s = 800;
	odd = whatif_odd_jobs(two, 2, 35);
	ck_assert_uint_eq(odd.wide, 0);
	ck_assert_uint_eq(odd.no_limit, 1);
	ck_assert_uint_eq(odd.instant, 1);
	two[0].subject.limit_s = 3000;
	two[1].outcome.ended_at_s = 880;

	/* The first gets all CPUs, from 100 to 300; the second runs from 300
	 * to 360, when its limit ends it. */
	struct whatif_measures m = run(&world, "easy");

	ck_assert_double_eq_tol(m.wait_s, 75, 1e-9);
	ck_assert_double_eq_tol(m.slowdown, (1 + 210. / 60) / 2, 1e-9);
	ck_assert_double_eq_tol(m.longest_s, 150, 1e-9);
	ck_assert_double_eq_tol(m.area_s, 150 * 300. / 4300, 1e-9);
	ck_assert_double_eq_tol(m.utilisation,
				(200 * 20 + 60 * 5) / (260. * 20), 1e-9);
	ck_assert_double_eq_tol(m.killed, .5, 1e-9);
	ck_assert_double_eq_tol(m.outlived, 0, 1e-9);
}
END_TEST

START_TEST(test_every_way_of_planning)
{
	struct random r = { 12 };
	struct whatif_world world = { jobs, JOBS, .cpus = 14 };

	past_make(&r, jobs, JOBS);

	struct whatif_measures easy = run(&world, "easy");
	struct whatif_measures best = run(&world, "clairvoyant_sjbf");

	ck_assert_double_lt(best.slowdown, easy.slowdown);
	for (const struct whatif_row *row = whatif_rows; row->name; row++) {
		struct whatif_measures m = run(&world, row->name);
		struct whatif_measures again = run(&world, row->name);

		ck_assert(equal(&m, &again));
		ck_assert_double_ge(m.slowdown, 1);
		ck_assert_double_gt(m.utilisation, .2);
		ck_assert_double_le(m.utilisation, 1);
		if (row->source == WHATIF_ACTUAL)
			ck_assert_double_eq(m.outlived, 0);
		if (row->source == WHATIF_PREDICTED && row->reserve_p > 0)
			ck_assert_double_gt(m.outlived, .05);
	}
}
END_TEST

START_TEST(test_jitter)
{
	struct random r = { 13 };
	struct whatif_world world = { jobs, JOBS, .cpus = 14 };

	past_make(&r, jobs, JOBS);

	struct whatif_measures as_is = run(&world, "engine");

	world.seed = 1;
	world.jitter_s = 60;

	struct whatif_measures one = run(&world, "engine");
	struct whatif_measures one_again = run(&world, "engine");

	world.seed = 2;

	struct whatif_measures other = run(&world, "engine");

	ck_assert(equal(&one, &one_again));
	ck_assert(!equal(&one, &other));
	ck_assert(!equal(&one, &as_is));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_by_hand,
		test_every_way_of_planning,
		test_jitter,
		NULL,
	};

	return suite_run("whatif", tests);
}
