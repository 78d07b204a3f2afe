/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_splitmix.c - the numbers that the generator is known for */
#include <math.h>

#include "predictor/stats/splitmix.h"
#include "tests/unit/suite.h"

#define DRAWS 20000

/* The first numbers of seed 1234567, as implementations in many languages have
 * them. */
START_TEST(test_known_numbers)
{
	const uint64_t known[] = { 6457827717110365317U, 3203168211198807973U,
				   9817491932198370423U, 4593380528125082431U,
				   16408922859458223821U };
	uint64_t state = 1234567;

	for (int i = 0; i < 5; i++)
		ck_assert(splitmix_next(&state) == known[i]);
}
END_TEST

START_TEST(test_units)
{
	uint64_t state = 7, same = 7;
	double sum = 0, sum2 = 0;

	for (int i = 0; i < DRAWS; i++) {
		double x = splitmix_unit(&state);
		double inside = splitmix_inside(&same);

		ck_assert(x >= 0 && x < 1);
		ck_assert(inside > 0 && inside <= 1);
		ck_assert_double_eq_tol(inside, x, 0x1p-52);
		sum += x;
		sum2 += x * x;
	}
	/* Four standard deviations of the means. */
	ck_assert_double_eq_tol(sum / DRAWS, 1. / 2, 4 * sqrt(1. / 12 / DRAWS));
	ck_assert_double_eq_tol(sum2 / DRAWS, 1. / 3,
				4 * sqrt(4. / 45 / DRAWS));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_known_numbers, test_units, NULL };

	return suite_run("splitmix", tests);
}
