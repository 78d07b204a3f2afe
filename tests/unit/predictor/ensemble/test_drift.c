/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_drift.c - how much longer runs take now than is predicted */
#include <math.h>

#include "predictor/ensemble/drift.h"
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

#define MEDIAN_S 47.0
#define STEP_S   61.0

static struct query nodes_query(uint32_t nodes, double now_s)
{
	return (struct query){ .application_key = 4711,
			       .nodes = nodes,
			       .conditions.nodes_known = (int)nodes,
			       .now_s = now_s };
}

static void note(struct drift *d, uint32_t nodes, double ln, double now_s)
{
	struct query query = nodes_query(nodes, now_s - STEP_S);

	drift_note(d, &query, MEDIAN_S, MEDIAN_S * exp(ln), now_s);
}

static double find(const struct drift *d, uint32_t nodes, double now_s)
{
	struct query query = nodes_query(nodes, now_s);

	return drift_find(d, &query);
}

/* Competitors appear: after two runs on four nodes a third is expected to be
 * delayed, one on a single node less so; an hour later nothing is known. */
START_TEST(test_follows_runs)
{
	struct drift *d = drift_create();
	double now_s = 1000;

	for (int i = 0; i < 9; i++, now_s += STEP_S)
		note(d, i % 2 ? 4 : 1, i % 3 ? -0.04 : 0.05, now_s);
	ck_assert_double_eq_tol(find(d, 4, now_s), 0, 0.01);
	for (int i = 0; i < 2; i++, now_s += STEP_S)
		note(d, 4, 0.62, now_s);
	ck_assert_double_ge(find(d, 4, now_s), 0.3);
	ck_assert_double_le(find(d, 4, now_s), 0.62);
	note(d, 1, 0.02, now_s);
	ck_assert_double_ge(find(d, 4, now_s), 0.2);
	ck_assert_double_le(find(d, 1, now_s), 0.2);
	ck_assert_double_le(find(d, 4, now_s + 3600), 0.05);
	drift_destroy(d);
}
END_TEST

/* Where predictions are often far off, two such errors are no drift. */
START_TEST(test_usual_errors)
{
	struct drift *d = drift_create();
	struct random r = { 11 };
	double now_s = 1000, mean = 0;

	for (int i = 0; i < 400; i++, now_s += STEP_S) {
		note(d, 3, 0.5 * random_normal(&r), now_s);
		mean += fabs(find(d, 3, now_s)) / 400;
	}
	ck_assert_double_le(mean, 0.12);
	drift_destroy(d);
}
END_TEST

/* Without measurements of its nodes, as in a job log, there is none. */
START_TEST(test_unknown_nodes)
{
	struct drift *d = drift_create();
	struct query query = nodes_query(3, 1000);

	query.conditions.nodes_known = 0;
	for (int i = 0; i < 5; i++)
		drift_note(d, &query, MEDIAN_S, 2 * MEDIAN_S, 1000);
	query.conditions.nodes_known = 3;
	ck_assert_double_eq(drift_find(d, &query), 0);
	for (int i = 0; i < 5; i++)
		drift_note(d, &query, MEDIAN_S, 2 * MEDIAN_S, 1000);
	ck_assert_double_ge(drift_find(d, &query), 0.4);
	query.application_key++;
	ck_assert_double_eq(drift_find(d, &query), 0);
	query.application_key = 4711;
	query.conditions.nodes_known = 0;
	ck_assert_double_eq(drift_find(d, &query), 0);
	drift_destroy(d);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_follows_runs,
		test_usual_errors,
		test_unknown_nodes,
		NULL,
	};

	return suite_run("drift", tests);
}
