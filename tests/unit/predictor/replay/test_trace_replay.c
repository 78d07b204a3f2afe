/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_replay.c - small programs by hand */
#include <math.h>
#include <string.h>

#include "tests/unit/predictor/replay/replay_small.h"

static struct matched_trace *match(int ranks, const struct trace_event *a,
				   int a_count, const struct trace_event *b,
				   int b_count, struct sp_error *err)
{
	const int counts[] = { a_count, b_count };
	const struct trace_event *events[] = { a, b };
	struct trace trace = { ranks, counts, events };

	return matched_trace_create(&trace, NULL, err);
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
	struct matched_trace *m = matched_trace_create(&trace, NULL, NULL);
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
	m = matched_trace_create(&trace, NULL, NULL);
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
	struct matched_trace *m = matched_trace_create(&trace, NULL, NULL);
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
	struct matched_trace *m = matched_trace_create(&trace, NULL, NULL);
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
		NULL,
	};

	return suite_run("trace_replay", tests);
}
