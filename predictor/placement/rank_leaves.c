/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_leaves.c - the best set where it matters which leaf switches it spans
 *
 * It does if a job may span a limited number, or if links between leaves
 * differ. With few leaves all groups of them are tried, which is exact.  With
 * many, each leaf alone, and groups that grow from the leaf with most of the
 * fast nodes, by leaves that have most of these and whose links to the group
 * are fast enough.  For a limit alone that is exact, too: the fastest k nodes
 * in any m leaves are found by bisection.
 */
#include <math.h>
#include <string.h>

#include "predictor/placement/rank_state.h"

#define EXACT_WORK   (1u << 19) /* groups times candidates and cells */
#define LOOKUPS_MAX  20000      /* of pairs, in a ranking: 1 ms */
#define THRESHOLDS   6          /* of link speed that are tried */
#define THRESHOLD_BY 3.0f       /* ratio of one to the next */
#define SEEDS_MAX    32         /* leaves, from each of which a group grows */

/* --- Links between leaves ------------------------------------------------- */

static const struct snapshot_pair *pair_find(const struct snapshot *s,
					     uint32_t a, uint32_t b)
{
	uint32_t low = 0;
	uint32_t high = s->pair_count;

	if (a > b) {
		uint32_t swapped = a;

		a = b;
		b = swapped;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct snapshot_pair *pair = &s->pairs[middle];

		if (pair->a == a && pair->b == b)
			return pair;
		if (pair->a < a || (pair->a == a && pair->b < b))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static struct rank_trunk trunk_of_pair(const struct snapshot_pair *pair)
{
	return (struct rank_trunk){
		.per_bit_s = isnan(pair->bandwidth_bps)
				     ? 0
				     : 1 / pair->bandwidth_bps,
		.latency_s = isnan(pair->latency_s) ? 0 : pair->latency_s,
	};
}

static bool leaf_is_in(const struct rank_ranking *r, const bool *in,
		       uint32_t leaf)
{
	return leaf < SNAPSHOT_LEAVES_MAX &&
	       r->leaf_of[leaf] != SNAPSHOT_NONE && in[r->leaf_of[leaf]];
}

static void trunk_worsen(struct rank_trunk *trunk,
			 const struct snapshot_pair *pair)
{
	struct rank_trunk other = trunk_of_pair(pair);

	trunk->per_bit_s = fmaxf(trunk->per_bit_s, other.per_bit_s);
	trunk->latency_s = fmaxf(trunk->latency_s, other.latency_s);
}

/* Pairs of at most this many leaves are searched; else all pairs are scanned.
 */
#define LOOKED_UP 32

struct rank_trunk rank_trunk_of(const struct rank_ranking *r, const bool *in)
{
	const struct snapshot *s = r->request->snapshot;
	struct rank_trunk trunk = { 0, 0 };
	uint32_t few[LOOKED_UP];
	uint32_t count = 0;

	if (!s->pair_count || r->leaves_count < 2)
		return trunk;
	for (uint32_t i = 0; i < r->leaves_count; i++)
		if (in[i] && count++ < LOOKED_UP)
			few[count - 1] = r->leaf_number[i];
	if (count > LOOKED_UP) {
		for (uint32_t i = 0; i < s->pair_count; i++)
			if (leaf_is_in(r, in, s->pairs[i].a) &&
			    leaf_is_in(r, in, s->pairs[i].b))
				trunk_worsen(&trunk, &s->pairs[i]);
		return trunk;
	}
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < i; j++) {
			const struct snapshot_pair *pair =
				pair_find(s, few[i], few[j]);

			if (pair)
				trunk_worsen(&trunk, pair);
		}
	return trunk;
}

static bool leaves_linked(struct rank_ranking *r, uint32_t a, uint32_t b,
			  float threshold)
{
	const struct snapshot_pair *pair;

	if (isinf(threshold))
		return true;
	if (!r->lookups)
		return false;
	r->lookups--;
	pair = pair_find(r->request->snapshot, r->leaf_number[a],
			 r->leaf_number[b]);
	return !pair || trunk_of_pair(pair).per_bit_s <= threshold;
}

/* --- A group -------------------------------------------------------------- */

/* The best set within leaf_in. */
static void try_group(struct rank_ranking *r, struct rank_found *best)
{
	struct rank_trunk trunk = rank_trunk_of(r, r->leaf_in);
	uint32_t count = 0;

	for (uint32_t i = 0; i < r->order_count; i++)
		if (r->leaf_in[r->items[r->order[i]].leaf])
			r->spare[count++] = r->order[i];
	if (!rank_star(r, r->spare, count, &trunk, best))
		return;
	best->grouped = true;
	memcpy(r->leaf_best, r->leaf_in, r->leaves_count * sizeof(bool));
}

static void try_all_groups(struct rank_ranking *r, uint32_t leaves_max,
			   bool pairs, struct rank_found *best)
{
	for (uint32_t mask = 1; mask < 1u << r->leaves_count; mask++) {
		uint32_t size = (uint32_t)__builtin_popcount(mask);
		bool allowed = size <= leaves_max;

		/* Where links do not differ, more leaves are no worse. */
		if (!pairs && size < leaves_max)
			continue;
		for (uint32_t i = 0; i < r->leaves_count; i++) {
			r->leaf_in[i] = mask >> i & 1;
			allowed &= r->leaf_in[i] || !r->leaf_required[i];
		}
		if (allowed)
			try_group(r, best);
	}
}

/* --- Many leaves ---------------------------------------------------------- */

/* Try each leaf alone.  The nodes of each lie together in `spare`,
 * fastest first.
 */
static void try_leaves(struct rank_ranking *r, struct rank_found *best)
{
	static const struct rank_trunk none = { 0, 0 };
	uint32_t *ends = r->leaf_sorted;
	uint32_t start = 0;

	if (r->leaves_required > 1)
		return;
	memset(ends, 0, r->leaves_count * sizeof(ends[0]));
	for (uint32_t i = 0; i < r->order_count; i++)
		ends[r->items[r->order[i]].leaf]++;
	for (uint32_t leaf = 0; leaf < r->leaves_count; leaf++) {
		uint32_t size = ends[leaf];

		ends[leaf] = start;
		start += size;
	}
	for (uint32_t i = 0; i < r->order_count; i++)
		r->spare[ends[r->items[r->order[i]].leaf]++] = r->order[i];
	start = 0;
	for (uint32_t leaf = 0; leaf < r->leaves_count; leaf++) {
		bool allowed = !r->leaves_required || r->leaf_required[leaf];

		if (allowed && rank_star(r, r->spare + start,
					 ends[leaf] - start, &none, best)) {
			best->grouped = true;
			memset(r->leaf_best, 0, r->leaves_count);
			r->leaf_best[leaf] = true;
		}
		start = ends[leaf];
	}
}

/* Order of leaves: those required, then the seed, then by the number of good
 * nodes. */
static uint32_t leaf_class(const struct rank_ranking *r, uint32_t leaf,
			   uint32_t seed, uint32_t step)
{
	if (r->leaf_required[leaf])
		return 0;
	return leaf == seed ? 1 : 255 - r->leaf_good[leaf] / step;
}

static void sort_leaves(struct rank_ranking *r, uint32_t seed,
			uint32_t good_max)
{
	uint32_t starts[256] = { 0 };
	uint32_t step = good_max / 253 + 1;
	uint32_t start = 0;

	for (uint32_t i = 0; i < r->leaves_count; i++)
		starts[leaf_class(r, i, seed, step)]++;
	for (int i = 0; i < 256; i++) {
		uint32_t size = starts[i];

		starts[i] = start;
		start += size;
	}
	for (uint32_t i = 0; i < r->leaves_count; i++)
		r->leaf_sorted[starts[leaf_class(r, i, seed, step)]++] = i;
}

/* How a group grows. */
struct growth {
	uint32_t leaves_max;
	uint32_t seed;   /* its first leaf; SNAPSHOT_NONE: any */
	float threshold; /* of links between its leaves, seconds per bit */
};

/* Fill leaf_in with leaves that have enough of the `prefix` fastest nodes.
 * False: they have not. */
static bool group_grow(struct rank_ranking *r, uint32_t prefix,
		       const struct growth *g)
{
	uint32_t good = r->request->required;
	uint32_t good_max = 0, in = 0;

	memset(r->leaf_good, 0, r->leaves_count * sizeof(r->leaf_good[0]));
	for (uint32_t i = 0; i < prefix; i++) {
		uint32_t leaf = r->items[r->order[i]].leaf;

		if (++r->leaf_good[leaf] > good_max)
			good_max = r->leaf_good[leaf];
	}
	sort_leaves(r, g->seed, good_max);
	memset(r->leaf_in, 0, r->leaves_count);
	for (uint32_t i = 0; i < r->leaves_count && in < g->leaves_max; i++) {
		uint32_t leaf = r->leaf_sorted[i];
		bool fits = true;

		if (!r->leaf_required[leaf] &&
		    (!r->leaf_good[leaf] || good >= r->request->nodes))
			break;
		/* Leaves of the group are moved to the front. */
		for (uint32_t j = 0; j < in && fits; j++)
			fits = leaves_linked(r, leaf, r->leaf_sorted[j],
					     g->threshold);
		if (!fits && !r->leaf_required[leaf])
			continue;
		r->leaf_sorted[in++] = leaf;
		r->leaf_in[leaf] = true;
		good += r->leaf_good[leaf];
	}
	return good >= r->request->nodes;
}

/* The group with the fastest k nodes, by bisection. */
static void try_grown(struct rank_ranking *r, const struct growth *g,
		      struct rank_found *best)
{
	uint32_t low = r->request->nodes - r->request->required;
	uint32_t high = r->order_count;

	if (!group_grow(r, high, g))
		return;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (group_grow(r, middle, g))
			high = middle;
		else
			low = middle + 1;
	}
	if (group_grow(r, high, g))
		try_group(r, best);
}

/* From any leaf, and where leaves are few from each. */
static void try_seeds(struct rank_ranking *r, struct growth g,
		      struct rank_found *best)
{
	try_grown(r, &g, best);
	for (g.seed = 0;
	     r->leaves_count <= SEEDS_MAX && g.seed < r->leaves_count; g.seed++)
		try_grown(r, &g, best);
}

static void try_thresholds(struct rank_ranking *r, struct growth g,
			   struct rank_found *best)
{
	const struct snapshot *s = r->request->snapshot;

	g.threshold = 0;
	for (uint32_t i = 0; i < s->pair_count; i++)
		g.threshold = fmaxf(g.threshold,
				    trunk_of_pair(&s->pairs[i]).per_bit_s);
	for (int i = 0; i < THRESHOLDS; i++) {
		g.threshold /= THRESHOLD_BY;
		r->lookups = LOOKUPS_MAX / THRESHOLDS;
		try_seeds(r, g, best);
	}
}

/* Leaves are few, and a group does not take long. */
static bool can_try_all_groups(const struct rank_ranking *r)
{
	uint32_t work = r->count;
	uint32_t cells = 1;

	for (int kind = 0; kind < LEVELS; kind++)
		cells *= (uint32_t)r->levels[kind].count;
	return r->leaves_count <= RANK_LEAVES_EXACT &&
	       (work + cells) << r->leaves_count <= EXACT_WORK;
}

void rank_leaves(struct rank_ranking *r, struct rank_found *best)
{
	bool pairs = r->links && r->request->snapshot->pair_count > 0;
	struct growth g = { .leaves_max = r->request->leaves_max,
			    .seed = SNAPSHOT_NONE,
			    .threshold = HUGE_VALF };

	if (!g.leaves_max || g.leaves_max > r->leaves_count)
		g.leaves_max = r->leaves_count;
	if (r->leaves_required > g.leaves_max)
		return;
	if (can_try_all_groups(r)) {
		try_all_groups(r, g.leaves_max, pairs, best);
		return;
	}
	try_leaves(r, best);
	if (g.leaves_max < 2)
		return;
	try_seeds(r, g, best);
	if (pairs)
		try_thresholds(r, g, best);
}
