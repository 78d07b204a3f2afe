/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_access.c - which uid may do what */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/http/gate/access.h"

START_TEST(test_roles)
{
	struct access_lists access = { 0 };

	ck_assert_int_eq(access_list_add(&access.operators, 1001, NULL), 0);
	ck_assert_int_eq(access_list_add(&access.collectors, 1002, NULL), 0);

	static const struct {
		uid_t uid;
		bool operator_, collector;
	} expected[] = {
		{ 0, true, true },           { 1001, true, false },
		{ 1002, false, true },       { 1003, false, false },
		{ (uid_t)-1, false, false },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		uid_t uid = expected[i].uid;

		ck_assert(access_allows(&access, uid, ROLE_ANYBODY));
		ck_assert(access_allows(&access, uid, ROLE_USER));
		ck_assert_int_eq(access_allows(&access, uid, ROLE_OPERATOR),
				 expected[i].operator_);
		ck_assert_int_eq(access_allows(&access, uid, ROLE_COLLECTOR),
				 expected[i].collector);
	}
}
END_TEST

START_TEST(test_full_list_is_unchanged)
{
	struct access_list list = { 0 }, before;
	struct sp_error err;

	for (uid_t uid = 7; uid < 7 + ACCESS_UIDS_MAX; uid++) {
		ck_assert_int_eq(access_list_add(&list, uid, &err), 0);
		ck_assert_int_eq(access_list_add(&list, uid, &err), 0);
	}
	before = list;
	ck_assert_int_eq(access_list_add(&list, 6, &err), -1);
	ck_assert_int_eq(memcmp(&before, &list, sizeof(list)), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("access");
	TCase *tests = tcase_create("access");
	SRunner *runner = srunner_create(suite);

	tcase_add_test(tests, test_roles);
	tcase_add_test(tests, test_full_list_is_unchanged);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
