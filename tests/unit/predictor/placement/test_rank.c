/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rank.c - the node set on which a job would run shortest */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/predictor/placement/ranking_case.h"

/* Whether exactly these were chosen: "0 3". */
static void expect(struct ranking_case *x, const char *expected)
{
	char text[64] = "";

	ck_assert_int_eq(ranking_choose(x), 0);
	for (uint32_t i = 0; i < x->request.nodes; i++)
		sprintf(text + strlen(text), i ? " %u" : "%u", x->chosen[i]);
	ck_assert_str_eq(text, expected);
}

/* Candidates that may have room, behind the three of the request. */
START_TEST(test_no_slower)
{
	struct ranking_case x;
	uint32_t others[RANKING_MANY];

	ranking_set_up(&x, 7, 1);
	ranking_set_available(&x, 0, 0.4);
	ranking_set_available(&x, 1, 0.8);
	ranking_set_available(&x, 2, 0.3);
	ranking_set_available(&x, 3, 0.79); /* within the tie */
	ranking_set_available(&x, 4, 0.6);
	ranking_set_available(&x, 6, 0.75);
	x.request.count = 3;
	expect(&x, "1");
	ck_assert_uint_eq(
		rank_no_slower(&x.request, x.scratch, x.chosen, 1, 4, others),
		2);
	ck_assert_uint_eq(others[0], 3);
	ck_assert_uint_eq(others[1], 5);
	/* No slower than the slower one of two. */
	x.request.nodes = 2;
	expect(&x, "0 1");
	ck_assert_uint_eq(
		rank_no_slower(&x.request, x.scratch, x.chosen, 2, 4, others),
		4);
	ck_assert_uint_eq(
		rank_no_slower(&x.request, x.scratch, x.chosen, 2, 0, others),
		0);
	/* Where nothing is known of the job, no node is worse. */
	x.request.model = NULL;
	ck_assert_uint_eq(
		rank_no_slower(&x.request, x.scratch, x.chosen, 2, 4, others),
		4);
	ranking_tear_down(&x);
}
END_TEST

START_TEST(test_takes_the_free_ones)
{
	struct ranking_case x;

	ranking_set_up(&x, 4, 2);
	ranking_set_available(&x, 0, 0.5);
	ranking_set_available(&x, 2, 0.7);
	expect(&x, "1 3");
	ck_assert(!x.result.indifferent);
	ck_assert_double_eq_tol(x.result.best.runtime_s, 100, 0.01);
	ck_assert_double_eq_tol(x.result.stock.runtime_s, 200, 0.01);
	ck_assert_float_eq_tol(x.result.stock.offer.available, 0.5f, 1e-6f);
	x.request.nodes = 3;
	expect(&x, "1 2 3");
	x.request.nodes = 4;
	expect(&x, "0 1 2 3");
	ck_assert(x.result.indifferent);
	x.request.nodes = 5;
	ck_assert_int_eq(ranking_choose(&x), -1);
	x.request.nodes = 0;
	ck_assert_int_eq(ranking_choose(&x), -1);
	ranking_tear_down(&x);
}
END_TEST

START_TEST(test_equals_stay_in_order)
{
	struct ranking_case x;

	ranking_set_up(&x, 4, 2);
	ranking_set_available(&x, 0, 0.99);
	ranking_set_available(&x, 1, 0.985);
	expect(&x, "0 1"); /* within 2 % */
	ck_assert(x.result.indifferent);
	ranking_set_available(&x, 1, 0.9);
	expect(&x, "0 2");
	ck_assert(!x.result.indifferent);
	x.request.tie = 0.001f;
	expect(&x, "2 3");
	x.request.tie = 0.2f;
	expect(&x, "0 1");

	/* The order is that of the candidates, not of the nodes. */
	x.candidates[0].node = 3;
	x.candidates[3].node = 0;
	x.request.tie = 0;
	expect(&x, "0 2");
	ranking_tear_down(&x);
}
END_TEST

START_TEST(test_required_ones_are_in)
{
	struct ranking_case x;

	ranking_set_up(&x, 5, 2);
	ranking_set_available(&x, 0, 0.25);
	ranking_set_available(&x, 1, 0.5);
	ranking_set_available(&x, 2, 0.2);
	x.request.required = 1;
	expect(&x, "0 1"); /* no node need be faster than node 0 */
	ck_assert(x.result.indifferent);
	ranking_set_available(&x, 1, 0.1);
	expect(&x, "0 3");
	x.request.required = 2;
	expect(&x, "0 1");
	x.request.required = 3;
	ck_assert_int_eq(ranking_choose(&x), -1);
	ranking_tear_down(&x);
}
END_TEST

START_TEST(test_stale_nodes_are_as_the_median)
{
	struct ranking_case x;

	ranking_set_up(&x, 5, 1);
	ranking_set_available(&x, 0, NAN);
	ranking_set_available(&x, 1, 0.4);
	ranking_set_available(&x, 2, 0.6);
	ranking_set_available(&x, 3, 0.9);
	ranking_set_available(&x, 4, 0.8);
	expect(&x, "3");
	x.candidates[4].node = SNAPSHOT_NONE; /* not in the snapshot */
	ranking_set_available(&x, 4, 0.1);
	ranking_set_available(&x, 3, 0.5);

	/* 0.5 is the upper median of 0.1, 0.4, 0.5, 0.6. */
	x.request.nodes = 4;
	expect(&x, "0 2 3 4");
	ck_assert_uint_eq(x.result.best.stale, 2);
	x.request.nodes = 1;
	expect(&x, "2");

	/* Nothing fresh at all: all are equal. */
	for (uint32_t i = 0; i < 5; i++)
		ranking_set_available(&x, i, NAN);
	expect(&x, "0");
	ck_assert(x.result.indifferent);
	ck_assert_double_eq_tol(x.result.best.runtime_s, 100, 0.01);
	ranking_tear_down(&x);
}
END_TEST

START_TEST(test_own_jobs_are_load)
{
	struct ranking_case x;

	ranking_set_up(&x, 3, 1);
	for (uint32_t i = 0; i < 3; i++)
		x.candidates[i].cpus = 2;
	x.candidates[0].used = 1;
	x.s->nodes[0].load = 0;
	x.s->nodes[1].load = 0;
	expect(&x, "0"); /* the other CPU is free */
	x.s->nodes[0].load = 1;
	expect(&x, "1");
	ck_assert_double_eq_tol(x.result.stock.runtime_s, 150, 0.1);
	x.candidates[0].used = 2;
	x.candidates[1].used = 3;
	x.candidates[2].used = 2;
	x.s->nodes[2].load = 0;
	expect(&x, "2");
	ck_assert_double_eq_tol(x.result.best.runtime_s, 150, 0.1);

	/* Two processes on two CPUs, one of them used by another process. */
	x.candidates[2].used = 0;
	x.s->nodes[2].load = 1;
	x.request.tasks_per_node = 2;
	expect(&x, "2");
	ck_assert_double_eq_tol(x.result.best.runtime_s, 150, 0.1);
	ranking_tear_down(&x);
}
END_TEST

START_TEST(test_without_history_conditions_decide)
{
	struct ranking_case x;

	ranking_set_up(&x, 4, 2);
	x.request.model = NULL;
	ranking_set_available(&x, 0, 0.5);
	expect(&x, "1 2");
	for (uint32_t i = 0; i < 4; i++)
		x.s->nodes[i].bandwidth_bps = 1e9f;
	x.s->nodes[2].bandwidth_bps = 1e7f;
	expect(&x, "1 3");
	x.request.nodes = 1; /* alone, it needs no link */
	ranking_set_available(&x, 1, 0.5);
	ranking_set_available(&x, 3, 0.5);
	expect(&x, "2");
	ranking_tear_down(&x);
}
END_TEST

START_TEST(test_profile_weighs_cpu_and_link)
{
	struct ranking_case x;

	ranking_set_up(&x, 4, 2);
	for (uint32_t i = 0; i < 4; i++)
		x.s->nodes[i].bandwidth_bps = i < 2 ? 1e9f : 1e8f;
	ranking_set_available(&x, 0, 0.5);
	x.model = (struct placement_model){ .basis = PLACEMENT_PROFILE,
					    .nodes = 2,
					    .tasks = 2,
					    .busy_s = 100,
					    .credit = 1,
					    .link_bits = 1e9f };
	expect(&x, "1 2"); /* 100 + 10 s, instead of 200 */
	ck_assert_double_eq_tol(x.result.best.runtime_s, 110, 0.01);
	x.model.link_bits = 2e10f;
	expect(&x, "0 1"); /* 200 s, instead of 100 + 200 */
	x.model.link_bits = 0;
	x.model.idle_s = 100; /* gets back what others took meanwhile */
	expect(&x, "0 1");
	ck_assert(x.result.indifferent);
	x.model.credit = 0;
	expect(&x, "1 2");
	ck_assert_double_eq_tol(x.result.stock.runtime_s, 300, 0.01);
	ranking_tear_down(&x);
}
END_TEST

/* A slow node and a fast one have three quarters of two fast ones' speed. */
START_TEST(test_farm_has_the_sum)
{
	struct ranking_case x;

	ranking_set_up(&x, 4, 2);
	for (uint32_t i = 0; i < 4; i++)
		x.s->nodes[i].bandwidth_bps = i < 2 ? 1e9f : 1e8f;
	ranking_set_available(&x, 0, 0.5);
	x.model = (struct placement_model){ .basis = PLACEMENT_PROFILE,
					    .nodes = 2,
					    .tasks = 2,
					    .busy_s = 100,
					    .idle_s = 10,
					    .link_bits = 4e9f };
	expect(&x, "1 2"); /* 100 + 10 + 40 s, instead of 200 + 10 + 4 */
	x.model.basis = PLACEMENT_FARM;
	expect(&x, "0 1"); /* 100 / .75 + 10 + 4 s */
	ck_assert_double_eq_tol(x.result.best.runtime_s, 147.33, 0.01);
	ck_assert_double_eq_tol(
		placement_runtime_s(&x.model, &x.result.best.offer), 147.33,
		0.01);
	/* The fastest nodes are best all the same. */
	x.model.link_bits = 0;
	expect(&x, "1 2");
	ck_assert_double_eq_tol(x.result.best.runtime_s, 110, 0.01);
	ck_assert_double_eq_tol(x.result.stock.runtime_s, 143.33, 0.01);
	ranking_tear_down(&x);
}
END_TEST

/* The slowest of the best set says nothing of the others: two nodes of 1 and
 * two of half of that, of which three are wanted. */
START_TEST(test_farm_takes_few_slow_nodes)
{
	struct ranking_case x;

	ranking_set_up(&x, 5, 3);
	ranking_set_available(&x, 0, .5);
	ranking_set_available(&x, 1, .5);
	ranking_set_available(&x, 2, .3);
	x.model = (struct placement_model){
		.basis = PLACEMENT_FARM, .nodes = 3, .tasks = 3, .busy_s = 100
	};
	expect(&x, "0 3 4");
	ck_assert_double_eq_tol(x.result.best.runtime_s, 120, 0.01);
	/* Slurm's first ones as far as the tie allows: 2.5 / 1.25 is 2. */
	x.request.tie = .25;
	expect(&x, "0 1 3");
	x.request.tie = .24f;
	expect(&x, "0 3 4");
	/* One slow node beside a fast one is better than two with
	 * slow links. */
	x.request.tie = 0;
	x.request.nodes = 2;
	ranking_set_available(&x, 1, 1);
	x.s->nodes[0].bandwidth_bps = x.s->nodes[1].bandwidth_bps = 1e9f;
	x.s->nodes[2].bandwidth_bps = 1e9f;
	x.s->nodes[3].bandwidth_bps = x.s->nodes[4].bandwidth_bps = 1e8f;
	x.model.link_bits = 4e9f;
	expect(&x, "0 1"); /* 133 + 4 s, instead of 100 + 40 */
	ck_assert_double_eq_tol(x.result.best.runtime_s, 137.33, 0.01);
	ranking_tear_down(&x);
}
END_TEST

/* 100 s of computing, and 10000 waits of 5 ms for each competitor. */
START_TEST(test_waits_for_turns)
{
	struct ranking_case x;

	ranking_set_up(&x, 4, 1);
	for (uint32_t i = 0; i < 4; i++) {
		ranking_set_available(&x, i, i < 2 ? 0.5f : 0.49f);
		x.s->nodes[i].turn_s = i < 2 ? 5e-3f : 0;
	}
	x.model = (struct placement_model){ .basis = PLACEMENT_PROFILE,
					    .nodes = 1,
					    .tasks = 1,
					    .busy_s = 100,
					    .credit = 1,
					    .turns = 10000 };
	expect(&x, "2"); /* 204 s, instead of 200 + 50 */
	ck_assert_double_eq_tol(x.result.best.runtime_s, 204.08, 0.01);
	ck_assert_double_eq_tol(x.result.stock.runtime_s, 250, 0.01);
	ck_assert_double_eq_tol((double)x.result.stock.offer.available, 0.5,
				1e-6);
	x.model.turns = 0;
	expect(&x, "0");
	ranking_tear_down(&x);
}
END_TEST

START_TEST(test_contiguous)
{
	struct ranking_case x;

	ranking_set_up(&x, 6, 2);
	x.request.contiguous = true;
	ranking_set_available(&x, 0, 0.5);
	ranking_set_available(&x, 2, 0.5);
	ranking_set_available(&x, 4, 0.9);
	expect(&x, "3 4");
	ranking_set_available(&x, 3, 0.88);
	expect(&x, "4 5");
	x.candidates[5].place = 7;
	expect(&x, "3 4");
	ranking_set_available(&x, 3, 0.5);
	expect(&x, "0 1");
	ck_assert(x.result.indifferent);
	x.request.required = 1;
	expect(&x, "0 1");
	x.candidates[1].place = 9;
	ck_assert_int_eq(ranking_choose(&x), -1);
	ranking_tear_down(&x);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_takes_the_free_ones,
		test_no_slower,
		test_equals_stay_in_order,
		test_required_ones_are_in,
		test_stale_nodes_are_as_the_median,
		test_own_jobs_are_load,
		test_without_history_conditions_decide,
		test_profile_weighs_cpu_and_link,
		test_farm_has_the_sum,
		test_farm_takes_few_slow_nodes,
		test_waits_for_turns,
		test_contiguous,
		NULL,
	};

	return suite_run("rank", tests);
}
