/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_accuracy.c - how right each model has been, user by user */
#include <check.h>

#include "predictor/engine/accuracy.h"
#include "tests/unit/suite.h"

static void expect(const struct accuracy *a, int model, uint32_t user,
		   uint32_t runs, uint32_t covered, double error_s,
		   double actual_s)
{
	struct accuracy_sums sums;

	accuracy_sum(a, model, user, &sums);
	ck_assert_uint_eq(sums.runs, runs);
	ck_assert_uint_eq(sums.covered, covered);
	ck_assert_double_eq(sums.error_s, error_s);
	ck_assert_double_eq(sums.actual_s, actual_s);
}

START_TEST(test_sums)
{
	struct accuracy *a = accuracy_create();

	expect(a, 0, UINT32_MAX, 0, 0, 0, 0);
	ck_assert_int_eq(accuracy_note(a, 0, 1000, 10, false, 13), 0);
	ck_assert_int_eq(accuracy_note(a, 0, 1000, 30, false, 20), 0);
	ck_assert_int_eq(accuracy_note(a, 2, 1000, 5, false, 6), 0);
	ck_assert_int_eq(accuracy_note(a, ACCURACY_CHOSEN, 1000, 12, true, 13),
			 0);
	ck_assert_int_eq(accuracy_note(a, ACCURACY_CHOSEN, 1001, 9, true, 16),
			 0);
	ck_assert_int_eq(accuracy_note(a, ACCURACY_CHOSEN, 1001, 9, false, 19),
			 0);
	expect(a, 0, 1000, 2, 0, 13, 33);
	expect(a, 1, 1000, 0, 0, 0, 0);
	expect(a, 2, 1000, 1, 0, 1, 6);
	expect(a, ACCURACY_CHOSEN, 1000, 1, 1, 1, 13);
	expect(a, ACCURACY_CHOSEN, 1001, 2, 1, 17, 35);
	expect(a, 0, 1001, 0, 0, 0, 0);
	expect(a, 0, 7, 0, 0, 0, 0);
	expect(a, ACCURACY_CHOSEN, UINT32_MAX, 3, 2, 18, 48);
	accuracy_destroy(a);
	accuracy_destroy(NULL);
}
END_TEST

START_TEST(test_many_users)
{
	struct accuracy *a = accuracy_create();

	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t user = 0; user < 500; user++)
			ck_assert_int_eq(
				accuracy_note(a, 1, user, 10, false, 10 + user),
				0);
	for (uint32_t user = 0; user < 500; user++)
		expect(a, 1, user, 2, 0, 2 * user, 20 + 2 * user);
	expect(a, 1, UINT32_MAX, 1000, 0, 499 * 500, 10000 + 499 * 500);
	accuracy_destroy(a);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_sums, test_many_users, NULL };

	return suite_run("accuracy", tests);
}
