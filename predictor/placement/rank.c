/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank.c - the node set on which a job would run shortest
 *
 * Three algorithms, by constraints: if any nodes may be combined, the best set
 * follows from their speed and links alone (rank_star.c); where leaf switches
 * matter it is the best of such sets within groups of leaves (rank_leaves.c);
 * contiguous places are windows (rank_contiguous.c).  Then nodes are admitted
 * with which sets are as good, within the tie, and of these the caller's first
 * are taken.  At last that is compared with what Slurm would take.  No lock.
 *
 * A farm has the sum of its nodes' speeds: a slow one costs less than where all
 * wait for it.  It has a search of its own (rank_farm.c), and its sets are
 * rated so.  Where a trace says that ranks have unequal work, the best set for
 * equal ones is where the search for a better one begins (rank_blocks.c).
 */
#include <math.h>
#include <string.h>

#include "predictor/placement/rank_state.h"

/* --- Run time of a set ---------------------------------------------------- */

/* The slowest node, and the worst value of each kind. */
struct worst_of_set {
	float slow;
	float alone; /* the slowest but for waits for turns */
	float mean;  /* 1 / (mean of the speeds to this job) */
	float value[LEVELS];
	uint32_t stale, leaves;
};

static void find_worst(const struct rank_ranking *r, const uint32_t *chosen,
		       uint32_t count, struct worst_of_set *ret)
{
	float speeds = 0;

	*ret = (struct worst_of_set){ .leaves = 0 };
	memset(r->leaf_in, 0, r->leaves_count * sizeof(bool));
	for (uint32_t i = 0; i < count; i++) {
		const struct rank_item *item = &r->items[chosen[i]];

		speeds += 1 / item->slow;
		ret->slow = fmaxf(ret->slow, item->slow);
		ret->alone = fmaxf(ret->alone, item->slow - item->turns);
		for (int kind = 0; kind < LEVELS; kind++)
			ret->value[kind] =
				fmaxf(ret->value[kind], item->value[kind]);
		ret->stale += !item->fresh;
		ret->leaves += !r->leaf_in[item->leaf];
		r->leaf_in[item->leaf] = true;
	}
	ret->mean = (float)count / speeds;
}

/* A farm has the sum of speeds: all nodes as the mean. */
static void level_farm(struct worst_of_set *w)
{
	w->slow = w->alone = w->mean;
	w->value[LEVEL_SPEED] = fminf(w->value[LEVEL_SPEED], w->mean);
}

static float nan_unless(bool known, float value)
{
	return known ? value : NAN;
}

void rank_rate_set(const struct rank_ranking *r, const uint32_t *chosen,
		   uint32_t count, struct rank_set *ret)
{
	struct worst_of_set w;
	struct rank_trunk trunk = { 0, 0 };

	find_worst(r, chosen, count, &w);
	if (r->model.basis == PLACEMENT_FARM)
		level_farm(&w);
	if (w.leaves > 1)
		trunk = rank_trunk_of(r, r->leaf_in);

	float per_bit_s = fmaxf(w.value[LEVEL_BANDWIDTH], trunk.per_bit_s);
	float latency_s = 2 * w.value[LEVEL_LATENCY] + trunk.latency_s;
	float slow = w.slow, speed = w.value[LEVEL_SPEED];
	bool linked = count > 1;

	if (r->weights && count == r->weights->count)
		rank_blocks_worst(r, chosen, &slow, &speed);

	*ret = (struct rank_set){
		.runtime_s = rank_runtime_s(
			&r->model, (double)slow, (double)speed,
			(double)rank_link_s(&r->model, per_bit_s, latency_s)),
		.offer = {
			.available = w.value[LEVEL_SPEED] / w.alone,
			.speed = 1 / w.value[LEVEL_SPEED],
			.bandwidth_bps = nan_unless(linked && per_bit_s > 0,
						    1 / per_bit_s),
			.latency_s = nan_unless(linked && latency_s > 0,
						latency_s),
		},
		.stale = w.stale,
	};
}

/* --- Equal sets ----------------------------------------------------------- */

/* Admit nodes that cost no more than the tie: first of worse levels, as long as
 * the slowest node of the set stays admitted, then slower nodes. */
static void admit_ties(const struct rank_ranking *r, double limit_s,
		       struct rank_found *found)
{
	double busy_s = (double)r->model.busy_s;
	double slow;

	for (int kind = 0; kind < LEVELS; kind++)
		while (found->cell.level[kind] + 1 < r->levels[kind].count) {
			const uint8_t *now = found->cell.level;
			struct rank_cell cell = rank_cell_of(
				r, &found->trunk, true, now[0] + (kind == 0),
				now[1] + (kind == 1), now[2] + (kind == 2));

			if ((double)cell.computing_s > limit_s ||
			    busy_s * (double)found->slow +
					    (double)cell.waiting_s >
				    limit_s)
				break;
			found->cell = cell;
		}
	slow = (limit_s - (double)found->cell.waiting_s) / busy_s;
	if (slow > (double)found->slow)
		found->slow = (float)slow;
}

static bool is_eligible(const struct rank_ranking *r, uint32_t at,
			const struct rank_found *found)
{
	const struct rank_item *item = &r->items[at];

	for (int kind = 0; kind < LEVELS; kind++)
		if (item->level[kind] > found->cell.level[kind])
			return false;
	return item->slow <= found->slow &&
	       (!found->grouped || r->leaf_best[item->leaf]);
}

static uint32_t pick_candidates(const struct rank_ranking *r,
				const struct rank_found *found,
				uint32_t *ret_chosen)
{
	uint32_t required = r->request->required;
	uint32_t count = 0;

	for (uint32_t i = 0; i < r->count && count < r->request->nodes; i++)
		if (i < required || is_eligible(r, i, found))
			ret_chosen[count++] = i;
	return count;
}

static float tie_of(const struct rank_request *q)
{
	return q->tie > 0 ? q->tie : RANK_TIE;
}

static bool choose_anywhere(struct rank_ranking *r, uint32_t *ret_chosen)
{
	static const struct rank_trunk none = { 0, 0 };
	const struct rank_request *q = r->request;
	struct rank_found found = { .runtime_s = HUGE_VAL };
	bool pairs = r->links && q->snapshot->pair_count > 0;
	bool limited = q->leaves_max && q->leaves_max < r->leaves_count;

	if (r->leaves_count > 1 && (pairs || limited))
		rank_leaves(r, &found);
	else
		rank_star(r, r->order, r->order_count, &none, &found);
	if (isinf(found.runtime_s))
		return false;

	if (r->model.basis == PLACEMENT_FARM)
		return rank_farm_pick(r, &found, (double)tie_of(q),
				      ret_chosen) == q->nodes;
	if (r->weights && rank_blocks(r, &found, (double)tie_of(q), ret_chosen))
		return true;

	struct rank_found wider = found;

	admit_ties(r, found.runtime_s * (1 + (double)tie_of(q)), &wider);
	if (pick_candidates(r, &wider, ret_chosen) == q->nodes)
		return true;
	return pick_candidates(r, &found, ret_chosen) == q->nodes;
}

/* --- Slurm's own choice --------------------------------------------------- */

/* The first candidates, if constraints allow these. */
static bool stock_is_known(const struct rank_ranking *r, const uint32_t *first)
{
	const struct rank_request *q = r->request;
	struct worst_of_set w;

	find_worst(r, first, q->nodes, &w);
	if (q->leaves_max && w.leaves > q->leaves_max)
		return false;
	for (uint32_t i = 1; q->contiguous && i < q->nodes; i++)
		if (q->candidates[i].place != q->candidates[i - 1].place + 1)
			return false;
	return true;
}

static void compare_stock(struct rank_ranking *r, uint32_t *ret_chosen,
			  struct rank_result *ret)
{
	const struct rank_request *q = r->request;
	uint32_t *first = r->spare;

	for (uint32_t i = 0; i < q->nodes; i++)
		first[i] = i;
	ret->stock.runtime_s = NAN;
	ret->indifferent = false;
	if (!stock_is_known(r, first))
		return;
	rank_rate_set(r, first, q->nodes, &ret->stock);
	if (ret->stock.runtime_s >
	    ret->best.runtime_s * (1 + (double)tie_of(q)))
		return;
	ret->indifferent = true;
	ret->best = ret->stock;
	memcpy(ret_chosen, first, q->nodes * sizeof(first[0]));
}

int rank_choose(const struct rank_request *request, void *scratch,
		uint32_t *ret_chosen, struct rank_result *ret)
{
	struct rank_ranking *r;
	bool chosen;

	if (rank_items(request, scratch, &r))
		return -1;
	chosen = request->contiguous
			 ? rank_contiguous(r, (double)tie_of(request),
					   ret_chosen)
			 : choose_anywhere(r, ret_chosen);
	if (!chosen)
		return -1;
	*ret = (struct rank_result){ .weighted = r->weights != NULL };
	rank_rate_set(r, ret_chosen, request->nodes, &ret->best);
	compare_stock(r, ret_chosen, ret);
	return 0;
}

int rank_evaluate(const struct rank_request *request, void *scratch,
		  const uint32_t *chosen, uint32_t count, struct rank_set *ret)
{
	struct rank_ranking *r;

	if (count == 0 || rank_items(request, scratch, &r))
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (chosen[i] >= request->count)
			return -1;
	rank_rate_set(r, chosen, count, ret);
	return 0;
}

static double runtime_alone_s(const struct rank_ranking *r, uint32_t position)
{
	struct rank_set alone;

	rank_rate_set(r, &position, 1, &alone);
	return alone.runtime_s;
}

uint32_t rank_no_slower(const struct rank_request *request, void *scratch,
			const uint32_t *chosen, uint32_t count, uint32_t others,
			uint32_t *ret_positions)
{
	struct rank_request wide = *request;
	struct rank_ranking *r;
	double most_s = 0;
	uint32_t found = 0;

	wide.count += others;
	if (rank_items(&wide, scratch, &r))
		return 0;
	for (uint32_t i = 0; i < count; i++) {
		double alone_s = runtime_alone_s(r, chosen[i]);

		/* What is not known excludes no other node. */
		most_s = fmax(most_s, isnan(alone_s) ? INFINITY : alone_s);
	}
	most_s *= 1 + (request->tie > 0 ? request->tie : RANK_TIE);
	for (uint32_t i = request->count; i < wide.count; i++)
		if (!(runtime_alone_s(r, i) > most_s))
			ret_positions[found++] = i;
	return found;
}
