/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_replay_whole.c - collectives by their formulas, random programs by
 * invariants */
#include <math.h>

#include "tests/unit/predictor/replay/random_trace.h"
#include "tests/unit/predictor/replay/replay_small.h"

/* Four ranks on a latency of .25 s and 4000 bytes a second: a tree has two
 * turns, and bytes count where they leave a node. */
START_TEST(test_collective_bytes)
{
	static const struct {
		int node[4];
		enum { IN_COMMON, TO_EACH, COMBINED } kind;
		int bytes;
		double time_s;
	} rows[] = {
		{ { 0, 1, 2, 3 }, IN_COMMON, 4000, .5 + .75 },
		{ { 0, 1, 2, 3 }, TO_EACH, 4000, .5 + .75 },
		{ { 0, 0, 1, 1 }, IN_COMMON, 4000, .5 + .5 },
		{ { 0, 0, 1, 1 }, TO_EACH, 4000, .5 + 2 * .5 },
		{ { 0, 0, 0, 1 }, IN_COMMON, 4000, .5 + .75 },
		{ { 0, 0, 0, 1 }, TO_EACH, 4000, .5 + .75 },
		{ { 2, 2, 2, 2 }, TO_EACH, 4000, .5 },
		/* All bytes twice, or all but a node's own twice with twice the
		 * latencies: the least. */
		{ { 0, 1, 2, 3 }, COMBINED, 400, .5 + 2 * .1 },
		{ { 0, 1, 2, 3 }, COMBINED, 8000, 1 + 2 * 1.5 },
		{ { 0, 0, 1, 1 }, COMBINED, 400, .5 + 2 * .1 },
		{ { 0, 0, 1, 1 }, COMBINED, 8000, 1 + 2 * 1 },
		{ { 2, 2, 2, 2 }, COMBINED, 8000, .5 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct trace_event events[] = {
			{ .bytes = rows[i].bytes,
			  .to_each = rows[i].kind == TO_EACH,
			  .combined = rows[i].kind == COMBINED,
			  .call = CALL_ALL },
			{ .call = CALL_END },
		};
		const int counts[] = { 2, 2, 2, 2 };
		const struct trace_event *of[] = { events, events, events,
						   events };
		struct trace trace = { 4, counts, of };
		struct matched_trace *m =
			matched_trace_create(&trace, NULL, NULL);
		struct rank_result ranks[4];

		ck_assert_double_eq_tol(
			replay(m, 4, rows[i].node, slow, false, ranks).time_s,
			rows[i].time_s, TOL);
		matched_trace_destroy(m);
	}
}
END_TEST

START_TEST(test_random_programs)
{
	struct random random = { 35 };

	for (int i = 0; i < 120; i++) {
		struct random_trace t;
		struct rank_result ranks[RANKS];
		struct replay_result result;
		double work_s = 0;

		random_trace_make(&t, 2 + i % 4, 200, i >= 60, &random);

		struct matched_trace *m =
			matched_trace_create(&t.trace, NULL, NULL);

		ck_assert_ptr_nonnull(m);
		for (int e = 0; e < m->count; e++)
			work_s += m->events[e].work_s;
		/* Somebody always computes. */
		result = replay(m, 1, together, no_link, false, ranks);
		ck_assert_double_eq_tol(result.time_s, work_s, TOL);

		double path_s = result.critical_path_s;
		double moved_s = result.moved_s;

		result = replay(m, t.trace.ranks, apart, no_link, false, ranks);
		ck_assert_double_eq_tol(result.critical_path_s, path_s, TOL);
		ck_assert_double_eq_tol(result.moved_s, moved_s, TOL);
		ck_assert_double_le(result.zeroed_s, path_s);
		ck_assert_double_ge(result.time_s, path_s - TOL);
		for (int r = 0; r < t.trace.ranks; r++)
			ck_assert_double_eq_tol(ranks[r].work_s +
							ranks[r].waited_s,
						ranks[r].end_s, TOL);
		/* A processor for each, and nobody waits to send: the path's
		 * definition. */
		rendezvous_bytes = UINT64_MAX;
		result = replay(m, t.trace.ranks, apart, no_link, false, ranks);
		ck_assert_double_eq_tol(result.time_s, path_s, TOL);
		rendezvous_bytes = 4096;
		matched_trace_destroy(m);
		random_trace_free(&t);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_collective_bytes,
		test_random_programs,
		NULL,
	};

	return suite_run("replay_whole", tests);
}
