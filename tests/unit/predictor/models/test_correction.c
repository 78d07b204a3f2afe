/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_correction.c - what a past run would have taken under the query's
 * conditions
 */
#include <stdlib.h>

#include "predictor/models/correction.h"
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

#define RUNS 48

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double a[], size_t n)
{
	qsort(a, n, sizeof(a[0]), ascending);
	return (a[n / 2] + a[(n - 1) / 2]) / 2;
}

/* Runs under load 0, 1 or 2, each predicted from all before it by the median,
 * as they were and as corrected. */
START_TEST(test_load_is_corrected)
{
	struct correction *c = correction_create();
	double error_plain = 0;
	double error = 0;
	double actual = 0;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct random r = { seed };
		struct history *h = history_create();
		double runtimes[RUNS];

		for (uint32_t i = 0; i < RUNS; i++) {
			double load = (double)random_below(&r, 3);
			double t = 21 * (1 + load) *
				   (1 + 0.05 * random_normal(&r));
			struct run run = nbody_run(i, 2, 5000, t);
			double plain[RUNS];
			double corrected[RUNS];

			run_set_load(&run, load / 2, load);

			struct query q = query_of(h, &run);

			ck_assert_int_eq(correction_begin(c, h, &q), i >= 6);
			for (uint32_t j = 0; j < i; j++) {
				plain[j] = runtimes[j];
				corrected[j] =
					runtimes[j] * exp(correction_ln(c, j));
			}
			if (i >= 16) {
				error_plain += fabs(median(plain, i) - t);
				error += fabs(median(corrected, i) - t);
				actual += t;
			}
			runtimes[i] = t;
			ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
		}
		history_destroy(h);
	}
	correction_destroy(c);
	ck_assert_double_gt(error_plain / actual, 0.3);
	ck_assert_double_lt(error / actual, 0.05);
}
END_TEST

/* If run times do not depend on size and load, nothing is shifted. */
START_TEST(test_noise_is_left_alone)
{
	struct correction *c = correction_create();
	struct history *h = history_create();
	struct random r = { 3 };
	double most = 0;

	for (uint32_t i = 0; i < 100; i++) {
		struct run run =
			nbody_run(i, 2, 1000 + (double)random_below(&r, 9000),
				  exp(3 + random_normal(&r)));

		run_set_load(&run, random_unit(&r), 3 * random_unit(&r));
		if (i >= 20) {
			struct query q = query_of(h, &run);

			correction_begin(c, h, &q);
			for (uint32_t j = 0; j < i; j++)
				most = fmax(most, fabs(correction_ln(c, j)));
		}
		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}
	ck_assert_double_lt(most, 0.3);
	history_destroy(h);
	correction_destroy(c);
	correction_destroy(NULL);
}
END_TEST

START_TEST(test_nothing_to_go_by)
{
	struct correction *c = correction_create();
	struct history *h = history_create();

	for (uint32_t i = 0; i < 20; i++) {
		struct run run = nbody_run(i, 2, 1, 30 + i);

		run.application.parameters.count = 0;

		struct query q = query_of(h, &run);

		ck_assert(!correction_begin(c, h, &q));
		ck_assert_double_eq(correction_ln(c, i), 0);
		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}

	/* A run of another application, or an older one, is not shifted. */
	for (uint32_t i = 100; i < 400; i++) {
		struct run run = nbody_run(i, 2, 1000 + 10 * i, 1 + i / 9.0);

		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}

	struct run run = nbody_run(999, 2, 2000, 1);
	struct query q = query_of(h, &run);

	ck_assert(correction_begin(c, h, &q));
	ck_assert_double_lt(correction_ln(c, 399), -0.1);
	ck_assert_double_eq(correction_ln(c, 101), 0);
	ck_assert_double_eq(correction_ln(c, 7), 0);
	history_destroy(h);
	correction_destroy(c);
}
END_TEST

START_TEST(test_awkward_values)
{
	static const double values[] = { 0,   -3.5,   1e-300, 1e308, -1e308,
					 7e7, 0.0625, 1,      1000,  5e-324 };
	struct correction *c = correction_create();
	struct random r = { 4 };

	for (int trial = 0; trial < 100; trial++) {
		struct history *h = history_create();

		for (uint32_t i = 0; i < 30; i++) {
			struct run run = nbody_run(
				i, 1 + i % 3, values[random_below(&r, 10)],
				exp(20 * random_unit(&r) - 1));

			parameters_set(&run.application.parameters, "b",
				       values[random_below(&r, 10)], NULL);
			if (random_below(&r, 3))
				run_set_load(&run, values[random_below(&r, 10)],
					     values[random_below(&r, 10)]);

			struct query q = query_of(h, &run);

			correction_begin(c, h, &q);
			for (uint32_t j = 0; j < i; j++) {
				double ln = correction_ln(c, j);

				ck_assert_double_finite(ln);
				ck_assert_double_le(fabs(ln), 5);
			}
			ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
		}
		history_destroy(h);
	}
	correction_destroy(c);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_load_is_corrected,
		test_noise_is_left_alone,
		test_nothing_to_go_by,
		test_awkward_values,
		NULL,
	};

	return suite_run("correction", tests);
}
