/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rank_order.c - unequal ranks in order on unequal nodes */
#include <stdlib.h>
#include <string.h>

#include "predictor/whatif/rank_order.h"
#include "tests/unit/suite.h"

#define RANKS 6
#define TOL   1e-9

/* Work 2 : 7 : 3 : 1 : 4 : 5, no messages; recorded two by two on three nodes,
 * a core for each rank, of which n2 has half the speed. */
static struct run_trace make_run(double measured_s)
{
	static const double work_s[RANKS] = { 2, 3, 7, 4, 1, 5 };
	static struct trace_event ends[RANKS];
	struct trace_event *events[RANKS];
	int counts[RANKS] = { 1, 1, 1, 1, 1, 1 };
	struct run_trace run = {
		.application = "unequal",
		.runtime_s = measured_s,
		.rendezvous_bytes = 65536,
		.nodes_count = 3,
		.nodes = calloc(3, sizeof(*run.nodes)),
		.links = calloc(9, sizeof(*run.links)),
		.ranks = RANKS,
		.whole = true,
		.node = calloc(RANKS, sizeof(*run.node)),
	};

	run.nodes[0] = (struct traced_node){ "n1", 2, 1, 1, 0 };
	run.nodes[1] = (struct traced_node){ "n2", 2, .5, 1, 0 };
	run.nodes[2] = (struct traced_node){ "n3", 2, 1, 1, 0 };
	for (int i = 0; i < 9; i++)
		run.links[i] = RUN_TRACE_FAR;
	for (int r = 0; r < RANKS; r++) {
		ends[r] = (struct trace_event){ .work_s = work_s[r],
						.call = CALL_END };
		events[r] = &ends[r];
		run.node[r] = r / 2;
	}
	ck_assert_int_eq(run_trace_match(&run, events, counts, false, NULL), 0);
	return run;
}

static int find(const struct run_trace *run, const char *nodes,
		struct rank_order *ret, struct sp_error *err)
{
	const struct whatif_question question = { .nodes = nodes,
						  .deadline_s = 20 };

	return rank_order_find(run, &question, ret, err);
}

static int count_on(const struct rank_order *order, const char *node)
{
	int count = 0;

	for (int r = 0; r < order->ranks; r++)
		count += !strcmp(order->names[r], node);
	return count;
}

/* The two lightest ranks go on the slow node: 14 s become 7. */
START_TEST(test_best)
{
	struct run_trace run = make_run(14.28);
	struct rank_order order;
	struct sp_error err;

	ck_assert_msg(!find(&run, "n[1-3]", &order, &err), "%s", err.text);
	ck_assert_int_eq(order.ranks, RANKS);
	/* 0.28 s are not explained. */
	ck_assert_double_eq_tol(order.gain, 14.28 / 7.28, 1e-6);
	ck_assert_double_eq_tol(order.gain_low, order.gain, 1e-6);
	ck_assert(rank_order_pays(&order));
	ck_assert_str_ne(order.names[2], "n2");
	for (int n = 1; n <= 3; n++)
		ck_assert_int_eq(
			count_on(&order, (char[]){ 'n', (char)('0' + n), 0 }),
			2);
	rank_order_clear(&order);
	rank_order_clear(&order);
	run_trace_clear(&run);
}
END_TEST

/* The run before, which took four times as long, would have a say in blocks
 * only. */
START_TEST(test_before)
{
	struct run_trace run = make_run(14.28);
	struct rank_order order;
	struct sp_error err;

	run.before = malloc(sizeof(*run.before));
	*run.before = make_run(4 * 14.28);
	ck_assert_msg(!find(&run, "n[1-3]", &order, &err), "%s", err.text);
	ck_assert_double_eq_tol(order.gain, 14.28 / 7.28, 1e-6);
	ck_assert_double_eq_tol(order.gain_low, order.gain, 1e-6);
	ck_assert_ptr_nonnull(run.before);
	rank_order_clear(&order);
	run_trace_clear(&run);
}
END_TEST

/* Against blocks on the job's own nodes, not against the recorded placement. */
START_TEST(test_other_nodes)
{
	struct run_trace run = make_run(14);
	struct rank_order order;
	struct sp_error err;

	ck_assert_msg(!find(&run, "n7,n1", &order, &err), "%s", err.text);
	ck_assert_int_eq(count_on(&order, "n7"), 3);
	ck_assert_int_eq(count_on(&order, "n1"), 3);
	rank_order_clear(&order);
	/* Three of a kind: any order is as good. */
	ck_assert_msg(!find(&run, "n[7-9]", &order, &err), "%s", err.text);
	ck_assert_double_eq_tol(order.gain, 1, TOL);
	ck_assert(!rank_order_pays(&order));
	rank_order_clear(&order);
	run_trace_clear(&run);
}
END_TEST

/* A run of which the replay explains only a part, and one that it takes for
 * longer than it was. */
START_TEST(test_wrong_replay)
{
	static const struct {
		double measured_s, gain, low;
	} runs[] = {
		{ 14 * 2.1, 29.4 / 22.4, 29.4 / 22.4 },
		{ 14 * 11, 154. / 147, 154. / 147 },
		{ 14 * .7, 2, 1.4 },
		{ 14 * .4, 2, 1 },
	};

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		struct run_trace run = make_run(runs[i].measured_s);
		struct rank_order order;
		struct sp_error err;

		ck_assert_msg(!find(&run, "n[1-3]", &order, &err), "%s",
			      err.text);
		ck_assert_double_eq_tol(order.gain, runs[i].gain, 1e-6);
		ck_assert_double_eq_tol(order.gain_low, runs[i].low, 1e-6);
		ck_assert_int_eq(rank_order_pays(&order), !(i % 2));
		rank_order_clear(&order);
		run_trace_clear(&run);
	}
}
END_TEST

START_TEST(test_exists)
{
	ck_assert(rank_order_exists(6, 3));
	ck_assert(rank_order_exists(7, 7));
	ck_assert(!rank_order_exists(7, 3));
	ck_assert(!rank_order_exists(6, 1));
	ck_assert(!rank_order_exists(0, 3));
	ck_assert(!rank_order_exists(3, 6));
	ck_assert(!rank_order_exists(3, 0));
}
END_TEST

static int unknown(void *context, const char *cluster,
		   struct traced_place *place, struct sp_error *err)
{
	(void)context;
	(void)cluster;
	(void)place;
	return sp_error_set(err, "node n2 was not measured");
}

START_TEST(test_refused)
{
	struct run_trace run = make_run(14);
	struct rank_order order = { .ranks = -3 };
	const struct whatif_question question = { .nodes = "n[1-3]",
						  .conditions = unknown,
						  .deadline_s = 20 };
	struct sp_error err;

	ck_assert_int_eq(rank_order_find(&run, &question, &order, &err), -1);
	ck_assert_str_eq(err.text, "node n2 was not measured");
	ck_assert_int_eq(order.ranks, -3);
	run_trace_clear(&run);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_best,
				       test_before,
				       test_other_nodes,
				       test_wrong_replay,
				       test_exists,
				       test_refused,
				       NULL };

	return suite_run("rank_order", tests);
}
