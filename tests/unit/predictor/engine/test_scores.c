/* test_scores.c - how right each model has been */
#include <math.h>

#include "predictor/engine/scores.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static const struct answer wide = {
	.median_s = 100, .runs = 9, .sigma = 0.2, .degrees = 5
};
static const struct answer silent = { .median_s = 100,
				      .sigma = NAN,
				      .degrees = NAN };

START_TEST(test_own_spread_at_first)
{
	struct scores *s = scores_create();

	/* Student's t with 5 degrees of freedom: 1.475884 at 0.9. */
	ck_assert_double_eq_tol(scores_spread(s, 0, 0, &wide, 0.9),
				0.2 * 1.475884, 1e-6);
	ck_assert_double_eq_tol(scores_spread(s, 0, 0, &silent, 0.9),
				0.5 * 1.281552, 1e-6);
	ck_assert_double_eq_tol(scores_spread(s, 0, INDEX_NONE, &wide, 0.5), 0,
				1e-9);
	ck_assert_double_nan(scores_last_error(s, 0, 0));
	scores_destroy(s);
	scores_destroy(NULL);
}
END_TEST

START_TEST(test_own_errors_then)
{
	struct scores *s = scores_create();

	/* Twice an application's run takes 2^(i/4) of what was said. */
	for (int i = 1; i <= 9; i++)
		scores_note(s, 1, 3, 77, 100, 100 * exp2(i / 4.0));
	ck_assert_double_eq_tol(scores_spread(s, 1, 3, &wide, 0.9),
				9 / 4.0 * log(2), 1e-5);
	ck_assert_double_eq_tol(scores_spread(s, 1, 3, &wide, 0.5),
				5 / 4.0 * log(2), 1e-5);
	/* Another application has none of its own: those of all count. */
	ck_assert_double_eq_tol(scores_spread(s, 1, 2, &wide, 0.5),
				5 / 4.0 * log(2), 1e-5);
	/* Another model has its own opinion. */
	ck_assert_double_eq_tol(scores_spread(s, 0, 3, &wide, 0.5), 0, 1e-9);
	/* |100 - 476| / 476 */
	ck_assert_double_eq_tol(scores_last_error(s, 1, 3), 1 - exp2(-9 / 4.0),
				1e-5);
	scores_destroy(s);
}
END_TEST

START_TEST(test_only_the_last_errors_count)
{
	struct scores *s = scores_create();

	for (int i = 0; i < 100; i++)
		scores_note(s, 0, 0, 77, 100, 10000);
	for (int i = 0; i < 32; i++)
		scores_note(s, 0, 0, 77, 100, 110);
	ck_assert_double_eq_tol(scores_spread(s, 0, 0, &wide, 0.9), log(1.1),
				1e-5);
	scores_destroy(s);
}
END_TEST

START_TEST(test_mixture_is_between)
{
	struct scores *s = scores_create();

	for (int i = 0; i < 20; i++)
		scores_note(s, 0, 0, 77, 100, 200);
	for (int i = 0; i < 4; i++)
		scores_note(s, 0, 1, 77, 100, 100);
	ck_assert_double_eq_tol(scores_spread(s, 0, 1, &silent, 0.2), 0, 1e-6);
	ck_assert_double_eq_tol(scores_spread(s, 0, 1, &silent, 0.9), log(2),
				1e-5);
	scores_destroy(s);
}
END_TEST

START_TEST(test_sums)
{
	struct scores *s = scores_create();
	struct scores_sums sums;

	scores_note(s, 0, 0, 77, 130, 100);
	scores_note(s, 0, 5, 77, 70, 100);
	scores_note(s, 0, 0, 78, 200, 300);
	scores_note_told(s, 77, 130, true, 100);
	scores_note_told(s, 77, 70, false, 100);
	scores_sum(s, 0, 77, &sums);
	ck_assert_uint_eq(sums.runs, 2);
	ck_assert_double_eq(sums.error_s, 60);
	ck_assert_double_eq(sums.actual_s, 200);
	scores_sum(s, 0, UINT32_MAX, &sums);
	ck_assert_uint_eq(sums.runs, 3);
	ck_assert_double_eq(sums.error_s, 160);
	scores_sum(s, -1, UINT32_MAX, &sums);
	ck_assert_uint_eq(sums.runs, 2);
	ck_assert_uint_eq(sums.covered, 1);
	scores_sum(s, 1, UINT32_MAX, &sums);
	ck_assert_uint_eq(sums.runs, 0);
	scores_sum(s, 0, 4, &sums);
	ck_assert_uint_eq(sums.runs, 0);
	scores_destroy(s);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_own_spread_at_first,
		test_own_errors_then,
		test_only_the_last_errors_count,
		test_mixture_is_between,
		test_sums,
		NULL,
	};

	return suite_run("scores", tests);
}
