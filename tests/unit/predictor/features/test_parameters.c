/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_parameters.c - the numbers that a user gave to an application */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/parameters.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

START_TEST(test_stays_sorted)
{
	struct parameters set = { 0 };

	ck_assert_int_eq(parameters_set(&set, "steps", 100, NULL), 0);
	ck_assert_int_eq(parameters_set(&set, "n", 8000, NULL), 0);
	ck_assert_int_eq(parameters_set(&set, "_x.y-z", -0.5, NULL), 0);
	ck_assert_int_eq(parameters_set(&set, "9", 9, NULL), 0);
	ck_assert_int_eq(parameters_set(&set, "n", 4000, NULL), 0);
	ck_assert_int_eq(set.count, 4);
	ck_assert_str_eq(set.of[0].name, "9");
	ck_assert_str_eq(set.of[1].name, "_x.y-z");
	ck_assert_str_eq(set.of[2].name, "n");
	ck_assert_str_eq(set.of[3].name, "steps");
	ck_assert_double_eq(*parameters_get(&set, "n"), 4000);
	ck_assert_ptr_null(parameters_get(&set, "m"));
	ck_assert_ptr_null(parameters_get(&set, ""));
}
END_TEST

START_TEST(test_refuses_and_stays)
{
	static const char *const names[] = { "",         ".a",    "-a",
					     "a b",      "a=b",   "a/b",
					     "\xc3\xbc", "a\xc3", "a\n" };
	struct parameters set = { 0 }, before;
	struct sp_error err;

	parameters_set(&set, "n", 1, NULL);
	before = set;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ck_assert_int_eq(parameters_set(&set, names[i], 1, &err), -1);
	ck_assert_int_eq(parameters_set(&set, "n", NAN, &err), -1);
	ck_assert_int_eq(parameters_set(&set, "m", HUGE_VAL, &err), -1);
	ck_assert_int_eq(parameters_set(&set, "m", -HUGE_VAL, &err), -1);
	ck_assert_mem_eq(&set, &before, sizeof(set));
}
END_TEST

START_TEST(test_full_set)
{
	struct parameters set = { 0 };
	char name[PARAMETER_NAME_SIZE];

	for (int i = 0; i < PARAMETERS_MAX; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		ck_assert_int_eq(parameters_set(&set, name, i, NULL), 0);
	}
	ck_assert_int_eq(parameters_set(&set, "a", 1, NULL), -1);
	ck_assert_int_eq(set.count, PARAMETERS_MAX);
	ck_assert_int_eq(parameters_set(&set, "p7", 70, NULL), 0);
	ck_assert_double_eq(*parameters_get(&set, "p7"), 70);
}
END_TEST

START_TEST(test_long_names_are_cut)
{
	struct parameters set = { 0 };
	char name[100];

	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(parameters_set(&set, name, 1, NULL), 0);
	ck_assert_uint_eq(strlen(set.of[0].name), PARAMETER_NAME_SIZE - 1);
	/* The same after the cut: the same parameter. */
	name[50] = '\0';
	ck_assert_int_eq(parameters_set(&set, name, 2, NULL), 0);
	ck_assert_int_eq(set.count, 1);
}
END_TEST

START_TEST(test_alike_whatever_the_order)
{
	struct random r = { 5 };

	for (int round = 0; round < 1000; round++) {
		struct parameters a = { 0 }, b = { 0 };
		unsigned names = (unsigned)random_below(&r, 1 << 10);
		char name[] = "a";

		for (int i = 0; i < 10; i++) {
			name[0] = (char)('a' + i);
			if (names >> i & 1)
				parameters_set(&a, name, i, NULL);
			name[0] = (char)('a' + 9 - i);
			if (names >> (9 - i) & 1)
				parameters_set(&b, name, -i, NULL);
		}
		ck_assert(parameters_alike(&a, &b));
		/* They have i and i - 9 under one name, which never agree. */
		ck_assert_int_eq(parameters_equal(&a, &b), !names);
		ck_assert(parameters_equal(&a, &a));
		if (!a.count)
			continue;
		b.of[random_below(&r, (uint64_t)b.count)].name[0] = 'z';
		ck_assert(!parameters_alike(&a, &b));
		b.count--;
		ck_assert(!parameters_alike(&a, &b));
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_stays_sorted,
		test_refuses_and_stays,
		test_full_set,
		test_long_names_are_cut,
		test_alike_whatever_the_order,
		NULL,
	};

	return suite_run("parameters", tests);
}
