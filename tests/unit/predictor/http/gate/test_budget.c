/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_budget.c - what each user may use of the server */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

#include "predictor/http/gate/budget.h"

static const struct budget_limits limits = {
	.requests_per_s = 7,
	.predictions_per_s = 3,
	.bodies_kib = 5,
};

static int granted(struct budget *budget, uid_t uid, double now_s,
		   int predictions, int tries)
{
	int count = 0;

	for (int i = 0; i < tries; i++)
		count += budget_take(budget, uid, now_s, predictions, 0) ==
			 BUDGET_GRANTED;
	return count;
}

START_TEST(test_rates_are_each_users_own)
{
	struct budget *budget = budget_create(&limits);

	ck_assert_int_eq(granted(budget, 1001, 13.5, 0, 99),
			 7 * BUDGET_BURST_S);
	ck_assert_int_eq(granted(budget, 1002, 13.5, 1, 99),
			 3 * BUDGET_BURST_S);
	ck_assert_int_eq(budget_take(budget, 1001, 13.5, 0, 0),
			 BUDGET_REQUESTS);
	ck_assert_int_eq(granted(budget, 1001, 14.5, 0, 99), 7);
	/* A clock that stands still or goes back gives nothing. */
	ck_assert_int_eq(granted(budget, 1001, 2, 0, 99), 0);
	ck_assert_uint_eq(budget_count(budget, BUDGET_GRANTED), 35 + 15 + 7);
	budget_destroy(budget);
}
END_TEST

/* What took long is paid afterwards, at the rate of its share of a CPU. */
START_TEST(test_cpu_time)
{
	struct budget *budget = budget_create(&limits);

	ck_assert_int_eq(granted(budget, 1001, 13.5, 0, 1), 1);
	budget_charge(budget, 1001, BUDGET_CPU_BURST_S);
	budget_charge(budget, 1002, 17); /* it has no row */
	ck_assert_int_eq(granted(budget, 1001, 13.5, 0, 1), 1);
	budget_charge(budget, 1001, 3 * BUDGET_CPU_SHARE);
	ck_assert_int_eq(budget_take(budget, 1001, 16.4, 0, 0), BUDGET_CPU);
	ck_assert_int_eq(granted(budget, 1002, 16.4, 0, 1), 1);
	ck_assert_int_eq(granted(budget, 1001, 16.6, 0, 1), 1);
	budget_destroy(budget);
}
END_TEST

START_TEST(test_spent)
{
	struct budget *budget = budget_create(&limits);

	ck_assert(!budget_is_spent(budget, 1001, 13.5));
	granted(budget, 1001, 13.5, 0, 99);
	ck_assert(budget_is_spent(budget, 1001, 13.6));
	ck_assert(!budget_is_spent(budget, 1002, 13.6));
	ck_assert(!budget_is_spent(budget, 1001, 13.7));
	budget_destroy(budget);
}
END_TEST

START_TEST(test_bodies)
{
	struct budget *budget = budget_create(&limits);

	ck_assert_int_eq(budget_take(budget, 1001, 1, 0, 5 * 1024 - 1),
			 BUDGET_GRANTED);
	ck_assert_int_eq(budget_take(budget, 1001, 1, 0, 2), BUDGET_BODIES);
	ck_assert_int_eq(budget_take(budget, 1002, 1, 0, 5 * 1024),
			 BUDGET_GRANTED);
	budget_return(budget, 1001, 5 * 1024 - 1);
	ck_assert_int_eq(budget_take(budget, 1001, 1, 0, 5 * 1024),
			 BUDGET_GRANTED);
	ck_assert_int_eq(budget_take(budget, 1003, 1, 0, 5 * 1024 + 1),
			 BUDGET_BODIES);
	budget_destroy(budget);
	budget_destroy(NULL);
}
END_TEST

/* All users together leave room for others. */
START_TEST(test_bodies_of_all)
{
	struct budget_limits large = limits;
	struct budget *budget;
	int count = 0;

	large.bodies_kib = 1024;
	budget = budget_create(&large);
	for (uid_t uid = 1; uid < 100; uid++)
		count += budget_take(budget, uid, 1, 0, 1 << 20) ==
			 BUDGET_GRANTED;
	ck_assert_int_eq(count, BUDGET_ALL_BODIES >> 20);
	budget_destroy(budget);
}
END_TEST

/* More users than rows: a row with a body stays. */
START_TEST(test_many_users)
{
	struct budget *budget = budget_create(&limits);

	ck_assert_int_eq(budget_take(budget, 7, 0, 0, 5000), BUDGET_GRANTED);
	for (uid_t uid = 100; uid < 100 + 3 * BUDGET_CLIENTS_MAX; uid++)
		ck_assert_int_eq(budget_take(budget, uid, uid, 0, 0),
				 BUDGET_GRANTED);
	ck_assert_int_eq(budget_take(budget, 7, 9999, 0, 1000), BUDGET_BODIES);
	budget_return(budget, 7, 5000);
	ck_assert_int_eq(budget_take(budget, 7, 9999, 0, 1000), BUDGET_GRANTED);
	budget_destroy(budget);
}
END_TEST

static void *use_and_return(void *context)
{
	for (int i = 0; i < 2000; i++)
		if (budget_take(context, 1001, i, 1, 100) == BUDGET_GRANTED)
			budget_return(context, 1001, 100);
	return NULL;
}

START_TEST(test_threads)
{
	struct budget *budget = budget_create(&limits);
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, use_and_return, budget);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	ck_assert_int_eq(budget_take(budget, 1001, 9999, 1, 5 * 1024),
			 BUDGET_GRANTED);
	budget_destroy(budget);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget");
	TCase *tests = tcase_create("budget");
	SRunner *runner = srunner_create(suite);

	tcase_add_test(tests, test_rates_are_each_users_own);
	tcase_add_test(tests, test_cpu_time);
	tcase_add_test(tests, test_spent);
	tcase_add_test(tests, test_bodies);
	tcase_add_test(tests, test_bodies_of_all);
	tcase_add_test(tests, test_many_users);
	tcase_add_test(tests, test_threads);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
