/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_filter.c - the runs of the history that are near a query point */
#include <stdlib.h>

#include "predictor/models/filter.h"
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

START_TEST(test_distance_as_published)
{
	/* Lee and Schopf, section 2.2: 5000 bodies, 12 steps and 0.25 against
	 * 8000, 3 and 0.75, of ranges 11000, 20 and 2:
	 * 3000/11000 + 9/20 + 0.5/2. */
	double d[] = { 5000, 12, 0.25 };
	double q[] = { 8000, 3, 0.75 };
	double range[] = { 11000, 20, 2 };

	ck_assert_double_eq_tol(filter_distance(d, q, range, 3),
				3000.0 / 11000 + 0.45 + 0.25, 1e-12);
	ck_assert_double_eq(filter_distance(d, q, range, 0), 0);
	ck_assert_double_eq(filter_distance(d, d, range, 3), 0);

	/* Without a range only equal and different are distinguished. */
	double none[] = { 0, 20, 0 };

	ck_assert_double_eq_tol(filter_distance(d, q, none, 3), 2.45, 1e-12);

	double huge[] = { 1e308, 0, 0 };
	double tiny[] = { -1e308, 0, 0 };
	double infinite[] = { HUGE_VAL, 1, 1 };

	ck_assert_double_finite(filter_distance(huge, tiny, infinite, 3));
}
END_TEST

static struct history *some_history(void)
{
	struct history *h = history_create();

	for (uint32_t i = 0; i < 300; i++) {
		struct run run =
			nbody_run(i, 1 + i % 2, 1000 + i * 7 % 300, 10);

		if (i % 3)
			run_set_load(&run, 0.5, 1);
		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}
	return h;
}

START_TEST(test_keeps_the_nearest)
{
	struct history *h = some_history();
	struct filter *f = calloc(1, sizeof(*f));
	struct run run = nbody_run(999, 2, 1150.25, 0);
	struct query q = query_of(h, &run);

	ck_assert_uint_eq(filter_scan(f, h, &q, FILTER_SAME_SIZE, false), 150);
	for (uint32_t k = 1; k <= FILTER_KEPT_MAX; k++) {
		filter_keep(f, &q, k);
		ck_assert_uint_ge(f->kept_count, k);

		double farthest = 0;
		uint32_t nearer = 0;

		for (uint32_t i = 0; i < f->kept_count; i++)
			farthest = fmax(farthest, f->kept[i].distance);
		for (uint32_t i = 0; i < f->scanned_count; i++)
			nearer += f->scanned[i].distance < farthest;
		ck_assert_uint_lt(nearer, k);
	}
	ck_assert_uint_eq(filter_scan(f, h, &q, FILTER_SAME_SIZE, true), 100);
	ck_assert_uint_eq(filter_scan(f, h, &q, FILTER_ANY_SIZE, true), 200);
	free(f);
	history_destroy(h);
}
END_TEST

START_TEST(test_keeps_ties_and_the_newest_of_them)
{
	struct history *h = history_create();
	struct filter *f = calloc(1, sizeof(*f));

	for (uint32_t i = 0; i < 500; i++) {
		struct run run = nbody_run(i, 1, i < 30 ? 4000 : 5000, 10);

		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}

	struct run run = nbody_run(999, 1, 4000, 0);
	struct query q = query_of(h, &run);

	filter_scan(f, h, &q, FILTER_SAME_SIZE, false);
	filter_keep(f, &q, 12);
	ck_assert_uint_eq(f->kept_count, 30);
	filter_keep(f, &q, 31);
	ck_assert_uint_eq(f->kept_count, FILTER_KEPT_MAX);
	for (uint32_t i = 0; i < FILTER_KEPT_MAX; i++)
		ck_assert_uint_eq(f->kept[i].run->job_id,
				  i < 30 ? 29 - i : 499 - (i - 30));
	free(f);
	history_destroy(h);
}
END_TEST

START_TEST(test_sizes)
{
	struct history *h = some_history();
	struct filter *f = calloc(1, sizeof(*f));
	struct run run = nbody_run(999, 2, 1150, 0);
	struct query q = query_of(h, &run);

	q.nodes = 1;
	ck_assert_uint_eq(filter_scan(f, h, &q, FILTER_SAME_SIZE, false), 0);
	ck_assert_uint_eq(filter_scan(f, h, &q, FILTER_SAME_TASKS, false), 150);
	q.tasks = 3;
	ck_assert_uint_eq(filter_scan(f, h, &q, FILTER_SAME_TASKS, false), 0);
	ck_assert_uint_eq(filter_scan(f, h, &q, FILTER_ANY_SIZE, false), 300);
	q.names = INDEX_NONE;
	ck_assert_uint_eq(filter_scan(f, h, &q, FILTER_ANY_SIZE, false), 0);
	filter_keep(f, &q, 12);
	ck_assert_uint_eq(f->kept_count, 0);
	free(f);
	history_destroy(h);
}
END_TEST

START_TEST(test_reads_only_so_many)
{
	struct history *h = history_create();
	struct filter *f = calloc(1, sizeof(*f));

	for (uint32_t i = 0; i < 4 * FILTER_SCAN_MAX; i++) {
		struct run run = nbody_run(i, 1 + i % 4, i, 10);

		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}

	struct run run = nbody_run(1, 1, 0, 0);
	struct query q = query_of(h, &run);

	ck_assert_uint_eq(filter_scan(f, h, &q, FILTER_ANY_SIZE, false),
			  FILTER_SCAN_MAX);
	filter_keep(f, &q, 12);
	ck_assert_uint_eq(f->kept_count, 12);
	ck_assert_uint_ge(f->kept[0].run->job_id, FILTER_SCAN_MAX);
	free(f);
	history_destroy(h);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_distance_as_published,
		test_keeps_the_nearest,
		test_keeps_ties_and_the_newest_of_them,
		test_sizes,
		test_reads_only_so_many,
		NULL,
	};

	return suite_run("filter", tests);
}
