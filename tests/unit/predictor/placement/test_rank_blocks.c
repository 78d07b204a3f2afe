/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rank_blocks.c - node sets for ranks of unequal work */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/placement/rank.h"
#include "predictor/snapshot/snapshot_state.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define MANY 12

struct blocks_case {
	struct snapshot *s;
	struct placement_model model;
	struct rank_candidate candidates[MANY];
	struct rank_request request;
	void *scratch;
	uint32_t chosen[MANY];
	struct rank_result result;
};

/* A job of as many ranks as nodes, 97 s of computing. */
static void set_up(struct blocks_case *x, uint32_t count, const char *weights)
{
	uint32_t nodes = (uint32_t)strlen(weights);

	*x = (struct blocks_case){ .s = snapshot_create(count, 0, 0) };
	x->s->node_count = count;
	placement_model_from_runtime(nodes, nodes, 97, &x->model);
	x->model.basis = PLACEMENT_PROFILE; /* without a guess of messages */
	ck_assert_int_eq(
		placement_weights_parse(weights, nodes, &x->model.weights), 0);
	for (uint32_t i = 0; i < count; i++) {
		x->s->nodes[i] = (struct snapshot_node){
			.leaf = SNAPSHOT_NONE,
			.available = { 1, 1, 1 },
			.error = 0.01f,
			.load = NAN,
			.speed = 1,
			.memory_mb = NAN,
			.bandwidth_bps = NAN,
			.latency_s = NAN,
		};
		x->candidates[i] = (struct rank_candidate){
			.node = i, .place = i, .leaf = SNAPSHOT_NONE
		};
	}
	x->request = (struct rank_request){
		.snapshot = x->s,
		.model = &x->model,
		.candidates = x->candidates,
		.count = count,
		.nodes = nodes,
		.blocks = true,
	};
	x->scratch = malloc(rank_scratch_size(count));
}

static void tear_down(struct blocks_case *x)
{
	free(x->scratch);
	snapshot_put(x->s);
}

static void set_available(struct blocks_case *x, uint32_t node, double value)
{
	for (int h = 0; h < SNAPSHOT_HORIZONS; h++)
		x->s->nodes[node].available[h] = (float)value;
}

static double set_s(struct blocks_case *x, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t chosen[] = { a, b, c };
	struct rank_set set;

	ck_assert_int_eq(snapshot_finish(x->s), 0);
	ck_assert_int_eq(
		rank_evaluate(&x->request, x->scratch, chosen, 3, &set), 0);
	return set.runtime_s;
}

static void expect(struct blocks_case *x, const char *expected)
{
	char text[64] = "";

	ck_assert_int_eq(snapshot_finish(x->s), 0);
	ck_assert_int_eq(
		rank_choose(&x->request, x->scratch, x->chosen, &x->result), 0);
	for (uint32_t i = 0; i < x->request.nodes; i++)
		sprintf(text + strlen(text), i ? " %u" : "%u", x->chosen[i]);
	ck_assert_str_eq(text, expected);
}

/* The second node has 30 of 61 parts to do: half of a CPU is enough there, and
 * not in the other places. */
START_TEST(test_light_block)
{
	struct blocks_case x;

	set_up(&x, 5, "zUz");
	set_available(&x, 1, 0.5);
	ck_assert_double_eq_tol(set_s(&x, 0, 2, 3), 97, 1e-4);
	ck_assert_double_eq_tol(set_s(&x, 0, 1, 3), 97, 1e-4);
	ck_assert_double_eq_tol(set_s(&x, 1, 2, 3), 194, 1e-4);
	/* By places, whatever the order of the list. */
	ck_assert_double_eq_tol(set_s(&x, 3, 1, 0), 97, 1e-4);
	expect(&x, "0 1 2");
	ck_assert(x.result.indifferent && x.result.weighted);
	ck_assert_double_eq_tol(x.result.best.runtime_s, 97, 1e-4);
	ck_assert_double_eq_tol((double)x.result.best.offer.available, 0.5,
				1e-6);
	/* In the first place it would slow the job down. */
	x.candidates[1].place = 0;
	x.candidates[0].place = 1;
	expect(&x, "0 2 3");
	/* With ranks of the user's own order it would anywhere. */
	x.request.blocks = false;
	ck_assert_double_eq_tol(set_s(&x, 0, 1, 3), 194, 1e-4);
	expect(&x, "0 2 3");
	ck_assert(!x.result.weighted);
	tear_down(&x);
}
END_TEST

/* Only the slow node in the light place may be in the set. */
START_TEST(test_too_few_fast)
{
	struct blocks_case x;

	set_up(&x, 6, "z7z");
	for (uint32_t i = 0; i < 6; i++)
		set_available(&x, i, i == 1 || i == 4 ? 1 : 0.3 + 0.01 * i);
	/* 7 of 61 parts on a third of a CPU. */
	expect(&x, "1 2 4");
	ck_assert_double_eq_tol(x.result.best.runtime_s, 97, 1e-4);
	ck_assert(!x.result.indifferent);
	/* A required one is in its place, and the others follow. */
	x.candidates[0].node = x.candidates[0].place = 3;
	x.candidates[3].node = x.candidates[3].place = 0;
	x.request.required = 1;
	expect(&x, "0 1 4");
	ck_assert_double_eq_tol(x.result.best.runtime_s, 97, 1e-4);
	tear_down(&x);
}
END_TEST

/* A rank with little to do waits for turns as often as the others. */
START_TEST(test_turns)
{
	struct blocks_case x;

	set_up(&x, 4, "zFz");
	x.model.turns = 1000;
	set_available(&x, 1, 0.25);
	x.s->nodes[1].turn_s = 0.01f;
	/* 15 / 61 * 97 / 0.25 are 95.4 s, and 1000 times 3 turns of 10 ms. */
	ck_assert_double_eq_tol(set_s(&x, 0, 1, 2), 15. / 61 * 97 / 0.25 + 30,
				1e-3);
	expect(&x, "0 2 3");
	tear_down(&x);

	/* Turns alone take 120 s: too long even for a rank that does nothing
	 * else. */
	set_up(&x, 4, "2zz");
	x.model.turns = 1000;
	set_available(&x, 0, 0.25);
	x.s->nodes[0].turn_s = 0.04f;
	expect(&x, "1 2 3");
	tear_down(&x);
}
END_TEST

/* Where weights do not fit the request they are as if they were not there. */
START_TEST(test_unfit)
{
	struct blocks_case x;

	set_up(&x, 5, "zUz");
	set_available(&x, 1, 0.5);
	x.request.tasks_per_node = 2; /* of three tasks */
	expect(&x, "0 2 3");
	ck_assert(!x.result.weighted);
	x.model.tasks = 6;
	expect(&x, "0 1 2");
	ck_assert(x.result.weighted);
	x.model.basis = PLACEMENT_FARM;
	expect(&x, "0 2 3");
	ck_assert(!x.result.weighted);
	x.model.basis = PLACEMENT_PROFILE;
	x.request.nodes = 2;
	expect(&x, "0 2");
	ck_assert(!x.result.weighted);
	tear_down(&x);
}
END_TEST

/* --- All sets ------------------------------------------------------------- */

static void random_weights(struct random *random, uint32_t nodes, char *ret)
{
	static const char some[] = "2BMUkz";

	for (uint32_t k = 0; k < nodes; k++)
		ret[k] = some[random_below(random, sizeof(some) - 1)];
	ret[random_below(random, nodes)] = 'z';
	ret[nodes] = '\0';
}

static void random_case(struct random *random, struct blocks_case *x)
{
	uint32_t count = 4 + (uint32_t)random_below(random, MANY - 4);
	uint32_t nodes = 2 + (uint32_t)random_below(random, 3);
	char weights[8];

	random_weights(random, nodes, weights);
	set_up(x, count, weights);
	x->model.idle_s = (float)(30 * random_unit(random));
	x->model.credit = (float)random_unit(random);
	if (random_below(random, 2)) {
		x->model.link_bits = 3e9f;
		x->model.link_messages = 1e4f;
	}
	for (uint32_t i = 0; i < count; i++) {
		set_available(x, i,
			      0.1 + 0.3 * (double)random_below(random, 4));
		x->s->nodes[i].speed = random_below(random, 2) ? 1 : 0.7f;
		x->s->nodes[i].bandwidth_bps =
			random_below(random, 3) ? 1e9f : 1e8f;
		x->s->nodes[i].latency_s =
			random_below(random, 3) ? 1e-4f : 1e-3f;
		x->candidates[i].place = (i * 5 + 3) % 13; /* unique */
	}
	x->request.required = (uint32_t)random_below(random, nodes);
	x->request.tie = 1e-6f;
	ck_assert_int_eq(snapshot_finish(x->s), 0);
}

/* The least T of all sets with the required ones. */
static double best_of_all(struct blocks_case *x)
{
	uint32_t required = (1u << x->request.required) - 1;
	double best_s = HUGE_VAL;

	for (uint32_t mask = 0; mask < 1u << x->request.count; mask++) {
		uint32_t chosen[MANY], n = 0;
		struct rank_set set;

		if ((mask & required) != required ||
		    (uint32_t)__builtin_popcount(mask) != x->request.nodes)
			continue;
		for (uint32_t i = 0; i < x->request.count; i++)
			if (mask >> i & 1)
				chosen[n++] = i;
		ck_assert_int_eq(
			rank_evaluate(&x->request, x->scratch, chosen, n, &set),
			0);
		best_s = fmin(best_s, set.runtime_s);
	}
	return best_s;
}

START_TEST(test_all_sets)
{
	struct random random = { 77 };
	int gained = 0;

	for (int round = 0; round < 400; round++) {
		struct blocks_case x;

		random_case(&random, &x);

		double best_s = best_of_all(&x);

		ck_assert_int_eq(
			rank_choose(&x.request, x.scratch, x.chosen, &x.result),
			0);
		ck_assert(x.result.weighted);
		for (uint32_t i = 1; i < x.request.nodes; i++)
			ck_assert_uint_lt(x.chosen[i - 1], x.chosen[i]);
		for (uint32_t i = 0; i < x.request.required; i++)
			ck_assert_uint_eq(x.chosen[i], i);
		/* A step of the bisection. */
		ck_assert_msg(x.result.best.runtime_s <= best_s * 1.005,
			      "round %d: %g s instead of %g", round,
			      x.result.best.runtime_s, best_s);
		ck_assert_double_ge(x.result.best.runtime_s, best_s * 0.9999);

		/* The set for equal ranks is no better. */
		struct rank_set equal;

		x.request.blocks = false;
		ck_assert_int_eq(
			rank_choose(&x.request, x.scratch, x.chosen, &x.result),
			0);
		x.request.blocks = true;
		ck_assert_int_eq(rank_evaluate(&x.request, x.scratch, x.chosen,
					       x.request.nodes, &equal),
				 0);
		ck_assert_double_ge(equal.runtime_s, best_s * 0.9999);
		ck_assert_double_le(equal.runtime_s,
				    x.result.best.runtime_s * 1.0001);
		gained += equal.runtime_s > best_s * 1.02;
		tear_down(&x);
	}
	ck_assert_int_gt(gained, 40);
}
END_TEST

/* As many nodes as a model has weights for at most. */
START_TEST(test_most)
{
	uint32_t count = PLACEMENT_WEIGHTS_MAX + 36;
	struct snapshot *s = snapshot_create(count, 0, 0);
	struct rank_candidate candidates[PLACEMENT_WEIGHTS_MAX + 36];
	uint32_t chosen[PLACEMENT_WEIGHTS_MAX];
	struct placement_model model;
	struct rank_request request = {
		.snapshot = s,
		.model = &model,
		.candidates = candidates,
		.count = count,
		.nodes = PLACEMENT_WEIGHTS_MAX,
		.blocks = true,
	};
	double work[PLACEMENT_WEIGHTS_MAX];
	void *scratch = malloc(rank_scratch_size(count));
	struct rank_result result;

	placement_model_from_runtime(PLACEMENT_WEIGHTS_MAX,
				     PLACEMENT_WEIGHTS_MAX, 97, &model);
	for (uint32_t k = 0; k < PLACEMENT_WEIGHTS_MAX; k++)
		work[k] = k % 2 ? 7 : 2.9; /* the last has much */
	placement_weights_of(work, PLACEMENT_WEIGHTS_MAX, &model.weights);
	model.basis = PLACEMENT_PROFILE;
	s->node_count = count;
	/* 33 fast ones are not enough for equal ranks. */
	for (uint32_t i = 0; i < count; i++) {
		float available = i % 3 == 1 ? 1 : 0.5f;

		s->nodes[i] = (struct snapshot_node){
			.leaf = SNAPSHOT_NONE,
			.available = { available, available, available },
			.load = NAN,
			.speed = 1,
			.memory_mb = NAN,
			.bandwidth_bps = NAN,
			.latency_s = NAN,
		};
		candidates[i] = (struct rank_candidate){
			.node = i, .place = i, .leaf = SNAPSHOT_NONE
		};
	}
	ck_assert_int_eq(snapshot_finish(s), 0);
	ck_assert_int_eq(rank_choose(&request, scratch, chosen, &result), 0);
	ck_assert_double_eq_tol(result.best.runtime_s, 97, 0.3);
	for (uint32_t k = 1; k < PLACEMENT_WEIGHTS_MAX; k += 2)
		ck_assert_uint_eq(chosen[k] % 3, 1);
	free(scratch);
	snapshot_put(s);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_light_block, test_too_few_fast, test_turns, test_unfit,
		test_all_sets,    test_most,         NULL
	};

	return suite_run("rank_blocks", tests);
}
