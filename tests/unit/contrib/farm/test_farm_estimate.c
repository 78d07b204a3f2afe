/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_farm_estimate.c - a farm's parameters from what a master measures */
#include <math.h>

#include "contrib/farm/farm_estimate.h"
#include "tests/unit/suite.h"

START_TEST(test_nothing_seen_is_a_ratio_of_one)
{
	struct farm_estimate e;
	struct message_costs costs;
	double mu, sigma;

	ck_assert_int_eq(farm_estimate_init(&e, 3), 0);
	ck_assert(!farm_estimate_task(&e, &mu, &sigma));
	ck_assert_double_eq(mu, 1);
	ck_assert_double_eq(sigma, 1);
	farm_estimate_costs(&e, &costs);
	ck_assert_int_eq(costs.count, 1);
	ck_assert_double_gt(costs.classes[0].mo, 0);
	ck_assert(isinf(costs.classes[0].bytes_max));
	farm_estimate_clear(&e);
}
END_TEST

/* Two tasks of 2 and 4 s on one worker, of 20 and 40 on another. */
START_TEST(test_tasks_differ_between_workers_too)
{
	struct farm_estimate e;
	double mu, sigma;

	ck_assert_int_eq(farm_estimate_init(&e, 3), 0);
	farm_estimate_tasks(&e, 0, 2, 6, 20);
	farm_estimate_tasks(&e, 2, 2, 60, 2000);
	ck_assert(farm_estimate_task(&e, &mu, &sigma));
	ck_assert_double_eq_tol(mu, 16.5, 1e-12);
	ck_assert_double_eq_tol(sigma, sqrt((2020 - 66 * 16.5) / 3), 1e-12);
	ck_assert_double_eq_tol(farm_estimate_slowdown(&e, 2), 10, 1e-12);
	ck_assert_double_eq(farm_estimate_slowdown(&e, 1), 1);

	/* An iteration later, twice as much work of half the length. */
	farm_estimate_age(&e);
	farm_estimate_tasks(&e, 0, 8, 10, 12.5);
	farm_estimate_task(&e, &mu, &sigma);
	ck_assert_double_eq_tol(mu, (3 + 30 + 10) / 10.0, 1e-12);
	farm_estimate_clear(&e);
}
END_TEST

/* Tasks whose time grows with their number, an even share for each worker in
 * order: within a worker they hardly differ. */
START_TEST(test_rows_in_order)
{
	struct farm_estimate e;
	double mu, sigma, sum = 0, squares = 0;

	ck_assert_int_eq(farm_estimate_init(&e, 4), 0);
	for (int i = 1; i <= 200; i++) {
		sum += i * 1.3e-4;
		squares += i * 1.3e-4 * i * 1.3e-4;
		if (i % 50)
			continue;
		farm_estimate_tasks(&e, i / 50 - 1, 50, sum, squares);
		sum = squares = 0;
	}
	farm_estimate_task(&e, &mu, &sigma);
	ck_assert_double_eq_tol(mu, 100.5 * 1.3e-4, 1e-12);
	/* The variance of 1 to N is (N^2 - 1) / 12, times N / (N - 1). */
	ck_assert_double_eq_tol(sigma, 1.3e-4 * sqrt(200 * 201 / 12.), 1e-9);
	farm_estimate_clear(&e);
}
END_TEST

START_TEST(test_costs_are_lines_by_class)
{
	struct farm_estimate e;
	struct message_costs costs;

	ck_assert_int_eq(farm_estimate_init(&e, 1), 0);
	for (int i = 1; i < 50; i++) {
		double small = 733 * i, large = 7e4 + 9001 * i;

		farm_estimate_message(&e, (size_t)small, 3e-5 + 2e-9 * small,
				      i & 1);
		farm_estimate_message(&e, (size_t)large, 4e-4 + 7e-10 * large,
				      i & 1);
	}
	farm_estimate_costs(&e, &costs);
	ck_assert_int_eq(costs.count, 2);
	ck_assert_double_eq_tol(costs.classes[0].mo, 3e-5, 1e-9);
	ck_assert_double_eq_tol(costs.classes[0].k, 2e-9, 1e-13);
	ck_assert_double_eq_tol(costs.classes[1].mo, 4e-4, 1e-9);
	ck_assert_double_eq_tol(costs.classes[1].k, 7e-10, 1e-13);
	farm_estimate_clear(&e);
}
END_TEST

/* Equal messages show no k; cheaper long ones give none below 0. */
START_TEST(test_costs_are_never_negative)
{
	struct farm_estimate e;
	struct message_costs costs;

	ck_assert_int_eq(farm_estimate_init(&e, 1), 0);
	farm_estimate_message(&e, 100, 5e-5, true);
	farm_estimate_message(&e, 100, 7e-5, true);
	farm_estimate_costs(&e, &costs);
	ck_assert_double_eq_tol(costs.classes[0].mo, 6e-5, 1e-15);
	ck_assert_double_eq(costs.classes[0].k, 0);
	farm_estimate_message(&e, 1000, 1e-5, true);
	farm_estimate_costs(&e, &costs);
	ck_assert_double_ge(costs.classes[0].k, 0);
	/* A line that would begin below zero. */
	farm_estimate_message(&e, 60000, 1, true);
	farm_estimate_costs(&e, &costs);
	ck_assert_double_gt(costs.classes[0].mo, 0);
	ck_assert_double_gt(costs.classes[0].k, 0);
	farm_estimate_clear(&e);
}
END_TEST

START_TEST(test_bytes_are_of_a_whole_iteration)
{
	struct farm_estimate e;
	struct farm f;

	ck_assert_int_eq(farm_estimate_init(&e, 2), 0);
	farm_estimate_message(&e, 300, 1e-5, true);
	farm_estimate_message(&e, 100, 1e-5, false);
	farm_estimate_tasks(&e, 1, 5, 10, 21);
	farm_estimate_farm(&e, 50, &f);
	ck_assert_int_eq(f.M, 50);
	ck_assert_double_eq_tol(f.V, 4000, 1e-9);
	ck_assert_double_eq_tol(f.alpha, .75, 1e-12);
	ck_assert_double_eq_tol(f.mu, 2, 1e-12);
	ck_assert_double_eq_tol(f.sigma, .5, 1e-12);
	farm_estimate_clear(&e);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_nothing_seen_is_a_ratio_of_one,
				       test_tasks_differ_between_workers_too,
				       test_rows_in_order,
				       test_costs_are_lines_by_class,
				       test_costs_are_never_negative,
				       test_bytes_are_of_a_whole_iteration,
				       NULL };

	return suite_run("farm_estimate", tests);
}
