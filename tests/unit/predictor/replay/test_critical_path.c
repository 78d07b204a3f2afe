/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_critical_path.c - by hand, and random ones by invariants */
#include <math.h>

#include "predictor/replay/critical_path.h"
#include "tests/unit/predictor/replay/random_trace.h"
#include "tests/unit/suite.h"

#define RANKS 5
#define TOL   1e-9

static struct critical_path find(const struct matched_trace *m,
				 struct replay_link link,
				 struct replay_result *ret)
{
	struct replay_node nodes[RANKS];
	struct replay_link links[RANKS * RANKS];
	const int node[RANKS] = { 0, 1, 2, 3, 4 };
	const struct replay_placement place = {
		m->ranks, nodes, links, node, UINT64_MAX, false, false, NULL
	};
	struct rank_result ranks[RANKS];
	struct replay_step *steps = calloc(m->count, sizeof(*steps));
	struct critical_path path;

	for (int n = 0; n < RANKS; n++)
		nodes[n] = (struct replay_node){ 1, 1, 0 };
	for (int i = 0; i < RANKS * RANKS; i++)
		links[i] = link;
	ck_assert_int_eq(trace_replay(m, &place, ret, ranks, steps, NULL), 0);
	ck_assert_int_eq(critical_path_find(m, steps, &path, NULL), 0);
	free(steps);
	return path;
}

START_TEST(test_by_hand)
{
	const struct trace_event a[] = {
		{ .work_s = 1.3, .procedure_s = .4, .bytes = 1000, .peer = 1 },
		{ .work_s = 2.1, .call = CALL_END },
	};
	const struct trace_event b[] = {
		{ .work_s = .4, .call = CALL_RECEIVE },
		{ .work_s = 2.9, .call = CALL_END },
	};
	const int counts[] = { 2, 2 };
	const struct trace_event *events[] = { a, b };
	const struct trace trace = { 2, counts, events };
	struct matched_trace *m = matched_trace_create(&trace, NULL, NULL);
	struct replay_result result;
	struct critical_path path =
		find(m, (struct replay_link){ .25, 4000 }, &result);

	ck_assert_int_eq(path.count, 3);
	ck_assert_int_eq(path.parts[0].rank, 0);
	ck_assert_int_eq(path.parts[1].kind, PATH_TRANSFER);
	ck_assert_int_eq(path.parts[1].from_rank, 0);
	ck_assert_int_eq(path.parts[1].rank, 1);
	ck_assert_double_eq_tol(path.parts[1].from_s, 1.3, TOL);
	ck_assert_double_eq_tol(path.parts[2].from_s, 1.8, TOL);
	ck_assert_double_eq_tol(path.by_rank[1][PATH_COMPUTES], 2.9, TOL);
	ck_assert_double_eq_tol(path.procedure_s[0], .4, TOL);
	critical_path_clear(&path);
	matched_trace_destroy(m);
}
END_TEST

/* The one that began last waits for itself, the other one for it. */
START_TEST(test_begun)
{
	struct trace_event a[] = {
		{ .work_s = .7, .bytes = 1000, .call = CALL_IALL },
		{ .call = CALL_WAIT },
		{ .work_s = .1, .call = CALL_END },
	};
	const struct trace_event b[] = {
		{ .work_s = 1.1, .bytes = 1000, .call = CALL_IALL },
		{ .work_s = .1, .call = CALL_WAIT },
		{ .work_s = .3, .call = CALL_END },
	};
	const int counts[] = { 3, 3 };
	const struct trace_event *events[] = { a, b };
	const struct trace trace = { 2, counts, events };

	for (int last = 1; last >= 0; last--, a[2].work_s = .5) {
		struct matched_trace *m =
			matched_trace_create(&trace, NULL, NULL);
		struct replay_result result;
		struct critical_path path =
			find(m, (struct replay_link){ .25, 4000 }, &result);

		ck_assert_int_eq(path.count, 3);
		ck_assert_int_eq(path.parts[0].rank, 1);
		ck_assert_int_eq(path.parts[1].kind,
				 last ? PATH_WAITS : PATH_TRANSFER);
		ck_assert_int_eq(path.parts[1].from_rank, 1);
		ck_assert_double_eq_tol(path.parts[1].from_s, 1.1, TOL);
		ck_assert_double_eq_tol(path.parts[1].to_s, 1.475, TOL);
		ck_assert_int_eq(path.parts[2].rank, last);
		critical_path_clear(&path);
		matched_trace_destroy(m);
	}
}
END_TEST

START_TEST(test_random_programs)
{
	struct random random = { 11 };

	for (int i = 0; i < 120; i++) {
		struct random_trace t;
		struct replay_result result;

		random_trace_make(&t, 2 + i % 4, 200, i >= 60, &random);

		struct matched_trace *m =
			matched_trace_create(&t.trace, NULL, NULL);
		struct critical_path path =
			find(m, (struct replay_link){ 3e-5, 1e8 }, &result);
		double computes_s = 0;

		/* It covers the run without a gap. */
		ck_assert_double_eq_tol(path.parts[0].from_s, 0, TOL);
		for (int k = 1; k < path.count; k++)
			ck_assert_double_eq_tol(path.parts[k].from_s,
						path.parts[k - 1].to_s, TOL);
		ck_assert_double_eq_tol(path.parts[path.count - 1].to_s,
					result.time_s, TOL);
		for (int r = 0; r < m->ranks; r++)
			computes_s += path.by_rank[r][PATH_COMPUTES];
		ck_assert_double_le(computes_s, result.critical_path_s + TOL);
		critical_path_clear(&path);
		matched_trace_destroy(m);
		random_trace_free(&t);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_by_hand, test_begun,
				       test_random_programs, NULL };

	return suite_run("critical_path", tests);
}
