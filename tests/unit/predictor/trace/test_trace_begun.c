/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_begun.c - collectives that do not block, of two ranks by hand */
#include <math.h>
#include <string.h>

#include "predictor/replay/trace_replay.h"
#include "tests/unit/suite.h"

#define TOL 1e-9

static const struct replay_link no_link = { 0, HUGE_VAL };
static const struct replay_link slow = { .25, 4000 };

static struct matched_trace *match(const struct trace_event *a, int a_count,
				   const struct trace_event *b, int b_count,
				   struct sp_error *err)
{
	const int counts[] = { a_count, b_count };
	const struct trace_event *events[] = { a, b };
	const struct trace trace = { 2, counts, events };

	return matched_trace_create(&trace, NULL, err);
}

/* A node for each. */
static struct replay_result replay(const struct matched_trace *m,
				   struct replay_link link,
				   struct rank_result ranks[])
{
	const struct replay_node nodes[] = { { 1, 1, 0 }, { 1, 1, 0 } };
	const struct replay_link links[] = { link, link, link, link };
	const int node[] = { 0, 1 };
	const struct replay_placement place = { 2,    nodes, links, node,
						4096, false, false, NULL };
	struct replay_result result;

	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, NULL, NULL),
			 0);
	return result;
}

/* Work between begin and wait passes meanwhile; the collective takes .25 s and
 * .125 s for its bytes from 1.1 s on. */
START_TEST(test_overlap)
{
	struct trace_event a[] = {
		{ .work_s = .7, .bytes = 1000, .peer = 3, .call = CALL_IALL },
		{ .work_s = .9, .peer = 3, .call = CALL_WAIT },
		{ .work_s = .2, .call = CALL_END },
	};
	const struct trace_event b[] = {
		{ .work_s = 1.1, .bytes = 1000, .call = CALL_IALL },
		{ .work_s = .1, .call = CALL_WAIT },
		{ .work_s = .3, .call = CALL_END },
	};
	struct matched_trace *m = match(a, 3, b, 3, NULL);
	struct rank_result ranks[2];
	struct replay_result result = replay(m, slow, ranks);

	ck_assert_double_eq_tol(ranks[0].end_s, 1.8, TOL);
	ck_assert_double_eq_tol(ranks[0].waited_s, 0, TOL);
	ck_assert_double_eq_tol(ranks[1].end_s, 1.1 + .375 + .3, TOL);
	ck_assert_double_eq_tol(ranks[1].waited_s, .275, TOL);
	ck_assert_double_eq_tol(result.critical_path_s, 1.8, TOL);
	matched_trace_destroy(m);

	a[1].work_s = .2;
	m = match(a, 3, b, 3, NULL);
	result = replay(m, slow, ranks);
	ck_assert_double_eq_tol(ranks[0].end_s, 1.1 + .375 + .2, TOL);
	ck_assert_double_eq_tol(result.critical_path_s, 1.5, TOL);
	matched_trace_destroy(m);
}
END_TEST

/* Rank 0 is two collectives ahead, and waits for the second one first; what its
 * procedure did before them is not moved with the message. */
START_TEST(test_ahead)
{
	const struct trace_event a[] = {
		{ .work_s = .3, .procedure_s = .2, .call = CALL_IALL },
		{ .peer = 65535, .call = CALL_IALL },
		{ .peer = 65535, .call = CALL_WAIT },
		{ .work_s = .4, .call = CALL_WAIT },
		{ .work_s = .1, .peer = 1 },
		{ .call = CALL_END },
	};
	const struct trace_event b[] = {
		{ .work_s = 2.5, .peer = 7, .call = CALL_IALL },
		{ .peer = 7, .call = CALL_WAIT },
		{ .work_s = 1.5, .peer = 7, .call = CALL_IALL },
		{ .peer = 7, .call = CALL_WAIT },
		{ .call = CALL_RECEIVE },
		{ .work_s = .6, .call = CALL_END },
	};
	struct matched_trace *m = match(a, 6, b, 6, NULL);
	struct rank_result ranks[2];
	struct replay_result result = replay(m, no_link, ranks);

	ck_assert_int_eq(m->collectives, 2);
	ck_assert_double_eq_tol(ranks[0].end_s, 4 + .4 + .1, TOL);
	ck_assert_double_eq_tol(ranks[0].waited_s, 4 - .3, TOL);
	ck_assert_double_eq_tol(ranks[1].end_s, 4.5 + .6, TOL);
	ck_assert_double_eq_tol(result.moved_s, result.critical_path_s, TOL);
	matched_trace_destroy(m);
}
END_TEST

START_TEST(test_refused)
{
	struct trace_event a[] = {
		{ .call = CALL_IALL, .peer = 2 },
		{ .call = CALL_WAIT, .peer = 2 },
		{ .call = CALL_END },
	};
	struct trace_event b[] = {
		{ .call = CALL_IALL, .peer = 2 },
		{ .call = CALL_END },
	};
	struct sp_error err = { "" };
	struct matched_trace *m = match(a, 3, b, 2, &err);

	ck_assert_ptr_nonnull(m); /* rank 1 never waits */
	matched_trace_destroy(m);
	a[1].peer = 3;
	ck_assert_ptr_null(match(a, 3, b, 2, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "had not begun"));
	a[0].peer = a[1].peer = 65536;
	ck_assert_ptr_null(match(a, 3, b, 2, NULL));
	a[0].peer = a[1].peer = -1;
	ck_assert_ptr_null(match(a, 3, b, 2, NULL));
	a[0] = (struct trace_event){ .call = CALL_WAIT, .peer = 2 };
	a[1] = (struct trace_event){ .call = CALL_IALL, .peer = 2 };
	ck_assert_ptr_null(match(a, 3, b, 2, NULL));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_overlap, test_ahead, test_refused,
				       NULL };

	return suite_run("trace_begun", tests);
}
