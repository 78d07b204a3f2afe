/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_replay.c - small programs by hand, random ones by invariants */
#include <math.h>
#include <string.h>

#include "predictor/replay/trace_replay.h"
#include "tests/unit/predictor/replay/random_trace.h"
#include "tests/unit/suite.h"

#define RANKS 5
#define TOL   1e-9

static const struct replay_node one_core[RANKS] = {
	{ 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 },
};

static uint64_t rendezvous_bytes = 4096;

/* On nodes of one core; every pair of nodes has this link. */
static struct replay_result replay(const struct matched_trace *m, int nodes,
				   const int *node, struct replay_link link,
				   bool spinning, struct rank_result ranks[])
{
	struct replay_link links[RANKS * RANKS];
	struct replay_placement place = {
		.nodes_count = nodes,
		.nodes = one_core,
		.links = links,
		.node = node,
		.rendezvous_bytes = rendezvous_bytes,
		.spinning = spinning,
	};
	struct replay_result result;

	for (int i = 0; i < nodes * nodes; i++)
		links[i] = link;
	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, NULL, NULL),
			 0);
	return result;
}

static const struct replay_link no_link = { 0, HUGE_VAL };
static const struct replay_link slow = { .25, 4000 };
static const int together[RANKS] = { 0 };
static const int apart[RANKS] = { 0, 1, 2, 3, 4 };

static struct matched_trace *match(int ranks, const struct trace_event *a,
				   int a_count, const struct trace_event *b,
				   int b_count, struct sp_error *err)
{
	const int counts[] = { a_count, b_count };
	const struct trace_event *events[] = { a, b };
	struct trace trace = { ranks, counts, events };

	return matched_trace_create(&trace, err);
}

START_TEST(test_ranks_share_a_core)
{
	const struct trace_event a[] = { { .work_s = 2.3, .call = CALL_END } };
	const struct trace_event b[] = { { .work_s = 3.7, .call = CALL_END } };
	struct matched_trace *m = match(2, a, 1, b, 1, NULL);
	struct rank_result ranks[2];

	ck_assert_double_eq_tol(
		replay(m, 1, together, no_link, false, ranks).time_s, 6, TOL);
	ck_assert_double_eq_tol(ranks[0].end_s, 4.6, TOL);
	ck_assert_double_eq_tol(
		replay(m, 2, apart, no_link, false, ranks).time_s, 3.7, TOL);
	matched_trace_destroy(m);
}
END_TEST

START_TEST(test_message)
{
	struct trace_event a[] = {
		{ .work_s = 1.3, .bytes = 1000, .peer = 1 },
		{ .call = CALL_END },
	};
	struct trace_event b[] = {
		{ .work_s = .4, .call = CALL_RECEIVE },
		{ .work_s = .9, .call = CALL_END },
	};
	struct matched_trace *m = match(2, a, 2, b, 2, NULL);
	struct rank_result ranks[2];
	struct replay_result result = replay(m, 2, apart, slow, false, ranks);

	ck_assert_double_eq_tol(result.time_s, 1.3 + .25 + .25 + .9, TOL);
	ck_assert_double_eq_tol(result.critical_path_s, 2.2, TOL);
	ck_assert_double_eq_tol(ranks[1].waited_s, 1.4, TOL);
	ck_assert_double_eq_tol(ranks[0].end_s, 1.3, TOL);
	/* On one core, one that waits competes only if it spins. */
	result = replay(m, 1, together, no_link, false, ranks);
	ck_assert_double_eq_tol(result.time_s, 2.6, TOL);
	result = replay(m, 1, together, no_link, true, ranks);
	ck_assert_double_eq_tol(result.time_s, 2.6 + .9, TOL);
	matched_trace_destroy(m);

	/* A long one is not sent before its receive is there. */
	a[0].bytes = 6000;
	b[0].work_s = 5.1;
	m = match(2, a, 2, b, 2, NULL);
	result = replay(m, 2, apart, slow, false, ranks);
	ck_assert_double_eq_tol(ranks[0].end_s, 5.1 + .25 + 1.5, TOL);
	ck_assert_double_eq_tol(result.time_s, 5.1 + .25 + 1.5 + .9, TOL);
	matched_trace_destroy(m);
}
END_TEST

/* A second message comes while the first is sent, then while it is received. */
START_TEST(test_messages_share_a_port)
{
	const struct trace_event sends[] = {
		{ .bytes = 3000, .peer = 1, .call = CALL_ISEND },
		{ .work_s = .5, .bytes = 1500, .peer = 2, .call = CALL_ISEND },
		{ .call = CALL_END },
	};
	const struct trace_event receives[] = {
		{ .call = CALL_RECEIVE },
		{ .call = CALL_END },
	};
	const struct trace_event early[] = {
		{ .bytes = 2000, .peer = 2, .call = CALL_ISEND },
		{ .call = CALL_END },
	};
	const struct trace_event late[] = {
		{ .work_s = .25, .bytes = 2000, .peer = 2, .call = CALL_ISEND },
		{ .call = CALL_END },
	};
	const struct trace_event both[] = {
		{ .call = CALL_RECEIVE },
		{ .peer = 1, .call = CALL_RECEIVE },
		{ .call = CALL_END },
	};
	const struct trace_event *events[] = { sends, receives, receives };
	struct trace trace = { 3, (const int[]){ 3, 2, 2 }, events };
	struct matched_trace *m = matched_trace_create(&trace, NULL);
	struct rank_result ranks[3];

	/* 2000 of 3000 bytes are sent when the other one comes, at .5 s. */
	replay(m, 3, apart, slow, false, ranks);
	ck_assert_double_eq_tol(ranks[1].end_s, 1 + .25, TOL);
	ck_assert_double_eq_tol(ranks[2].end_s, 1.125 + .25, TOL);
	ck_assert_double_eq_tol(ranks[0].end_s, .5, TOL);
	/* On one node they share nothing. */
	replay(m, 1, together, slow, false, ranks);
	ck_assert_double_eq_tol(ranks[1].end_s, .75 + .25, TOL);
	ck_assert_double_eq_tol(ranks[2].end_s, .5 + .375 + .25, TOL);
	matched_trace_destroy(m);

	events[0] = early;
	events[1] = late;
	events[2] = both;
	trace.counts = (const int[]){ 2, 2, 3 };
	m = matched_trace_create(&trace, NULL);
	replay(m, 3, apart, slow, false, ranks);
	ck_assert_double_eq_tol(ranks[2].waited_s, 1 + .25, TOL);
	ck_assert_double_eq_tol(ranks[2].end_s, 1 + .25, TOL);
	matched_trace_destroy(m);
}
END_TEST

/* A slow link holds up its own messages only. */
START_TEST(test_slow_link)
{
	const struct trace_event sends[] = {
		{ .bytes = 1000, .peer = 1, .call = CALL_ISEND },
		{ .bytes = 1000, .peer = 2, .call = CALL_ISEND },
		{ .call = CALL_END },
	};
	const struct trace_event receives[] = {
		{ .call = CALL_RECEIVE },
		{ .call = CALL_END },
	};
	const struct trace_event *events[] = { sends, receives, receives };
	const struct trace trace = { 3, (const int[]){ 3, 2, 2 }, events };
	struct matched_trace *m = matched_trace_create(&trace, NULL);
	struct replay_link links[9];
	const struct replay_placement place = { .nodes_count = 3,
						.nodes = one_core,
						.links = links,
						.node = apart,
						.rendezvous_bytes = 4096 };
	struct rank_result ranks[3];
	struct replay_result result;

	for (int i = 0; i < 9; i++)
		links[i] = slow;
	links[1].bandwidth_bps = 500;
	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, NULL, NULL),
			 0);
	ck_assert_double_eq_tol(ranks[1].end_s, 2 + .25, TOL);
	ck_assert_double_eq_tol(ranks[2].end_s, .5 + .25, TOL);
	matched_trace_destroy(m);
}
END_TEST

/* Both send long messages, then wait for what they asked for before. */
START_TEST(test_asked_before)
{
	struct trace_event a[] = {
		{ .work_s = 1.3, .bytes = 6000, .peer = 1 },
		{ .call = CALL_RECEIVE, .peer = 1, .bytes = 6000 },
		{ .work_s = .7, .call = CALL_END },
	};
	struct trace_event b[] = {
		{ .work_s = .4, .bytes = 6000 },
		{ .call = CALL_RECEIVE, .bytes = 6000 },
		{ .work_s = .9, .call = CALL_END },
	};
	struct matched_trace *m;
	struct rank_result ranks[2];

	a[1].asked = b[1].asked = true;
	m = match(2, a, 3, b, 3, NULL);
	ck_assert_double_eq_tol(replay(m, 2, apart, slow, false, ranks).time_s,
				1.3 + .25 + 1.5 + .9, TOL);
	ck_assert_double_eq_tol(ranks[0].end_s, .4 + .25 + 1.5 + .7, TOL);
	matched_trace_destroy(m);
	a[0].asked = true;
	ck_assert_ptr_null(match(2, a, 3, b, 3, NULL));
}
END_TEST

START_TEST(test_refused)
{
	const struct trace_event end = { .call = CALL_END };
	const struct trace_event bad[] = {
		{ .peer = 2 },
		{ .peer = -1 },
		{ .work_s = NAN },
		{ .work_s = -1e-9 },
		{ .procedure_s = 1 },
		{ .peer = 1 },
		{ .call = 5 },
		{ .call = CALL_END },
		{ .peer = 1, .wildcard = true },
	};
	struct sp_error err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const struct trace_event a[] = { bad[i], end };

		err.text[0] = '\0';
		ck_assert_ptr_null(match(2, a, 2, &end, 1, &err));
		ck_assert_str_ne(err.text, "");
	}

	const struct trace_event all[] = { { .call = CALL_ALL },
					   { .call = CALL_ALL },
					   end };

	ck_assert_ptr_null(match(2, all, 3, all + 1, 2, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "collectives"));
}
END_TEST

START_TEST(test_ranks_that_wait_for_each_other)
{
	const struct trace_event a[] = { { .peer = 1, .call = CALL_RECEIVE },
					 { .peer = 1 },
					 { .call = CALL_END } };
	const struct trace_event b[] = { { .call = CALL_RECEIVE },
					 { .call = CALL_SEND },
					 { .call = CALL_END } };
	struct matched_trace *m = match(2, a, 3, b, 3, NULL);
	struct replay_placement place = { 1,    one_core, &no_link, together,
					  4096, false,    false,    NULL };
	struct replay_result result = { .time_s = 7.5 };
	struct rank_result ranks[2];
	struct sp_error err;

	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, NULL, &err),
			 -1);
	ck_assert_ptr_nonnull(strstr(err.text, "wait for each other"));
	ck_assert_double_eq(result.time_s, 7.5);
	matched_trace_destroy(m);
}
END_TEST

START_TEST(test_turn)
{
	const struct trace_event a[] = {
		{ .work_s = 1.3, .bytes = 1000, .peer = 1 },
		{ .call = CALL_END },
	};
	struct trace_event b[] = {
		{ .work_s = .4, .call = CALL_RECEIVE },
		{ .work_s = .01, .call = CALL_END },
	};
	const struct replay_node node = { 1, 1, .1 };
	struct replay_placement place = { 1,          &node, &no_link, together,
					  UINT64_MAX, true,  false,    NULL };
	struct replay_result result;
	struct rank_result ranks[2];
	struct matched_trace *m = match(2, a, 2, b, 2, NULL);

	/* Half of the time b is away for .1 s, on the average for half of it
	 * any more; equal shares took the work's tenth of a turn
	 * into account. */
	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, NULL, NULL),
			 0);
	ck_assert_double_eq_tol(result.time_s, 2.6 + .5 * .1 * .4 + .01, TOL);
	ck_assert_double_eq_tol(ranks[1].waited_s + ranks[1].computed_s,
				ranks[1].end_s, TOL);
	matched_trace_destroy(m);

	b[1].work_s = .3; /* long work comes to an equal share */
	m = match(2, a, 2, b, 2, NULL);
	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, NULL, NULL),
			 0);
	ck_assert_double_eq_tol(result.time_s, 2.9, TOL);
	matched_trace_destroy(m);
}
END_TEST

/* A server that recorded the first client first. */
START_TEST(test_open_order)
{
	const struct trace_event server[] = {
		{ .peer = 1, .call = CALL_RECEIVE, .wildcard = true },
		{ .work_s = .5, .peer = 1 },
		{ .work_s = .03,
		  .peer = 2,
		  .call = CALL_RECEIVE,
		  .wildcard = true },
		{ .work_s = .5, .peer = 2 },
		{ .work_s = .2, .call = CALL_END },
	};
	const struct trace_event a[] = {
		{ .work_s = 1 },
		{ .call = CALL_RECEIVE },
		{ .call = CALL_END },
	};
	const struct trace_event b[] = {
		{ .work_s = 1.5 },
		{ .call = CALL_RECEIVE },
		{ .call = CALL_END },
	};
	const int counts[] = { 5, 3, 3 };
	const struct trace_event *events[] = { server, a, b };
	const struct trace trace = { 3, counts, events };
	const struct replay_node nodes[] = { { 1, 1, 0 },
					     { 1, .5, 0 },
					     { 1, 1, 0 } };
	struct replay_link links[9];
	struct replay_placement place = { 3,      nodes, links, apart,
					  999999, false, false, NULL };
	struct matched_trace *m = matched_trace_create(&trace, NULL);
	struct replay_result result;
	struct rank_result ranks[3];

	ck_assert_ptr_nonnull(m);
	for (int i = 0; i < 9; i++)
		links[i] = no_link;
	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, NULL, NULL),
			 0);
	ck_assert_double_eq_tol(ranks[1].end_s, 2.5, TOL);
	ck_assert_double_eq_tol(ranks[2].end_s, 3.03, TOL);
	ck_assert_double_eq_tol(result.time_s, 3.23, TOL);
	place.open_order = true;
	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, NULL, NULL),
			 0);
	ck_assert_double_eq_tol(ranks[2].end_s, 2, TOL);
	ck_assert_double_eq_tol(ranks[1].end_s, 2.5, TOL);
	ck_assert_double_eq_tol(ranks[0].work_s, 1.23, TOL);
	ck_assert_double_eq_tol(result.time_s, 2.73, TOL);
	matched_trace_destroy(m);
}
END_TEST

START_TEST(test_steps)
{
	const struct trace_event a[] = {
		{ .work_s = 1.3, .bytes = 1000, .peer = 1 },
		{ .work_s = .1, .call = CALL_ALL },
		{ .call = CALL_END },
	};
	const struct trace_event b[] = {
		{ .work_s = .4, .call = CALL_RECEIVE },
		{ .work_s = .9, .call = CALL_ALL },
		{ .call = CALL_END },
	};
	struct matched_trace *m = match(2, a, 3, b, 3, NULL);
	const struct replay_node nodes[] = { { 1, 1, 0 }, { 1, 1, 0 } };
	const struct replay_link links[] = { slow, slow, slow, slow };
	const struct replay_placement place = { 2,    nodes, links, apart,
						4096, false, false, NULL };
	struct replay_result result;
	struct rank_result ranks[2];
	struct replay_step steps[6];

	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, steps, NULL),
			 0);
	ck_assert_int_eq(steps[3].cause, 0);
	ck_assert_double_eq_tol(steps[3].begin_s, 0, TOL);
	ck_assert_double_eq_tol(steps[3].call_s, .4, TOL);
	ck_assert_double_eq_tol(steps[3].return_s, 1.8, TOL);
	ck_assert_int_eq(steps[1].cause, 4); /* the last of the collective */
	ck_assert_int_eq(steps[4].cause, -1);
	ck_assert_int_eq(steps[0].cause, -1);
	ck_assert_double_eq_tol(steps[5].call_s, result.time_s, TOL);
	matched_trace_destroy(m);
}
END_TEST

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
		struct matched_trace *m = matched_trace_create(&trace, NULL);
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

		struct matched_trace *m = matched_trace_create(&t.trace, NULL);

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
		test_ranks_share_a_core,
		test_message,
		test_messages_share_a_port,
		test_slow_link,
		test_asked_before,
		test_refused,
		test_ranks_that_wait_for_each_other,
		test_turn,
		test_open_order,
		test_steps,
		test_collective_bytes,
		test_random_programs,
		NULL,
	};

	return suite_run("trace_replay", tests);
}
