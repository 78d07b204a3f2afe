/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_run_replay.c - farms, calibration, factors, a moved procedure */
#include <math.h>
#include <stdlib.h>

#include "predictor/replay/procedure_move.h"
#include "predictor/replay/run_replay.h"
#include "tests/unit/suite.h"

#define TOL 1e-9

static const int node[] = { 0, 1, 2 };
static const struct replay_link links[9] = {
	{ 0, HUGE_VAL }, { 0, HUGE_VAL }, { 0, HUGE_VAL },
	{ 0, HUGE_VAL }, { 0, HUGE_VAL }, { 0, HUGE_VAL },
	{ 0, HUGE_VAL }, { 0, HUGE_VAL }, { 0, HUGE_VAL },
};

static struct replay_placement place_on(const struct replay_node nodes[])
{
	return (struct replay_placement){ 3,    nodes, links, node,
					  4096, false, false, NULL };
}

#define FARM_TASKS 24

/* Rank 0 hands out tasks of .5 s to two workers, who took turns; with
 * `requests` they are clients that call rank 0 first. */
static struct matched_trace *farm(bool requests)
{
	static struct trace_event hub[3 * FARM_TASKS + 8];
	static struct trace_event workers[2][3 * FARM_TASKS + 8];
	int counts[3] = { 0 };
	const struct trace_event *events[] = { hub, workers[0], workers[1] };

	for (int w = 0; requests && w < 2; w++) {
		workers[w][counts[1 + w]++] = (struct trace_event){ .peer = 0 };
		hub[counts[0]++] = (struct trace_event){ .call = CALL_RECEIVE,
							 .peer = 1 + w,
							 .wildcard = true };
	}
	for (int i = 0; i < FARM_TASKS + 2; i++) {
		int w = i % 2;

		if (i >= 2)
			hub[counts[0]++] =
				(struct trace_event){ .call = CALL_RECEIVE,
						      .peer = 1 + w,
						      .wildcard = true };
		if (i >= FARM_TASKS)
			continue;
		hub[counts[0]++] =
			(struct trace_event){ .work_s = .001, .peer = 1 + w };
		workers[w][counts[1 + w]++] =
			(struct trace_event){ .call = CALL_RECEIVE };
		workers[w][counts[1 + w]++] =
			(struct trace_event){ .work_s = .5 };
	}
	hub[counts[0]++] = (struct trace_event){ .call = CALL_END };
	for (int w = 0; w < 2; w++)
		workers[w][counts[1 + w]++] =
			(struct trace_event){ .call = CALL_END };

	const struct trace trace = { 3, counts, events };

	return matched_trace_create(&trace, NULL, NULL);
}

START_TEST(test_farm)
{
	struct matched_trace *m = farm(false);
	const struct replay_node same[] = { { 1, 1, 0 },
					    { 1, 1, 0 },
					    { 1, 1, 0 } };
	const struct replay_node unequal[] = { { 1, 1, 0 },
					       { 1, .5, 0 },
					       { 1, 2.5, 0 } };
	struct replay_placement recorded = place_on(same);
	struct replay_placement elsewhere = place_on(unequal);
	struct run_replay run;
	double time_s;

	ck_assert_int_eq(run_replay_create(m, &recorded, 6.6, &run, NULL), 0);
	ck_assert(run.is_farm);
	ck_assert_int_eq(run.farm.hub, 0);
	ck_assert_int_eq(run.farm.tasks_count, FARM_TASKS);
	ck_assert_int_eq(run.farm.rounds_count, 1);
	ck_assert_double_eq_tol(run.replayed_s, 12 * .5, .03);
	ck_assert_int_eq(run_replay_time(&run, &recorded, &time_s, NULL), 0);
	ck_assert_double_eq_tol(time_s, 6.6, TOL);
	/* 3 tasks' speed in all, 12 s of work: 4 s, and .6 s by calibration;
	 * the recorded matches would have the slow one do half of them, in
	 * 12 s. */
	ck_assert_int_eq(run_replay_time(&run, &elsewhere, &time_s, NULL), 0);
	ck_assert_double_eq_tol(time_s, 4.6, .4);
	run_replay_clear(&run);
	matched_trace_destroy(m);

	m = farm(true); /* each client has as much to ask as the other */
	ck_assert_int_eq(run_replay_create(m, &recorded, 6.6, &run, NULL), 0);
	ck_assert(!run.is_farm);
	ck_assert_int_eq(run_replay_time(&run, &elsewhere, &time_s, NULL), 0);
	ck_assert_double_gt(time_s, 12);
	run_replay_clear(&run);
	ck_assert_int_eq(run_replay_create(m, &recorded, NAN, &run, NULL), -1);
	matched_trace_destroy(m);
}
END_TEST

/* Workers ask for their first task, so that the hub receives from the second
 * one before a task is done; the first is twice as fast. */
START_TEST(test_workers_ask_first)
{
	static struct trace_event hub[2 * FARM_TASKS + 8];
	static struct trace_event workers[2][2 * FARM_TASKS + 8];
	int counts[3] = { 0, 1, 1 };
	const struct trace_event *events[] = { hub, workers[0], workers[1] };
	const struct trace trace = { 3, counts, events };
	const struct replay_node nodes[] = { { 1, 1, 0 },
					     { 1, 1, 0 },
					     { 1, .5, 0 } };
	struct replay_placement recorded = place_on(nodes);
	struct run_replay run;

	for (int i = 0; i < FARM_TASKS + 2; i++) {
		int w = i < FARM_TASKS ? i % 3 == 1 : i - FARM_TASKS;

		hub[counts[0]++] = (struct trace_event){ .call = CALL_RECEIVE,
							 .peer = 1 + w,
							 .wildcard = true };
		if (i >= FARM_TASKS)
			continue;
		hub[counts[0]++] =
			(struct trace_event){ .work_s = .001, .peer = 1 + w };
		workers[w][counts[1 + w]++] =
			(struct trace_event){ .call = CALL_RECEIVE };
		workers[w][counts[1 + w]++] =
			(struct trace_event){ .work_s = .5 };
	}
	hub[counts[0]++] = (struct trace_event){ .call = CALL_END };
	for (int w = 0; w < 2; w++)
		workers[w][counts[1 + w]++] =
			(struct trace_event){ .call = CALL_END };

	struct matched_trace *m = matched_trace_create(&trace, NULL, NULL);

	ck_assert_ptr_nonnull(m);
	ck_assert_int_eq(run_replay_create(m, &recorded, 8, &run, NULL), 0);
	ck_assert(run.is_farm);
	ck_assert_int_eq(run.farm.tasks_count, FARM_TASKS);
	ck_assert_int_eq(run.farm.rounds_count, 1);
	ck_assert_double_eq_tol(run.replayed_s, FARM_TASKS * .5 / 1.5, .2);
	run_replay_clear(&run);
	matched_trace_destroy(m);
}
END_TEST

/* Two ranks of 3 and 2 s, alone and on one node: what the run took longer than
 * its replay is added, what it took less is multiplied. */
START_TEST(test_calibration)
{
	static const struct {
		double measured_s, factor, added_s, there_s, slow_s,
			slow_there_s;
	} cases[] = {
		{ 4.5, 1.5, 1.5, 6.5, 9, 8 },
		{ 2.4, .8, 0, 4, 4.8, 4 },
		{ 0, 1, 0, 5, 6, 5 },
	};
	const struct trace_event a[] = { { .work_s = 3, .call = CALL_END } };
	const struct trace_event b[] = { { .work_s = 2, .call = CALL_END } };
	const int counts[] = { 1, 1 }, together[] = { 2, 2 };
	const struct trace_event *events[] = { a, b };
	const struct trace trace = { 2, counts, events };
	const struct replay_node nodes[] = { { 1, 1, 0 },
					     { 1, 1, 0 },
					     { 1, 1, 0 } };
	const struct replay_node slow[] = { { 1, .5, 0 },
					    { 1, .5, 0 },
					    { 1, 1, 0 } };
	struct matched_trace *m = matched_trace_create(&trace, NULL, NULL);

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct replay_placement here = place_on(nodes);
		struct replay_placement now = place_on(slow);
		struct replay_placement there = here;
		struct run_replay run;
		double time_s;

		there.node = together;
		ck_assert_int_eq(run_replay_create(m, &here,
						   cases[i].measured_s, &run,
						   NULL),
				 0);
		ck_assert_double_eq_tol(run.factor, cases[i].factor, TOL);
		ck_assert_double_eq_tol(run.added_s, cases[i].added_s, TOL);
		ck_assert_int_eq(run_replay_time(&run, &there, &time_s, NULL),
				 0);
		ck_assert_double_eq_tol(time_s, cases[i].there_s, TOL);

		/* Nodes of half the speed double what is added. */
		ck_assert_int_eq(run_replay_again(&run, &now, &time_s, NULL),
				 0);
		ck_assert_double_eq_tol(time_s, cases[i].slow_s, TOL);
		ck_assert_int_eq(run_replay_time(&run, &there, &time_s, NULL),
				 0);
		ck_assert_double_eq_tol(time_s, cases[i].slow_there_s, TOL);
		run_replay_clear(&run);
	}
	matched_trace_destroy(m);
}
END_TEST

START_TEST(test_factors)
{
	const struct trace_event a[] = {
		{ .work_s = 3, .peer = 1, .bytes = 100 },
		{ .call = CALL_END },
	};
	const struct trace_event b[] = {
		{ .work_s = .5, .call = CALL_RECEIVE },
		{ .work_s = .5, .call = CALL_END },
	};
	const int counts[] = { 2, 2 };
	const struct trace_event *events[] = { a, b };
	const struct trace trace = { 2, counts, events };
	struct matched_trace *m = matched_trace_create(&trace, NULL, NULL);
	const struct replay_node nodes[] = { { 1, 1, 0 }, { 1, 1, 0 } };
	const struct replay_link slow = { .5, 100 };
	const struct replay_link slow_links[] = { slow, slow, slow, slow };
	const struct replay_placement place = { 2,    nodes, slow_links, node,
						4096, false, false,      NULL };
	struct model_factors factors;

	ck_assert_int_eq(replay_factors(m, &place, &factors, NULL), 0);
	ck_assert_double_eq_tol(factors.load_balance, 2 / 3., TOL);
	ck_assert_double_eq_tol(factors.serialisation, 3 / 3.5, TOL);
	ck_assert_double_eq_tol(factors.transfer, 3.5 / 5, TOL);
	matched_trace_destroy(m);
}
END_TEST

START_TEST(test_move)
{
	const struct trace_event a[] = {
		{ .work_s = 3, .procedure_s = 1.7, .peer = 1 },
		{ .work_s = .3, .procedure_s = .2, .call = CALL_END },
	};
	const struct trace_event b[] = {
		{ .work_s = .5, .call = CALL_RECEIVE },
		{ .work_s = .5, .call = CALL_END },
	};
	const int counts[] = { 2, 2 };
	const struct trace_event *events[] = { a, b };
	const struct trace trace = { 2, counts, events };
	struct matched_trace *m = matched_trace_create(&trace, NULL, NULL);
	struct matched_trace *moved = procedure_move(m);

	ck_assert_double_eq_tol(moved->events[0].work_s, 1.3, TOL);
	ck_assert_double_eq_tol(moved->events[2].work_s, 2.2, TOL);
	ck_assert_double_eq_tol(moved->events[1].work_s, .3, TOL);
	ck_assert_double_eq_tol(m->events[0].work_s, 3, TOL);
	matched_trace_destroy(m);
	matched_trace_destroy(moved);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_farm,        test_workers_ask_first,
				       test_calibration, test_factors,
				       test_move,        NULL };

	return suite_run("run_replay", tests);
}
