/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rank.c - the node set on which a job would run shortest */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/placement/rank.h"
#include "predictor/snapshot/snapshot_state.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define MANY 12

/* A request, all that it points to, and memory to work in. */
struct ranking_case {
	struct snapshot *s;
	struct placement_model model;
	struct rank_candidate candidates[MANY];
	struct rank_request request;
	void *scratch;
	uint32_t chosen[MANY];
	struct rank_result result;
};

static struct snapshot *snapshot_of(uint32_t count)
{
	struct snapshot *s = snapshot_create(count, 64, 0);

	ck_assert_ptr_nonnull(s);
	s->node_count = count;
	for (uint32_t i = 0; i < count; i++)
		s->nodes[i] = (struct snapshot_node){
			.leaf = SNAPSHOT_NONE,
			.available = { 1, 1, 1 },
			.error = 0.01f,
			.load = NAN,
			.speed = 1,
			.memory_mb = NAN,
			.bandwidth_bps = NAN,
			.latency_s = NAN,
		};
	return s;
}

static void set_up(struct ranking_case *x, uint32_t count, uint32_t nodes)
{
	*x = (struct ranking_case){ .s = snapshot_of(count) };
	placement_model_from_runtime(nodes, nodes, 100, &x->model);
	for (uint32_t i = 0; i < count; i++)
		x->candidates[i] = (struct rank_candidate){
			.node = i, .place = i, .leaf = SNAPSHOT_NONE
		};
	x->request = (struct rank_request){
		.snapshot = x->s,
		.model = &x->model,
		.candidates = x->candidates,
		.count = count,
		.nodes = nodes,
	};
	x->scratch = malloc(rank_scratch_size(count));
}

static void tear_down(struct ranking_case *x)
{
	free(x->scratch);
	snapshot_put(x->s);
}

static void set_available(struct ranking_case *x, uint32_t node, double value)
{
	for (int h = 0; h < SNAPSHOT_HORIZONS; h++)
		x->s->nodes[node].available[h] = (float)value;
}

static int choose(struct ranking_case *x)
{
	ck_assert_int_eq(snapshot_finish(x->s), 0);
	return rank_choose(&x->request, x->scratch, x->chosen, &x->result);
}

/* Whether exactly these were chosen: "0 3". */
static void expect(struct ranking_case *x, const char *expected)
{
	char text[64] = "";

	ck_assert_int_eq(choose(x), 0);
	for (uint32_t i = 0; i < x->request.nodes; i++)
		sprintf(text + strlen(text), i ? " %u" : "%u", x->chosen[i]);
	ck_assert_str_eq(text, expected);
}

/* Candidates that may have room, behind the three of the request. */
START_TEST(test_no_slower)
{
	struct ranking_case x;
	uint32_t others[MANY];

	set_up(&x, 7, 1);
	set_available(&x, 0, 0.4);
	set_available(&x, 1, 0.8);
	set_available(&x, 2, 0.3);
	set_available(&x, 3, 0.79); /* within the tie */
	set_available(&x, 4, 0.6);
	set_available(&x, 6, 0.75);
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
	tear_down(&x);
}
END_TEST

START_TEST(test_takes_the_free_ones)
{
	struct ranking_case x;

	set_up(&x, 4, 2);
	set_available(&x, 0, 0.5);
	set_available(&x, 2, 0.7);
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
	ck_assert_int_eq(choose(&x), -1);
	x.request.nodes = 0;
	ck_assert_int_eq(choose(&x), -1);
	tear_down(&x);
}
END_TEST

START_TEST(test_equals_stay_in_order)
{
	struct ranking_case x;

	set_up(&x, 4, 2);
	set_available(&x, 0, 0.99);
	set_available(&x, 1, 0.985);
	expect(&x, "0 1"); /* within 2 % */
	ck_assert(x.result.indifferent);
	set_available(&x, 1, 0.9);
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
	tear_down(&x);
}
END_TEST

START_TEST(test_required_ones_are_in)
{
	struct ranking_case x;

	set_up(&x, 5, 2);
	set_available(&x, 0, 0.25);
	set_available(&x, 1, 0.5);
	set_available(&x, 2, 0.2);
	x.request.required = 1;
	expect(&x, "0 1"); /* no node need be faster than node 0 */
	ck_assert(x.result.indifferent);
	set_available(&x, 1, 0.1);
	expect(&x, "0 3");
	x.request.required = 2;
	expect(&x, "0 1");
	x.request.required = 3;
	ck_assert_int_eq(choose(&x), -1);
	tear_down(&x);
}
END_TEST

START_TEST(test_stale_nodes_are_as_the_median)
{
	struct ranking_case x;

	set_up(&x, 5, 1);
	set_available(&x, 0, NAN);
	set_available(&x, 1, 0.4);
	set_available(&x, 2, 0.6);
	set_available(&x, 3, 0.9);
	set_available(&x, 4, 0.8);
	expect(&x, "3");
	x.candidates[4].node = SNAPSHOT_NONE; /* not in the snapshot */
	set_available(&x, 4, 0.1);
	set_available(&x, 3, 0.5);

	/* 0.5 is the upper median of 0.1, 0.4, 0.5, 0.6. */
	x.request.nodes = 4;
	expect(&x, "0 2 3 4");
	ck_assert_uint_eq(x.result.best.stale, 2);
	x.request.nodes = 1;
	expect(&x, "2");

	/* Nothing fresh at all: all are equal. */
	for (uint32_t i = 0; i < 5; i++)
		set_available(&x, i, NAN);
	expect(&x, "0");
	ck_assert(x.result.indifferent);
	ck_assert_double_eq_tol(x.result.best.runtime_s, 100, 0.01);
	tear_down(&x);
}
END_TEST

START_TEST(test_own_jobs_are_load)
{
	struct ranking_case x;

	set_up(&x, 3, 1);
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
	tear_down(&x);
}
END_TEST

START_TEST(test_without_history_conditions_decide)
{
	struct ranking_case x;

	set_up(&x, 4, 2);
	x.request.model = NULL;
	set_available(&x, 0, 0.5);
	expect(&x, "1 2");
	for (uint32_t i = 0; i < 4; i++)
		x.s->nodes[i].bandwidth_bps = 1e9f;
	x.s->nodes[2].bandwidth_bps = 1e7f;
	expect(&x, "1 3");
	x.request.nodes = 1; /* alone, it needs no link */
	set_available(&x, 1, 0.5);
	set_available(&x, 3, 0.5);
	expect(&x, "2");
	tear_down(&x);
}
END_TEST

START_TEST(test_profile_weighs_cpu_and_link)
{
	struct ranking_case x;

	set_up(&x, 4, 2);
	for (uint32_t i = 0; i < 4; i++)
		x.s->nodes[i].bandwidth_bps = i < 2 ? 1e9f : 1e8f;
	set_available(&x, 0, 0.5);
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
	tear_down(&x);
}
END_TEST

/* A slow node and a fast one have three quarters of two fast ones' speed. */
START_TEST(test_farm_has_the_sum)
{
	struct ranking_case x;

	set_up(&x, 4, 2);
	for (uint32_t i = 0; i < 4; i++)
		x.s->nodes[i].bandwidth_bps = i < 2 ? 1e9f : 1e8f;
	set_available(&x, 0, 0.5);
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
	tear_down(&x);
}
END_TEST

/* The slowest of the best set says nothing of the others: two nodes of 1 and
 * two of half of that, of which three are wanted. */
START_TEST(test_farm_takes_few_slow_nodes)
{
	struct ranking_case x;

	set_up(&x, 5, 3);
	set_available(&x, 0, .5);
	set_available(&x, 1, .5);
	set_available(&x, 2, .3);
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
	set_available(&x, 1, 1);
	x.s->nodes[0].bandwidth_bps = x.s->nodes[1].bandwidth_bps = 1e9f;
	x.s->nodes[2].bandwidth_bps = 1e9f;
	x.s->nodes[3].bandwidth_bps = x.s->nodes[4].bandwidth_bps = 1e8f;
	x.model.link_bits = 4e9f;
	expect(&x, "0 1"); /* 133 + 4 s, instead of 100 + 40 */
	ck_assert_double_eq_tol(x.result.best.runtime_s, 137.33, 0.01);
	tear_down(&x);
}
END_TEST

/* 100 s of computing, and 10000 waits of 5 ms for each competitor. */
START_TEST(test_waits_for_turns)
{
	struct ranking_case x;

	set_up(&x, 4, 1);
	for (uint32_t i = 0; i < 4; i++) {
		set_available(&x, i, i < 2 ? 0.5f : 0.49f);
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
	tear_down(&x);
}
END_TEST

START_TEST(test_contiguous)
{
	struct ranking_case x;

	set_up(&x, 6, 2);
	x.request.contiguous = true;
	set_available(&x, 0, 0.5);
	set_available(&x, 2, 0.5);
	set_available(&x, 4, 0.9);
	expect(&x, "3 4");
	set_available(&x, 3, 0.88);
	expect(&x, "4 5");
	x.candidates[5].place = 7;
	expect(&x, "3 4");
	set_available(&x, 3, 0.5);
	expect(&x, "0 1");
	ck_assert(x.result.indifferent);
	x.request.required = 1;
	expect(&x, "0 1");
	x.candidates[1].place = 9;
	ck_assert_int_eq(choose(&x), -1);
	tear_down(&x);
}
END_TEST

/* --- Against all sets ----------------------------------------------------- */

static double pick_of(struct random *seed, const double *from, uint64_t count)
{
	return from[random_below(seed, count)];
}

static void make_random(struct ranking_case *x, struct random *seed,
			uint64_t leaves)
{
	static const double availables[] = { 1, 0.9, 0.77, 0.5, 0.33, 0.1 };
	static const double speeds[] = { 1, 0.8, 1.3 };
	static const double bandwidths[] = { 1e9, 9e8, 3e8, 1e8, 1e7, 4e9 };
	static const double latencies[] = { 2e-5, 1e-4, 1e-3 };
	uint32_t count = 2 + (uint32_t)random_below(seed, MANY - 1);

	set_up(x, count, 1 + (uint32_t)random_below(seed, count));
	x->request.tie = 1e-6f;
	for (uint32_t i = 0; i < count; i++) {
		struct snapshot_node *n = &x->s->nodes[i];

		set_available(x, i, pick_of(seed, availables, 6));
		if (!random_below(seed, 8))
			set_available(x, i, NAN);
		n->speed = (float)pick_of(seed, speeds, 3);
		n->bandwidth_bps = (float)pick_of(seed, bandwidths, 6);
		n->latency_s = (float)pick_of(seed, latencies, 3);
		n->turn_s = random_below(seed, 3)
				    ? (float)random_below(seed, 20) * 1e-3f
				    : NAN;
		n->leaf = (uint32_t)random_below(seed, leaves);
		x->candidates[i].cpus = 2;
		x->candidates[i].used = (uint16_t)random_below(seed, 2);
	}
	for (uint32_t a = 0; a < leaves; a++)
		for (uint32_t b = a + 1; b < leaves; b++)
			if (random_below(seed, 3))
				x->s->pairs[x->s->pair_count++] =
					(struct snapshot_pair){
						a, b,
						(float)pick_of(seed, bandwidths,
							       6),
						(float)pick_of(seed, latencies,
							       3)
					};
	x->request.required =
		(uint32_t)random_below(seed, 3) % (x->request.nodes + 1);
	x->request.leaves_max = (uint32_t)random_below(seed, 4);
	x->request.contiguous = !random_below(seed, 6);
	x->model = (struct placement_model){
		.basis = random_below(seed, 2) ? PLACEMENT_PROFILE
					       : PLACEMENT_FARM,
		.horizon_s = 100,
		.busy_s = (float)random_below(seed, 100),
		.idle_s = (float)random_below(seed, 50),
		.credit = (float)random_below(seed, 3) / 2,
		.link_bits = random_below(seed, 3) ? 1e10f : 0,
		.link_messages = random_below(seed, 3) ? 1e5f : 0,
		.turns = random_below(seed, 2) ? 1e3f : 0,
	};
	if (!random_below(seed, 4))
		x->request.model = NULL;
}

static bool fulfils(const struct ranking_case *x, uint32_t mask)
{
	const struct rank_request *q = &x->request;
	uint32_t leaves = 0;
	uint32_t places = mask >> __builtin_ctz(mask);

	if ((uint32_t)__builtin_popcount(mask) != q->nodes)
		return false;
	if ((mask & ((1u << q->required) - 1)) != (1u << q->required) - 1)
		return false;
	if (q->contiguous && (places & (places + 1)))
		return false;
	for (uint32_t i = 0; i < q->count; i++)
		if (mask >> i & 1)
			leaves |= 1u << x->s->nodes[i].leaf;
	return !q->leaves_max ||
	       (uint32_t)__builtin_popcount(leaves) <= q->leaves_max;
}

static double worth(struct ranking_case *x, uint32_t mask)
{
	uint32_t chosen[MANY];
	uint32_t count = 0;
	struct rank_set set;

	for (uint32_t i = 0; i < x->request.count; i++)
		if (mask >> i & 1)
			chosen[count++] = i;
	ck_assert_int_eq(
		rank_evaluate(&x->request, x->scratch, chosen, count, &set), 0);
	return set.runtime_s;
}

/* The best of all sets that are allowed; HUGE_VAL: none is. */
static double best_of_all(struct ranking_case *x)
{
	double best_s = HUGE_VAL;

	for (uint32_t m = 1; m < 1u << x->request.count; m++)
		if (fulfils(x, m))
			best_s = fmin(best_s, worth(x, m));
	return best_s;
}

START_TEST(test_best_of_all_sets)
{
	struct random seed = { 4711 };
	int found = 0;

	for (int round = 0; round < 1500; round++) {
		struct ranking_case x;
		double best_s;
		uint32_t mask = 0;

		make_random(&x, &seed, 1 + random_below(&seed, 5));

		int rc = choose(&x);

		best_s = best_of_all(&x);
		ck_assert_int_eq(rc, isinf(best_s) ? -1 : 0);
		for (uint32_t i = 0; !rc && i < x.request.nodes; i++)
			mask |= 1u << x.chosen[i];
		if (!rc) {
			ck_assert(fulfils(&x, mask));
			ck_assert_double_eq_tol(x.result.best.runtime_s, best_s,
						1e-5 * best_s + 1e-9);
			ck_assert_double_eq_tol(worth(&x, mask), best_s,
						1e-5 * best_s + 1e-9);
			found++;
		}
		tear_down(&x);
	}
	ck_assert_int_gt(found, 1000);
}
END_TEST

/* With more leaves than can be tried in all groups the set is near
 * the best. */
START_TEST(test_many_leaves)
{
	struct random seed = { 815 };
	double excess = 0;
	int found = 0;
	int missed = 0;

	for (int round = 0; round < 400; round++) {
		struct ranking_case x;

		make_random(&x, &seed, RANK_LEAVES_EXACT + 3);
		x.request.contiguous = false;
		x.request.leaves_max += x.request.leaves_max > 0;
		for (uint32_t i = 0; i < x.request.count; i++)
			x.s->nodes[i].leaf = i % (RANK_LEAVES_EXACT + 3);

		int rc = choose(&x);
		double best_s = best_of_all(&x);

		if (isfinite(best_s)) {
			missed += rc != 0;
			found += rc == 0;
			if (!rc && best_s > 0)
				excess += x.result.best.runtime_s / best_s - 1;
		} else {
			ck_assert_int_eq(rc, -1);
		}
		tear_down(&x);
	}
	ck_assert_int_gt(found, 200);
	ck_assert_int_eq(missed, 0);
	ck_assert_double_lt(excess / found, 0.05);
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
		test_best_of_all_sets,
		test_many_leaves,
		NULL,
	};

	return suite_run("rank", tests);
}
