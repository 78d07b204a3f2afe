/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rank_work.c - how unequal the work of nodes was */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/replay/rank_work.h"
#include "tests/unit/suite.h"

#define RANKS      6
#define EVENTS_MAX 8
#define TOL        1e-9

struct recorded {
	struct trace_event events[RANKS][EVENTS_MAX];
	int counts[RANKS];
};

/* Work, then a call. */
static struct trace_event *add(struct recorded *x, int rank, double work_s,
			       enum trace_call call)
{
	struct trace_event *e = &x->events[rank][x->counts[rank]++];

	*e = (struct trace_event){ .work_s = work_s, .call = call };
	return e;
}

/* All ranks meet; the stretch stands for 4^level. */
static void add_meeting(struct recorded *x, const double work_s[RANKS],
			int level)
{
	for (int r = 0; r < RANKS; r++) {
		struct trace_event *e = add(x, r, work_s[r], CALL_ALL);

		e->ends_stretch = true;
		e->level = (uint8_t)level;
	}
}

static void add_ends(struct recorded *x, const double work_s[RANKS])
{
	for (int r = 0; r < RANKS; r++)
		add(x, r, work_s[r], CALL_END);
}

/* Two by two on n9, n10 and n11, of which n10 was slow. */
static struct run_trace run_of(struct recorded *x)
{
	struct trace_event *events[RANKS];
	struct run_trace run = {
		.application = "unequal",
		.runtime_s = 17.7,
		.rendezvous_bytes = 65536,
		.nodes_count = 4,
		.nodes = calloc(4, sizeof(*run.nodes)),
		.links = calloc(16, sizeof(*run.links)),
		.ranks = RANKS,
		.whole = true,
		.node = calloc(RANKS, sizeof(*run.node)),
	};

	/* As the database has them; one had no rank. */
	run.nodes[0] = (struct traced_node){ "n10", 2, .3, .5, 0 };
	run.nodes[1] = (struct traced_node){ "n11", 2, 1, 1, 0 };
	run.nodes[2] = (struct traced_node){ "n12", 2, 1, 1, 0 };
	run.nodes[3] = (struct traced_node){ "n9", 2, 1, 1, 0 };
	for (int i = 0; i < 16; i++)
		run.links[i] = RUN_TRACE_FAR;
	for (int r = 0; r < RANKS; r++) {
		static const int node[] = { 3, 0, 1 };

		events[r] = x->events[r];
		run.node[r] = node[r / 2];
	}
	ck_assert_int_eq(run_trace_match(&run, events, x->counts, false, NULL),
			 0);
	return run;
}

static void find(const struct run_trace *run, struct rank_work *ret)
{
	struct sp_error err = { "" };

	ck_assert_msg(!rank_work_find(run, ret, &err), "%s", err.text);
	ck_assert_int_eq(ret->nodes, 3);
}

static void find_none(const struct run_trace *run, const char *why)
{
	struct sp_error err = { "" };
	struct rank_work work;

	ck_assert_int_eq(rank_work_find(run, &work, &err), -1);
	ck_assert_str_eq(err.text, why);
	ck_assert_int_eq(work.in_blocks, !strstr(why, "not in blocks"));
}

/* The busiest rank of each node; seconds on n10, of half the speed, are half
 * the work. */
START_TEST(test_blocks)
{
	static const double work_s[RANKS] = { 2, 3.1, 12.8, 4, 1, 5.3 };
	struct recorded x = { .counts = { 0 } };
	struct rank_work work;

	add_ends(&x, work_s);

	struct run_trace run = run_of(&x);

	find(&run, &work);
	ck_assert_double_eq_tol(work.of[0], 3.1 / 6.4, TOL);
	ck_assert_double_eq_tol(work.of[1], 1, TOL);
	ck_assert_double_eq_tol(work.of[2], 5.3 / 6.4, TOL);
	run_trace_clear(&run);
}
END_TEST

/* A sampled stretch counts for four, and an idle node not as none. */
START_TEST(test_stretches)
{
	static const double one_s[RANKS] = { 1, 1.5, 1, 2, 0, 0.01 };
	static const double other_s[RANKS] = { 3, 2, 2, 10, 0, 0 };
	static const double end_s[RANKS] = { 0.1, 0.5, 0, 0, 0, 0 };
	struct recorded x = { .counts = { 0 } };
	struct rank_work work;

	add_meeting(&x, one_s, 1);
	add_meeting(&x, other_s, 0);
	add_ends(&x, end_s);

	/* n9: 4 * 1.5 + 2 + 0.5, or 4 * 1 + 3 + 0.1; n10: (4 * 2 + 10) / 2. */
	struct run_trace run = run_of(&x);

	find(&run, &work);
	ck_assert_double_eq_tol(work.of[1], 1, TOL);
	ck_assert_double_eq_tol(work.of[0], 8.5 / 9, TOL);
	ck_assert_double_eq_tol(work.of[2], 0.05, TOL);
	run_trace_clear(&run);
}
END_TEST

/* Ranks that work in turn have half of the work each, and no time to spare. */
START_TEST(test_in_turn)
{
	static const double first_s[RANKS] = { 3, 3, 0, 0, 0, 0 };
	static const double last_s[RANKS] = { 0, 0, 14, 14, 4, 4 };
	static const double end_s[RANKS] = { 0 };
	struct recorded x = { .counts = { 0 } };
	struct rank_work work;

	add_meeting(&x, first_s, 0);
	add_meeting(&x, last_s, 0);
	add_ends(&x, end_s);

	struct run_trace run = run_of(&x);

	find(&run, &work);
	ck_assert_double_eq_tol(work.of[1], 1, TOL);
	/* 3 of 7 by the sum; 10 s become 10.5 at most. */
	ck_assert_double_ge(work.of[0], 0.857);
	/* This one had time, but what is taken back is taken from all. */
	ck_assert_double_ge(work.of[2], 4. / 7);
	ck_assert_double_lt(work.of[2], 1.01);
	run_trace_clear(&run);
}
END_TEST

/* Nothing is given away: the shares are those of the work. */
START_TEST(test_alike)
{
	static const double work_s[RANKS] = { 2, 7.1, 14.4, 4, 1, 7 };
	struct recorded x = { .counts = { 0 } };
	struct rank_work work;

	add_ends(&x, work_s);

	struct run_trace run = run_of(&x);

	find(&run, &work);
	ck_assert_double_eq_tol(work.of[0], 7.1 / 7.2, TOL);
	ck_assert_double_eq_tol(work.of[2], 7 / 7.2, TOL);
	run_trace_clear(&run);
}
END_TEST

START_TEST(test_none)
{
	static const double work_s[RANKS] = { 2, 3, 7, 4, 1, 5 };
	static const double idle_s[RANKS] = { 0 };
	struct recorded x = { .counts = { 0 } }, idle = { .counts = { 0 } };

	add_ends(&x, work_s);
	add_ends(&idle, idle_s);

	struct run_trace run = run_of(&x);

	run.whole = false;
	find_none(&run, "some of its ranks have no end");
	run.whole = true;
	/* n9, n10, n9, n10, n11, n11: in turn; then on nodes in another order;
	 * then one, three and two; then all on one. */
	run.node[1] = 0;
	run.node[2] = 3;
	find_none(&run, "its ranks were not in blocks");
	run.node[0] = run.node[1] = 0;
	run.node[2] = run.node[3] = 3;
	find_none(&run, "its ranks were not in blocks");
	run.node[0] = 3;
	run.node[1] = run.node[2] = run.node[3] = 0;
	find_none(&run, "its ranks were not in blocks");
	for (int r = 0; r < RANKS; r++)
		run.node[r] = 1;
	find_none(&run, "its ranks were not in blocks");
	run_trace_clear(&run);
	run = run_of(&idle);
	find_none(&run, "no rank has any work");
	run_trace_clear(&run);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_blocks,  test_stretches,
				       test_in_turn, test_alike,
				       test_none,    NULL };

	return suite_run("rank_work", tests);
}
