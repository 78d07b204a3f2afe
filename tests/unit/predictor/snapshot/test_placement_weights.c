/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_placement_weights.c - the work of nodes as letters */
#include <math.h>
#include <string.h>

#include "predictor/snapshot/placement_weights.h"
#include "tests/unit/suite.h"

static const char *print(const struct placement_weights *weights)
{
	static char letters[PLACEMENT_WEIGHTS_SIZE];

	placement_weights_print(weights, letters);
	return letters;
}

/* Rounded up: 3.1 of 7.3 are 25.9 of 61. */
START_TEST(test_letters)
{
	static const double work[] = { 7.3, 3.1, 0, 7.25, 0.0001 };
	struct placement_weights weights, again;

	placement_weights_of(work, 5, &weights);
	ck_assert_uint_eq(weights.count, 5);
	ck_assert_uint_eq(weights.of[0], PLACEMENT_WEIGHT_ONE);
	ck_assert_uint_eq(weights.of[1], 26);
	ck_assert_str_eq(print(&weights), "zQ0z1");
	ck_assert_int_eq(placement_weights_parse("zQ0z1", 5, &again), 0);
	ck_assert_uint_eq(again.count, 5);
	ck_assert_mem_eq(again.of, weights.of, 5);
}
END_TEST

static uint32_t count_of(const double work[], uint32_t count)
{
	struct placement_weights weights = { .count = 9 };

	placement_weights_of(work, count, &weights);
	ck_assert_str_eq(print(&weights), weights.count ? print(&weights) : "");
	return weights.count;
}

/* Alike, one node, too many, nothing, or not numbers. */
START_TEST(test_none)
{
	static const double alike[] = { 17.3, 16.6, 17 };
	static const double unequal[] = { 17.3, 16.3, 17 };
	static const double idle[] = { 0, 0 };
	static const double infinite[] = { INFINITY, 3 };
	double many[PLACEMENT_WEIGHTS_MAX + 1] = { 3.7 };

	ck_assert_uint_eq(count_of(alike, 3), 0);
	ck_assert_uint_eq(count_of(unequal, 3), 3);
	ck_assert_uint_eq(count_of(unequal, 1), 0);
	ck_assert_uint_eq(count_of(unequal, 0), 0);
	ck_assert_uint_eq(count_of(idle, 2), 0);
	ck_assert_uint_eq(count_of(infinite, 2), 0);
	ck_assert_uint_eq(count_of(many, PLACEMENT_WEIGHTS_MAX),
			  PLACEMENT_WEIGHTS_MAX);
	ck_assert_uint_eq(count_of(many, PLACEMENT_WEIGHTS_MAX + 1), 0);
}
END_TEST

START_TEST(test_refused)
{
	static const struct {
		const char *letters;
		uint32_t count;
	} wrong[] = {
		{ "", 0 },      { "z", 1 },  { "zA", 3 }, { "zAB", 2 },
		{ "Az", 1 },    { "y7", 2 }, { "z-", 2 }, { "z ", 2 },
		{ "z\x81", 2 }, { "00", 2 }, { "z[", 2 }, { "z", 0 },
	};
	struct placement_weights weights = { .count = 2, .of = { 61, 13 } };
	char many[PLACEMENT_WEIGHTS_MAX + 2];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ck_assert_int_eq(placement_weights_parse(wrong[i].letters,
							 wrong[i].count,
							 &weights),
				 -1);
	memset(many, 'z', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	ck_assert_int_eq(placement_weights_parse(
				 many, PLACEMENT_WEIGHTS_MAX + 1, &weights),
			 -1);
	ck_assert_uint_eq(weights.count, 2);
	ck_assert_uint_eq(weights.of[1], 13);
	ck_assert_int_eq(placement_weights_parse(
				 many + 1, PLACEMENT_WEIGHTS_MAX, &weights),
			 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_letters, test_none, test_refused,
				       NULL };

	return suite_run("placement_weights", tests);
}
