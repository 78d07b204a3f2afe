/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_moldable.c - on how many nodes a job should run */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "predictor/placement/moldable.h"
#include "tests/unit/suite.h"

static const struct moldable_goal by_index = { .aim = MOLDABLE_INDEX };
static const struct moldable_goal by_time = { .aim = MOLDABLE_TIME };
static const struct moldable_goal by_efficiency = { .aim = MOLDABLE_EFFICIENCY,
						    .efficiency = 0.7 };

/* T(n) = 10 + 90 / n + 2 n: least at sqrt(45) = 6.7; n T^2 at 3 (2: 8450, 3:
 * 6348, 4: 6561). */
static const struct placement_curve curve = { .from = 1,
					      .reach = 16,
					      .c_s = { 10, 90, 0, 2 } };

START_TEST(test_goals)
{
	static const struct {
		const char *text, *printed; /* NULL: refused */
		enum moldable_aim aim;
		double efficiency;
	} rows[] = {
		{ "index", "index", MOLDABLE_INDEX, 0 },
		{ "time", "time", MOLDABLE_TIME, 0 },
		{ "efficiency:0.7", "efficiency:0.7", MOLDABLE_EFFICIENCY,
		  0.7 },
		{ "efficiency:1", "efficiency:1", MOLDABLE_EFFICIENCY, 1 },
		{ "efficiency", NULL, 0, 0 },
		{ "efficiency:", NULL, 0, 0 },
		{ "efficiency:0", NULL, 0, 0 },
		{ "efficiency:1.01", NULL, 0, 0 },
		{ "efficiency:nan", NULL, 0, 0 },
		{ "Index", NULL, 0, 0 },
		{ "", NULL, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct moldable_goal goal = { .efficiency = 37 };
		char printed[MOLDABLE_GOAL_SIZE];
		struct sp_error err;
		int rc = moldable_goal_parse(rows[i].text, &goal, &err);

		ck_assert_int_eq(rc, rows[i].printed ? 0 : -1);
		if (rc) {
			ck_assert_double_eq(goal.efficiency, 37);
			ck_assert(err.text[0]);
			continue;
		}
		ck_assert_int_eq(goal.aim, rows[i].aim);
		ck_assert_double_eq(goal.efficiency, rows[i].efficiency);
		ck_assert_str_eq(moldable_goal_print(&goal, printed),
				 rows[i].printed);
	}
}
END_TEST

START_TEST(test_best)
{
	ck_assert_uint_eq(moldable_best(&curve, &by_index, NAN, 1, 8), 3);
	ck_assert_uint_eq(moldable_best(&curve, &by_time, NAN, 1, 16), 7);
	/* 102 / (2 T(2)) = 0.86, 102 / (3 * 46) = 0.74, 102 / (4 * 40.5)
	 * = .63 */
	ck_assert_uint_eq(moldable_best(&curve, &by_efficiency, NAN, 1, 16), 3);
	ck_assert_double_eq_tol(moldable_efficiency(&curve, 3), 102 / 138.0,
				1e-9);
	/* Within the job's range and the curve's reach. */
	ck_assert_uint_eq(moldable_best(&curve, &by_index, NAN, 5, 12), 5);
	ck_assert_uint_eq(moldable_best(&curve, &by_time, NAN, 2, 5), 5);
	ck_assert_uint_eq(moldable_best(&curve, &by_time, NAN, 0, 5), 5);
	ck_assert_uint_eq(moldable_best(&curve, &by_efficiency, NAN, 6, 9), 6);
	ck_assert_uint_eq(moldable_best(&curve, &by_time, NAN, 12, 99), 12);
	ck_assert_uint_eq(moldable_best(&curve, &by_time, NAN, 17, 99), 0);
	ck_assert_uint_eq(moldable_best(&curve, &by_time, NAN, 5, 4), 0);
}
END_TEST

/* The least of equally good numbers. */
START_TEST(test_flat)
{
	static const struct placement_curve flat = { .from = 2,
						     .reach = 8,
						     .c_s = { 30 } };

	ck_assert_uint_eq(moldable_best(&flat, &by_time, NAN, 2, 8), 2);
	ck_assert_uint_eq(moldable_best(&flat, &by_index, NAN, 3, 8), 3);
}
END_TEST

/* T: 102, 59, 46, 40.5, 38, 37, 36.9, 37.25 s.  A job that is killed at its
 * limit was on the wrong number. */
START_TEST(test_within_the_limit)
{
	static const struct {
		double limit_s;
		uint32_t best;
	} rows[] = {
		{ HUGE_VAL, 3 }, { 60, 3 }, { 55, 4 },
		{ 46, 5 },       { 10, 7 }, { 0, 7 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ck_assert_uint_eq(moldable_best(&curve, &by_index,
						rows[i].limit_s, 1, 16),
				  rows[i].best);
	ck_assert_uint_eq(moldable_best(&curve, &by_index, 10, 17, 20), 0);
}
END_TEST

START_TEST(test_large_ranges)
{
	struct placement_curve large = { .from = 1,
					 .reach = UINT32_MAX,
					 .c_s = { 1, 1e9f } };
	uint32_t best = moldable_best(&large, &by_time, NAN, 1, UINT32_MAX);

	ck_assert_uint_eq(best, 1u << 24);
	large.c_s[3] = 1e9f / (5e4f * 5e4f);
	best = moldable_best(&large, &by_time, NAN, 1, 200000);
	ck_assert_double_eq_tol(best, 5e4, 5e4 / 200);
	/* What no predictd sends. */
	large.from = 0;
	moldable_best(&large, &by_index, NAN, 1, 200000);
}
END_TEST

START_TEST(test_slowest)
{
	ck_assert_uint_eq(moldable_slowest(&curve, 1, 8), 1);
	ck_assert_uint_eq(moldable_slowest(&curve, 5, 16), 16);
	ck_assert_uint_eq(moldable_slowest(&curve, 0, 8), 1);
	ck_assert_uint_eq(moldable_slowest(&curve, 5, 17), 0);
	ck_assert_uint_eq(moldable_slowest(&curve, 5, 4), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_goals,   test_best,
		test_flat,    test_large_ranges,
		test_slowest, test_within_the_limit,
		NULL,
	};

	return suite_run("moldable", tests);
}
