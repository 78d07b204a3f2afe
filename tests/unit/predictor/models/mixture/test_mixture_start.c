/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_mixture_start.c - what the mixture learned elsewhere, to begin with */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/mixture/mixture_start.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define HEADER "slurm-predict start tables 1\n"

static struct mixture_start start, again;
static struct mixture_tables tables;

static void learn_at_random(uint64_t seed, struct mixture_tables *ret)
{
	struct random r = { seed };

	mixture_tables_start(ret);
	for (int i = 1; i < MIXTURE_ENTRIES; i++) {
		ret->theta[i] += (float)(4 * random_unit(&r) - 2);
		ret->S[i] = (float)(50 * random_unit(&r));
	}
}

static int parse(const char *text, struct sp_error *err)
{
	return mixture_start_parse(text, strlen(text), &start, err);
}

START_TEST(test_text_and_back)
{
	size_t size;
	char *text;

	learn_at_random(7, &tables);
	mixture_start_of(&tables, &start);
	text = mixture_start_print(&start, &size);
	ck_assert_uint_eq(strlen(text), size);
	ck_assert_uint_lt(size, MIXTURE_START_BYTES_MAX / 4);
	ck_assert_int_eq(mixture_start_parse(text, size, &again, NULL), 0);
	for (int i = 0; i < MIXTURE_ENTRIES; i++) {
		ck_assert_float_eq_tol(again.theta[i], start.theta[i], 2e-3f);
		ck_assert_float_eq_tol(again.squares[i], start.squares[i],
				       0.3f);
	}
	free(text);
}
END_TEST

/* Families do not overlap, and nothing of single users or queues is in one. */
START_TEST(test_families_are_apart)
{
	static bool seen[MIXTURE_ENTRIES];
	const struct mixture_start_family *f = mixture_start_families;

	for (; f->name; f++)
		for (int i = f->first; i < f->first + f->count; i++) {
			ck_assert(!seen[i]);
			seen[i] = true;
			ck_assert(i < ENTRY_USER_RANK || i >= ENTRY_GAP);
		}
	for (int i = 1; i < MIXTURE_ENTRIES; i++)
		ck_assert_int_eq(seen[i],
				 i < ENTRY_USER_RANK || i >= ENTRY_GAP);
}
END_TEST

START_TEST(test_merging_heeds_who_has_learned)
{
	const struct mixture_start *both[] = { &start, &again };
	struct mixture_start *merged = malloc(sizeof(*merged));
	int e = ENTRY_AGE + 5;

	memset(&start, 0, sizeof(start));
	memset(&again, 0, sizeof(again));
	start.theta[e] = 2;
	start.squares[e] = 10000;
	again.theta[e] = -2;
	mixture_start_merge(both, 2, merged);
	ck_assert_float_eq_tol(merged->theta[e], 2, 0.01f);
	again.squares[e] = 10000;
	mixture_start_merge(both, 2, merged);
	ck_assert_float_eq_tol(merged->theta[e], 0, 0.01f);
	ck_assert_float_eq(merged->squares[e], 10000);

	/* Who has learned nothing leaves what was set by hand. */
	mixture_tables_start(&tables);
	mixture_start_merge(both, 0, merged);
	mixture_start_apply(merged, &tables);
	for (int i = 0; i < MIXTURE_ENTRIES; i++)
		ck_assert_float_eq(tables.theta[i], merged->theta[i]);
	ck_assert_float_gt(tables.theta[ENTRY_MATCH + 1], 1);
	free(merged);
}
END_TEST

START_TEST(test_new_tables_begin_so)
{
	learn_at_random(9, &tables);
	mixture_start_of(&tables, &start);
	mixture_tables_start(&tables);
	mixture_start_apply(&start, &tables);
	ck_assert_float_eq(tables.theta[ENTRY_RANK + 3],
			   start.theta[ENTRY_RANK + 3]);
	ck_assert_float_gt(tables.S[ENTRY_RANK + 3], 0);
	ck_assert_float_lt(tables.S[ENTRY_RANK + 3],
			   start.squares[ENTRY_RANK + 3]);
	ck_assert_float_eq(tables.theta[ENTRY_USER_RANK + 3], 0);
}
END_TEST

START_TEST(test_shipped_tables_can_be_read)
{
	int learned = 0;

	ck_assert_int_eq(mixture_start_shipped(&start, NULL), 0);
	for (int i = 0; i < MIXTURE_ENTRIES; i++)
		learned += start.squares[i] > 0;
	ck_assert_int_gt(learned, 400);
	/* The same user speaks for a run, a different one less. */
	ck_assert_float_gt(start.theta[ENTRY_MATCH + 1],
			   start.theta[ENTRY_MATCH]);
}
END_TEST

START_TEST(test_what_is_no_start_is_refused)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "", "empty" },
		{ "\n", "line 1" },
		{ "slurm-predict start tables 2\n", "line 1" },
		{ HEADER "age 1 0.5 2\nage 48 0.5 2\n", "line 3" },
		{ HEADER "age -1 0.5 2\n", "line 2" },
		{ HEADER "age 1.5 0.5 2\n", "line 2" },
		{ HEADER "age 1 nan 2\n", "line 2" },
		{ HEADER "age 1 1e9 2\n", "line 2" },
		{ HEADER "age 1 0.5 -2\n", "line 2" },
		{ HEADER "age 1 0.5\n", "line 2" },
		{ HEADER "age 1 0.5 2 3\n", "line 2" },
		{ HEADER "users 1 0.5 2\n", "line 2" },
		{ HEADER "# all of it\n\nage 1  0.5 2\n", "line 4" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct sp_error err;

		ck_assert_int_eq(parse(bad[i].text, &err), -1);
		ck_assert_msg(strstr(err.text, bad[i].why), "%s: %s",
			      bad[i].text, err.text);
	}
	ck_assert_int_eq(parse(HEADER, NULL), 0);
	ck_assert_int_eq(parse(HEADER "# mine\n\nage 1 0.5 2\n", NULL), 0);
	ck_assert_float_eq(start.theta[ENTRY_AGE + 1], 0.5f);
	ck_assert_int_eq(mixture_start_parse(HEADER,
					     MIXTURE_START_BYTES_MAX + 1,
					     &start, NULL),
			 -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_text_and_back,
		test_families_are_apart,
		test_merging_heeds_who_has_learned,
		test_new_tables_begin_so,
		test_shipped_tables_can_be_read,
		test_what_is_no_start_is_refused,
		NULL,
	};

	return suite_run("mixture_start", tests);
}
