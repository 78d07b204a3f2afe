/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_curve.c - run time, efficiency and cost over the number of nodes */
#include <math.h>

#include "predictor/stats/curve.h"
#include "tests/unit/suite.h"

/* The farm of figure 6 of Cesar et al., without its constant: Tt(n) = n mo +
 * B/n has the least index at sqrt(B / (3 mo)), and is least at sqrt(B / mo). */
static const struct scaling farm = {
	.c = { [10] = { 0, 1604, 0, 1 } },
	.weights = { [10] = 1 },
	.n_min = 2,
	.n_max = 30,
};

START_TEST(test_figures)
{
	struct curve curve;

	ck_assert_int_eq(curve_make(&farm, 0, 0, &curve, NULL), 0);
	ck_assert_int_eq(curve.count, 60);
	ck_assert_int_eq(curve.points[curve.fastest].n, 40);
	ck_assert_int_eq(curve.points[curve.worth].n, 23);

	const struct curve_point *p = &curve.points[3]; /* four nodes */

	ck_assert_int_eq(p->n, 4);
	ck_assert_double_eq_tol(p->median_s, 405, 1e-9);
	ck_assert_double_eq_tol(p->node_hours, .45, 1e-9);
	ck_assert_double_eq_tol(p->efficiency, 2 * 804.0 / (4 * 405), 1e-9);
}
END_TEST

START_TEST(test_range_and_reach)
{
	struct curve curve = { .count = 17 };
	struct sp_error err;

	ck_assert_int_eq(curve_make(&farm, 61, 70, &curve, &err), -1);
	ck_assert_str_eq(err.text, "the runs were on at most 30 nodes: too "
				   "few to predict 61");
	ck_assert_int_eq(curve.count, 17);
	ck_assert_int_eq(curve_make(&farm, 50, 70, &curve, &err), 0);
	ck_assert_int_eq(curve.points[0].n, 50);
	ck_assert_int_eq(curve.points[curve.count - 1].n, 60);
}
END_TEST

START_TEST(test_many_nodes)
{
	struct scaling large = farm;
	struct curve curve;

	large.n_max = 5000;
	ck_assert_int_eq(curve_make(&large, 0, 0, &curve, NULL), 0);
	ck_assert_int_eq(curve.points[0].n, 1);
	ck_assert_int_eq(curve.points[curve.count - 1].n, 10000);
	for (int i = 1; i < curve.count; i++)
		ck_assert_int_gt(curve.points[i].n, curve.points[i - 1].n);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_figures,
		test_range_and_reach,
		test_many_nodes,
		NULL,
	};

	return suite_run("curve", tests);
}
