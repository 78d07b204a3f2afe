/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_stretches.c - stretches that all ranks have, and no others */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/replay/trace_replay.h"
#include "predictor/trace/run_trace.h"
#include "predictor/trace/trace_format.h"
#include "predictor/trace/trace_stretches.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define RANKS     3
#define STRETCHES 4000
#define MOST      (STRETCHES * 12)

/* A program that goes round a ring, then all meet.  In a late one a message
 * arrives in the stretch after that in which it is sent; a collective that does
 * not block may be waited for there, too.  What a stretch has to do differs:
 * its number can be read from the work. */
struct ring {
	bool late;
	enum begins { BEGINS_NONE, BEGINS_WITHIN, BEGINS_ACROSS } begins;
	int levels[RANKS]; /* at last; one more for each quarter of the run */
	int counts[RANKS];
	struct trace_event *events[RANKS];
	double all_s;
};

static double work_of(int stretch)
{
	return 1e-3 * (1 + (stretch % 7 == 0) * 5);
}

static void ring_add(struct ring *t, int r, struct trace_event e)
{
	t->events[r][t->counts[r]++] = e;
}

static int level_at(const struct ring *t, int r, int stretch)
{
	return t->levels[r] * (4 * stretch / STRETCHES) / 3;
}

/* A stretch's events, recorded or not: then only counted. */
static void ring_stretch(struct ring *t, int r, int n, double work_s,
			 bool recorded, int *balance)
{
	struct trace_event send = { .work_s = work_s,
				    .call = CALL_ISEND,
				    .peer = (r + 1) % RANKS,
				    .tag = n % 3 };
	struct trace_event receive = { .work_s = 1e-5,
				       .call = CALL_RECEIVE,
				       .peer = (r + RANKS - 1) % RANKS,
				       .tag = n % 3 };
	struct trace_event all = { .call = CALL_ALL, .ends_stretch = true };
	const struct trace_event begins = { .call = CALL_IALL,
					    .comm = 4,
					    .peer = r };
	const struct trace_event waits = { .call = CALL_WAIT, .peer = r };
	bool first = t->late && !n;

	receive.tag = t->late ? (n + 2) % 3 : n % 3;
	*balance += first + (t->begins == BEGINS_ACROSS && !n);
	t->all_s += work_s + (first ? 0 : receive.work_s);
	if (!recorded)
		return;
	if (t->begins == BEGINS_ACROSS && n)
		ring_add(t, r, waits);
	if (t->begins)
		ring_add(t, r, begins);
	if (t->late && !first)
		ring_add(t, r, receive);
	ring_add(t, r, send);
	if (!t->late)
		ring_add(t, r, receive);
	if (t->begins == BEGINS_WITHIN)
		ring_add(t, r, waits);
	ring_add(t, r, all);
}

static void ring_fill_rank(struct ring *t, int r)
{
	int level = 0, balance = 0;
	bool skipped = false;

	t->events[r] = calloc(MOST, sizeof(**t->events));
	for (int n = 0; n < STRETCHES; n++) {
		int now = level_at(t, r, n);
		bool recorded = trace_stretch_is_recorded(n, now);

		if (recorded && (skipped || now != level))
			ring_add(t, r,
				 (struct trace_event){ .call = CALL_GAP,
						       .bytes = n,
						       .peer = balance,
						       .level = now });
		ring_stretch(t, r, n, work_of(n) * (r + 1), recorded, &balance);
		skipped = !recorded;
		level = now;
	}
	if (skipped)
		ring_add(t, r,
			 (struct trace_event){ .call = CALL_GAP,
					       .bytes = STRETCHES,
					       .level = TRACE_NO_LEVEL });
	ring_add(t, r, (struct trace_event){ .call = CALL_END });
}

static void ring_fill(struct ring *t)
{
	for (int r = 0; r < RANKS; r++)
		ring_fill_rank(t, r);
}

static void ring_free(struct ring *t)
{
	for (int r = 0; r < RANKS; r++)
		free(t->events[r]);
}

static struct matched_trace *match(struct ring *t, struct sp_error *err)
{
	const struct trace trace = {
		RANKS, t->counts, (const struct trace_event *const *)t->events
	};

	return matched_trace_create(&trace, NULL, err);
}

static struct replay_result replay(const struct matched_trace *m)
{
	const struct replay_node nodes[RANKS] = { { 1, 1, 0 },
						  { 1, 1, 0 },
						  { 1, 1, 0 } };
	struct replay_link links[RANKS * RANKS];
	const int node[RANKS] = { 0, 1, 2 };
	const struct replay_placement place = { RANKS, nodes, links, node,
						4096,  false, false, NULL };
	struct rank_result ranks[RANKS];
	struct replay_result result;
	struct sp_error err;

	for (int i = 0; i < RANKS * RANKS; i++)
		links[i] = (struct replay_link){ 1e-7, 1e9 };
	ck_assert_msg(!trace_replay(m, &place, &result, ranks, NULL, &err),
		      "%s", err.text);
	return result;
}

/* Ranks of different levels: the whole run's time from a part of it. */
static void check_sample(enum begins begins)
{
	struct ring all = { .begins = begins };
	struct ring some = { .begins = begins, .levels = { 1, 3, 2 } };
	struct sp_error err;

	ring_fill(&all);
	ring_fill(&some);
	ck_assert(!trace_is_sampled(RANKS, all.events, all.counts));
	ck_assert(trace_is_sampled(RANKS, some.events, some.counts));
	ck_assert_int_eq(trace_stretches_join(RANKS, some.events, some.counts,
					      true, &err),
			 0);
	ck_assert(!trace_is_sampled(RANKS, some.events, some.counts));
	ck_assert_int_lt(some.counts[1], all.counts[1] / 2);

	struct matched_trace *a = match(&all, &err);
	struct matched_trace *b = match(&some, &err);

	ck_assert_msg(a && b, "%s", err.text);

	struct replay_result whole = replay(a), part = replay(b);

	ck_assert_double_eq(whole.run_s, whole.time_s);
	ck_assert_double_lt(part.time_s, .5 * whole.time_s);
	ck_assert_double_eq_tol(part.run_s / whole.run_s, 1, .15);
	matched_trace_destroy(a);
	matched_trace_destroy(b);
	ring_free(&all);
	ring_free(&some);
}

START_TEST(test_time_of_a_sample)
{
	check_sample(BEGINS_NONE);
	check_sample(BEGINS_WITHIN);
}
END_TEST

/* Messages or collectives always cross: what all recorded from the start
 * is left. */
static void check_across(bool late, enum begins begins)
{
	struct ring t = { .late = late,
			  .begins = begins,
			  .levels = { 1, 3, 2 } };
	struct run_trace run = { .whole = true, .ranks = RANKS };
	struct traced_node node = { "n", 1, 1, 1, 0 };
	int on[RANKS] = { 0 };
	struct sp_error err;

	ring_fill(&t);
	run.nodes = &node;
	run.node = on;
	ck_assert_msg(!run_trace_match(&run, t.events, t.counts, false, &err),
		      "%s", err.text);
	ck_assert_int_gt(run.trace->count, RANKS * (STRETCHES / 4) * 2);
	ck_assert_int_lt(run.trace->count, RANKS * STRETCHES * 2);
	ck_assert_double_gt(run.seen, .2);
	ck_assert_double_le(run.seen, 1);
	(void)replay(run.trace);
	matched_trace_destroy(run.trace);
	ring_free(&t);
}

START_TEST(test_across)
{
	check_across(true, BEGINS_NONE);
	check_across(false, BEGINS_ACROSS);
}
END_TEST

/* A rank that died, at any event: what comes before can be replayed. */
START_TEST(test_dies_anywhere)
{
	struct random random = { 5 };

	for (int i = 0; i < 60; i++) {
		struct ring t = { .late = i % 2,
				  .begins = i % 3,
				  .levels = { 2, 1, 3 } };
		struct run_trace run = { .ranks = RANKS };
		struct traced_node node = { "n", 1, 1, 1, 0 };
		int on[RANKS] = { 0 };
		int r = random_below(&random, RANKS);
		struct sp_error err;

		ring_fill(&t);
		t.counts[r] = 1 + random_below(&random, t.counts[r]);
		t.events[r][t.counts[r] - 1] =
			(struct trace_event){ .call = CALL_END };
		run.nodes = &node;
		run.node = on;
		ck_assert_msg(
			!run_trace_match(&run, t.events, t.counts, false, &err),
			"%s", err.text);
		(void)replay(run.trace);
		matched_trace_destroy(run.trace);
		ring_free(&t);
	}
}
END_TEST

/* Numbers that go back are refused; any other events are only of no use. */
START_TEST(test_hostile)
{
	struct random random = { 77 };

	for (int i = 0; i < 2000; i++) {
		struct trace_event events[RANKS][30] = { 0 };
		struct trace_event *of[RANKS];
		int counts[RANKS];
		struct sp_error err = { "" };

		for (int r = 0; r < RANKS; r++) {
			of[r] = events[r];
			counts[r] = 1 + random_below(&random, 30);
			for (int k = 0; k < counts[r]; k++) {
				struct trace_event *e = &events[r][k];

				e->call = random_below(&random, 4) ? CALL_ALL
								   : CALL_GAP;
				if (!random_below(&random, 4))
					e->call = CALL_ISEND;
				e->ends_stretch = e->call == CALL_ALL;
				e->bytes =
					(uint64_t)k + random_below(&random, 3);
				e->level = random_below(&random, 10);
				e->work_s = 1;
			}
			events[r][counts[r] - 1] =
				(struct trace_event){ .call = CALL_END };
		}
		if (trace_stretches_join(RANKS, of, counts, i & 1, &err)) {
			ck_assert_str_ne(err.text, "");
			continue;
		}
		for (int r = 0; r < RANKS; r++)
			ck_assert_int_eq(of[r][counts[r] - 1].call, CALL_END);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_time_of_a_sample, test_across, test_dies_anywhere,
		test_hostile,          NULL,
	};

	return suite_run("trace_stretches", tests);
}
