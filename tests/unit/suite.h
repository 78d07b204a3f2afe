/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suite.h - the main() of a unit test
 *
 *	int main(void)
 *	{
 *		const TTest *const tests[] = { test_a, test_b, NULL };
 *
 *		return suite_run("duration", tests);
 *	}
 */
#pragma once

#include <check.h>

/* Check notes the place of each check that passes, in a file, to say after
 * which one a program crashed.  The sanitizers print a stack; tests that check
 * in loops spent most of their time on notes. */
#define _mark_point(file, line) ((void)0)

/* Run the tests, each between `set_up` and `tear_down` (NULL: nothing); gives
 * main()'s exit status.  `tests` ends with NULL. */
static inline int suite_run_each(const char *name, const TTest *const tests[],
				 SFun set_up, SFun tear_down)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner = srunner_create(suite);

	/* Sanitizers on a busy machine are slow; a hang is still found. */
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	for (int i = 0; tests[i]; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);

	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed != 0;
}

static inline int suite_run(const char *name, const TTest *const tests[])
{
	return suite_run_each(name, tests, NULL, NULL);
}
