/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_scaling.c - run time over the number of nodes */
#include <math.h>
#include <string.h>

#include "predictor/stats/scaling.h"
#include "tests/unit/suite.h"

static struct regression *workspace;

static void set_up(void)
{
	workspace = regression_create(SCALING_RUNS_MAX, SCALING_TERMS);
	ck_assert_ptr_nonnull(workspace);
}

static void tear_down(void)
{
	regression_destroy(workspace);
}

START_TEST(test_amdahl)
{
	/* 7 s serial, 93 s divided, without noise. */
	struct scaling_run runs[12];
	struct scaling s;
	int count = 0;

	for (int n = 1; n <= 8; n *= 2)
		for (int i = 0; i < 3; i++)
			runs[count++] = (struct scaling_run){ n, 7 + 93.0 / n };
	ck_assert_int_eq(scaling_fit(runs, count, SCALING_ALL_TERMS, workspace,
				     &s, NULL),
			 0);
	ck_assert_double_eq_tol(scaling_time(&s, 3), 38, .5);
	ck_assert_double_eq_tol(scaling_time(&s, 16), 12.8, .7);
	ck_assert_int_eq(s.n_min, 1);
	ck_assert_int_eq(s.n_max, 8);
	/* Farther out the bound is wider. */
	ck_assert_double_gt(scaling_bound(&s, 8, 1.28), scaling_time(&s, 8));
	ck_assert_double_gt(scaling_bound(&s, 64, 1.28) / scaling_time(&s, 64),
			    scaling_bound(&s, 8, 1.28) / scaling_time(&s, 8));
}
END_TEST

START_TEST(test_allowed_terms)
{
	struct scaling_run runs[] = { { 1, 100.25 },
				      { 3, 34.1 },
				      { 4, 26.05 },
				      { 9, 13.4 },
				      { 20, 10.1 } };
	unsigned terms = 1U << SCALING_DIVIDED | 1U << SCALING_LINEAR;
	struct scaling s;

	ck_assert_int_eq(scaling_fit(runs, 5, terms, workspace, &s, NULL), 0);
	ck_assert_double_eq_tol(scaling_time(&s, 40), 12.5, .3);
	for (unsigned set = 0; set < SCALING_SETS; set++)
		ck_assert(!(set & ~terms) || s.weights[set] == 0);
}
END_TEST

START_TEST(test_one_number_of_nodes_is_no_curve)
{
	struct scaling_run runs[] = { { 4, 10 }, { 4, 11 } };
	struct scaling s = { .noise = 17 };
	struct sp_error err;

	ck_assert_int_eq(
		scaling_fit(runs, 2, SCALING_ALL_TERMS, workspace, &s, &err),
		-1);
	ck_assert_str_eq(
		err.text,
		"all runs are on the same number of nodes, 4: no curve");
	ck_assert_double_eq(s.noise, 17);
	ck_assert_int_eq(
		scaling_fit(runs, 0, SCALING_ALL_TERMS, workspace, &s, &err),
		-1);
	ck_assert_str_eq(err.text, "no runs");
}
END_TEST

START_TEST(test_two_numbers_of_nodes)
{
	/* One term at most: that of divided work is the likeliest by far. */
	struct scaling_run runs[] = { { 2, 50 }, { 4, 25.5 } };
	struct scaling s;

	ck_assert_int_eq(
		scaling_fit(runs, 2, SCALING_ALL_TERMS, workspace, &s, NULL),
		0);
	ck_assert_double_eq_tol(scaling_time(&s, 8), 12.6, .3);
}
END_TEST

START_TEST(test_straggler_bends_no_curve)
{
	/* 1 s serial, 4 s divided; one run of twelve was held up by 3.1 s. */
	struct scaling_run runs[] = {
		{ 2, 3.04 }, { 2, 3.11 }, { 2, 3.02 }, { 2, 3.05 },
		{ 4, 2.07 }, { 4, 2.03 }, { 4, 2.05 }, { 4, 2.12 },
		{ 8, 1.55 }, { 8, 1.58 }, { 8, 4.61 }, { 8, 1.53 },
	};
	struct scaling with, without;

	ck_assert_int_eq(scaling_fit(runs, 12, SCALING_ALL_TERMS, workspace,
				     &with, NULL),
			 0);
	runs[10].runtime_s = 1.56;
	ck_assert_int_eq(scaling_fit(runs, 12, SCALING_ALL_TERMS, workspace,
				     &without, NULL),
			 0);
	for (int n = 1; n <= 16; n++)
		ck_assert_double_eq_tol(scaling_time(&with, n) /
						scaling_time(&without, n),
					1, .04);
	/* But the bound knows that it may happen. */
	ck_assert_double_gt(scaling_bound(&with, 4, 1.28),
			    1.3 * scaling_bound(&without, 4, 1.28));
}
END_TEST

START_TEST(test_terms_of_messages)
{
	unsigned least = 1U << SCALING_CONSTANT | 1U << SCALING_DIVIDED;
	struct scaling_messages m[] = {
		{ 1, 0 }, { 2, 100 }, { 4, 100 }, { 8, 103 }
	};

	ck_assert_uint_eq(scaling_terms(m, 4), least);
	m[2].messages = 200;
	m[3].messages = 300;
	ck_assert_uint_eq(scaling_terms(m, 4), least | 1U << SCALING_LOG);
	m[3].messages = 400; /* between the two */
	ck_assert_uint_eq(scaling_terms(m, 4), least | 1U << SCALING_LINEAR);
	/* On two and four nodes a tree looks like all to all. */
	ck_assert_uint_eq(scaling_terms(m, 3),
			  least | 1U << SCALING_LOG | 1U << SCALING_LINEAR);
	ck_assert_uint_eq(scaling_terms(m, 2), SCALING_ALL_TERMS);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_amdahl,
		test_allowed_terms,
		test_one_number_of_nodes_is_no_curve,
		test_two_numbers_of_nodes,
		test_straggler_bends_no_curve,
		test_terms_of_messages,
		NULL,
	};

	return suite_run_each("scaling", tests, set_up, tear_down);
}
