/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_error.c - one sentence that a person can act on */
#include <string.h>

#include "predictor/base/error.h"
#include "tests/unit/suite.h"

START_TEST(test_sets_and_cuts)
{
	struct sp_error err;
	char text[400];

	ck_assert_int_eq(sp_error_set(&err, "job %u: %s", 17, "no start"), -1);
	ck_assert_str_eq(err.text, "job 17: no start");
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(sp_error_set(&err, "%s", text), -1);
	ck_assert_uint_eq(strlen(err.text), sizeof(err.text) - 1);
	ck_assert_int_eq(sp_error_set(NULL, "%s", text), -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_sets_and_cuts, NULL };

	return suite_run("error", tests);
}
