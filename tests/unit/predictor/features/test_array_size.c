/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_array_size.c - how many tasks a job array has */
#include <check.h>

#include "predictor/features/array_size.h"
#include "tests/unit/suite.h"

START_TEST(test_arrays)
{
	ck_assert_int_eq(array_size("7"), 1);
	ck_assert_int_eq(array_size("0-15"), 16);
	ck_assert_int_eq(array_size("1,3,5-7"), 5);
	ck_assert_int_eq(array_size("0-99:5"), 20);
	ck_assert_int_eq(array_size("1-10:4"), 3);
	ck_assert_int_eq(array_size("1-1000%50"), 1000);
	ck_assert_int_eq(array_size("1-999999999"), 999999999);
}
END_TEST

START_TEST(test_no_arrays)
{
	static const char *const texts[] = {
		"",
		"-",
		"x",
		"1-",
		"5-3",
		"1-9:0",
		"1,",
		"1-4%",
		"1 2",
		"1-4x",
		"-3",
		"1-99999999999999999",
		"1--4",
		"1-4:x",
		"%5",
		"1%5%6",
		"0-999999999,0-999999999",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_msg(array_size(texts[i]) == 0, "%s", texts[i]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_arrays, test_no_arrays, NULL };

	return suite_run("array_size", tests);
}
