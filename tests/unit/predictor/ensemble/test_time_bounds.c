/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_time_bounds.c - how long a run of a cluster can take at most */
#include <check.h>
#include <math.h>

#include "predictor/ensemble/time_bounds.h"
#include "tests/unit/suite.h"

static struct time_bounds bounds;
static struct query query;

static void begin(void)
{
	bounds = (struct time_bounds){ .count = 0 };
	query = (struct query){ .cluster_key = 7, .limit_s = 1000 };
}

static void end(void)
{
}

/* A run may go past its limit by a little: Slurm does not look all the time. */
START_TEST(test_enforced)
{
	ck_assert_double_eq(time_bounds_limit_s(&bounds, &query), 1000);
	for (int i = 0; i < 200; i++)
		time_bounds_note(&bounds, &query, 1110);
	ck_assert_double_eq(time_bounds_limit_s(&bounds, &query), 1000);
	/* One in twenty, the newer the heavier. */
	for (int i = 0; i < 51; i++)
		time_bounds_note(&bounds, &query, 1111);
	ck_assert_double_eq(time_bounds_limit_s(&bounds, &query), 1000);
	time_bounds_note(&bounds, &query, 1111);
	ck_assert_double_eq(time_bounds_limit_s(&bounds, &query), HUGE_VAL);
	for (int i = 0; i < 20; i++)
		time_bounds_note(&bounds, &query, 1110);
	ck_assert_double_eq(time_bounds_limit_s(&bounds, &query), 1000);
	/* By cluster. */
	for (int i = 0; i < 90; i++)
		time_bounds_note(&bounds, &query, 9999);
	query.cluster_key = 8;
	ck_assert_double_eq(time_bounds_limit_s(&bounds, &query), 1000);
	query.limit_s = NAN;
	ck_assert_double_eq(time_bounds_limit_s(&bounds, &query), HUGE_VAL);
	query.limit_s = 0;
	ck_assert_double_eq(time_bounds_limit_s(&bounds, &query), HUGE_VAL);
}
END_TEST

/* Jobs without a limit are never late. */
START_TEST(test_unlimited)
{
	query.limit_s = HUGE_VAL;
	for (int i = 0; i < 200; i++)
		time_bounds_note(&bounds, &query, 1e6);
	query.limit_s = 1000;
	ck_assert_double_eq(time_bounds_limit_s(&bounds, &query), 1000);
}
END_TEST

START_TEST(test_most)
{
	query.limit_s = NAN;
	ck_assert_double_eq(time_bounds_most_s(&bounds, &query), HUGE_VAL);
	query.limit_s = 1000;
	ck_assert_double_eq(time_bounds_most_s(&bounds, &query), 2500);
	time_bounds_note(&bounds, &query, 10);
	query.limit_s = NAN;
	ck_assert_double_eq(time_bounds_most_s(&bounds, &query), 2500);
	time_bounds_note(&bounds, &query, 2000);
	time_bounds_note(&bounds, &query, 20);
	ck_assert_double_eq(time_bounds_most_s(&bounds, &query), 5000);
	query.limit_s = HUGE_VAL;
	ck_assert_double_eq(time_bounds_most_s(&bounds, &query), 5000);
	query.limit_s = 3000;
	ck_assert_double_eq(time_bounds_most_s(&bounds, &query), 7500);
	query.cluster_key = 8;
	ck_assert_double_eq(time_bounds_most_s(&bounds, &query), 7500);
}
END_TEST

START_TEST(test_needy)
{
	ck_assert_double_eq(time_bounds_needy(&bounds, &query), 1);
	time_bounds_note_needy(&bounds, &query, 940);
	ck_assert_double_eq_tol(time_bounds_needy(&bounds, &query), 0.8, 1e-12);
	time_bounds_note_needy(&bounds, &query, 951);
	ck_assert_double_eq_tol(time_bounds_needy(&bounds, &query), 0.84,
				1e-12);
	query.limit_s = HUGE_VAL;
	time_bounds_note_needy(&bounds, &query, 5000);
	query.limit_s = NAN;
	time_bounds_note_needy(&bounds, &query, 5000);
	ck_assert_double_eq_tol(time_bounds_needy(&bounds, &query), 0.84,
				1e-12);
	query.cluster_key = 8;
	ck_assert_double_eq(time_bounds_needy(&bounds, &query), 1);
}
END_TEST

/* Clusters beyond those that are distinguished count as enforcing. */
START_TEST(test_many_clusters)
{
	for (uint64_t key = 1; key <= TIME_BOUNDS_CLUSTERS_MAX + 3; key++) {
		query.cluster_key = key;
		for (int i = 0; i < 90; i++)
			time_bounds_note(&bounds, &query, 9999);
		time_bounds_note_needy(&bounds, &query, 1);
		ck_assert_double_eq(time_bounds_limit_s(&bounds, &query),
				    key > TIME_BOUNDS_CLUSTERS_MAX ? 1000
								   : HUGE_VAL);
	}
	ck_assert_int_eq(bounds.count, TIME_BOUNDS_CLUSTERS_MAX);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_enforced,      test_unlimited,
				       test_most,          test_needy,
				       test_many_clusters, NULL };

	return suite_run_each("time_bounds", tests, begin, end);
}
