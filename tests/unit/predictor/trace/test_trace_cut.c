/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_cut.c - programs that end anywhere can be matched and replayed */
#include <math.h>
#include <string.h>

#include "predictor/replay/trace_replay.h"
#include "predictor/trace/trace_cut.h"
#include "tests/unit/predictor/replay/random_trace.h"
#include "tests/unit/suite.h"

#define RANKS 5
#define TOL   1e-9

static void replay(const struct trace *trace)
{
	struct replay_node nodes[RANKS];
	struct replay_link links[RANKS * RANKS];
	const int node[RANKS] = { 0, 1, 2, 3, 4 };
	const struct replay_placement place = { RANKS, nodes, links, node,
						4096,  false, false, NULL };
	struct rank_result ranks[RANKS];
	struct replay_result result;
	struct sp_error err;
	struct matched_trace *m = matched_trace_create(trace, NULL, &err);

	ck_assert_msg(m != NULL, "%s", err.text);
	for (int n = 0; n < RANKS; n++)
		nodes[n] = (struct replay_node){ 1, 1, 0 };
	for (int i = 0; i < RANKS * RANKS; i++)
		links[i] = (struct replay_link){ 1e-5, 1e8 };
	ck_assert_msg(!trace_replay(m, &place, &result, ranks, NULL, &err),
		      "%s", err.text);
	matched_trace_destroy(m);
}

START_TEST(test_whole_stays)
{
	struct random random = { 3 };
	struct random_trace t;

	random_trace_make(&t, RANKS, 300, true, &random);

	int counts[RANKS];

	memcpy(counts, t.counts, sizeof(counts));
	ck_assert_int_eq(trace_cut(RANKS, t.events, t.counts, NULL, NULL), 0);
	ck_assert_mem_eq(counts, t.counts, sizeof(counts));
	replay(&t.trace);
	random_trace_free(&t);
}
END_TEST

START_TEST(test_cut_anywhere)
{
	struct random random = { 29 };

	for (int i = 0; i < 300; i++) {
		struct random_trace t;
		int before = 0, after = 0;

		random_trace_make(&t, RANKS, 100, i % 2, &random);
		for (int r = 0; r < RANKS; r++) {
			int end = random_below(&random, t.counts[r]);

			if (i % 3 && r) /* or only one of them died */
				continue;
			t.events[r][end] =
				(struct trace_event){ .call = CALL_END };
			t.counts[r] = end + 1;
		}
		for (int r = 0; r < RANKS; r++)
			before += t.counts[r];
		ck_assert_int_eq(
			trace_cut(RANKS, t.events, t.counts, NULL, NULL), 0);
		for (int r = 0; r < RANKS; r++)
			after += t.counts[r];
		ck_assert_int_le(after, before);
		replay(&t.trace);
		random_trace_free(&t);
	}
}
END_TEST

/* Rank 1 died after its first receive. */
START_TEST(test_by_hand)
{
	struct trace_event a[] = {
		{ .work_s = .3, .peer = 1 },
		{ .work_s = .7, .peer = 1 }, /* never received */
		{ .work_s = .2, .call = CALL_RECEIVE, .peer = 1 },
		{ .work_s = 5, .call = CALL_END },
	};
	struct trace_event b[] = {
		{ .work_s = .1, .call = CALL_RECEIVE },
		{ .call = CALL_END },
	};
	struct trace_event *const events[] = { a, b };
	int counts[] = { 4, 2 };

	ck_assert_int_eq(trace_cut(2, events, counts, NULL, NULL), 0);
	ck_assert_int_eq(counts[0], 2);
	ck_assert_int_eq(counts[1], 2);
	ck_assert_int_eq(a[1].call, CALL_END);
	ck_assert_double_eq_tol(a[1].work_s, .9, TOL);
}
END_TEST

/* Rank 1 died before it began the second collective: the first one stays. */
START_TEST(test_begun)
{
	struct trace_event a[] = {
		{ .work_s = .3, .call = CALL_IALL, .peer = 0 },
		{ .work_s = .7, .call = CALL_IALL, .peer = 1 },
		{ .work_s = .2, .call = CALL_WAIT, .peer = 0 },
		{ .work_s = .6, .call = CALL_WAIT, .peer = 1 },
		{ .work_s = 5, .call = CALL_END },
	};
	struct trace_event b[] = {
		{ .work_s = .1, .call = CALL_IALL, .peer = 8 },
		{ .work_s = .4, .call = CALL_WAIT, .peer = 8 },
		{ .call = CALL_END },
	};
	struct trace_event *const events[] = { a, b };
	int counts[] = { 5, 3 };

	ck_assert_int_eq(trace_cut(2, events, counts, NULL, NULL), 0);
	ck_assert_int_eq(counts[0], 3);
	ck_assert_int_eq(counts[1], 3);
	ck_assert_int_eq(a[1].call, CALL_WAIT);
	ck_assert_double_eq_tol(a[1].work_s, .9, TOL);
	ck_assert_int_eq(a[2].call, CALL_END);
	ck_assert_double_eq_tol(a[2].work_s, .6, TOL);

	/* Where the beginning is lost, what waits for it is, too. */
	b[0] = (struct trace_event){ .call = CALL_WAIT, .peer = 8 };
	ck_assert_int_eq(trace_cut(2, events, counts, NULL, NULL), 0);
	ck_assert_int_eq(counts[1], 1);
}
END_TEST

/* Two ranks that answer each other, for longer than the limit allows. */
START_TEST(test_limit)
{
	static struct trace_event a[10 * WORK_LIMIT_STEPS],
		b[10 * WORK_LIMIT_STEPS];
	struct trace_event *const events[] = { a, b };
	const int count = 10 * WORK_LIMIT_STEPS;
	int counts[] = { count, count };
	const struct work_limit none = { 0 };
	struct sp_error err;

	for (int i = 0; i + 1 < count; i++) {
		a[i] = (struct trace_event){ .call = i % 2 ? CALL_RECEIVE
							   : CALL_SEND,
					     .peer = 1 };
		b[i] = (struct trace_event){ .call = i % 2 ? CALL_SEND
							   : CALL_RECEIVE,
					     .peer = 0 };
	}
	a[count - 1].call = b[count - 1].call = CALL_END;
	ck_assert_int_eq(trace_cut(2, events, counts, &none, &err), -1);
	ck_assert_int_eq(counts[0], count);
	ck_assert_int_eq(trace_cut(2, events, counts, NULL, &err), 0);
	ck_assert_int_eq(counts[0], count);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_whole_stays, test_cut_anywhere,
				       test_by_hand,     test_begun,
				       test_limit,       NULL };

	return suite_run("trace_cut", tests);
}
