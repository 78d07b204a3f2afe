/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rank_best.c - the node set found is the best of all, or near it */
#include <math.h>
#include <stdbool.h>

#include "tests/unit/predictor/placement/ranking_case.h"
#include "tests/unit/random.h"

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
	uint32_t count = 2 + (uint32_t)random_below(seed, RANKING_MANY - 1);

	ranking_set_up(x, count, 1 + (uint32_t)random_below(seed, count));
	x->request.tie = 1e-6f;
	for (uint32_t i = 0; i < count; i++) {
		struct snapshot_node *n = &x->s->nodes[i];

		ranking_set_available(x, i, pick_of(seed, availables, 6));
		if (!random_below(seed, 8))
			ranking_set_available(x, i, NAN);
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
	uint32_t chosen[RANKING_MANY];
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

		int rc = ranking_choose(&x);

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
		ranking_tear_down(&x);
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

		int rc = ranking_choose(&x);
		double best_s = best_of_all(&x);

		if (isfinite(best_s)) {
			missed += rc != 0;
			found += rc == 0;
			if (!rc && best_s > 0)
				excess += x.result.best.runtime_s / best_s - 1;
		} else {
			ck_assert_int_eq(rc, -1);
		}
		ranking_tear_down(&x);
	}
	ck_assert_int_gt(found, 200);
	ck_assert_int_eq(missed, 0);
	ck_assert_double_lt(excess / found, 0.05);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_best_of_all_sets,
		test_many_leaves,
		NULL,
	};

	return suite_run("rank best", tests);
}
