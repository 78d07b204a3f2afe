/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_blocks.c - the best set for ranks of unequal work, in blocks
 *
 * The k-th node of a set, in the order of nodes, has the k-th block of ranks,
 * and its weight w_k is what these have to do (placement_weights.h).  So
 *
 *	T = max over k of max(w_k C_k + I + L, D_k(w_k) + (1 - credit) (I + L))
 *
 * with C_k and D_k of that node as in rank_state.h, where waits for turns,
 * which come as often for a rank with little to do, do not shrink with w_k.
 *
 * 1. T of the best set without weights is an upper bound: that set runs no
 *    longer with them.  Its leaves and the links between them are kept.
 * 2. Whether a set of T or less exists, for given levels of links, takes one
 *    pass over the candidates from the last to the first: from a state "j
 *    blocks have nodes" the rest can be done, or not.  A state is a bit, a
 *    node that may have some of the blocks a mask: a handful of instructions
 *    for each.
 * 3. Bisection finds the least T.  With that, and the tie, the first nodes that
 *    lead to a whole set are taken.
 *
 * What is looked at is bounded (WORK_MAX): then the best so far counts.  Called
 * once in a ranking, and only for a job with weights.
 */
#include <math.h>

#include "predictor/placement/rank_state.h"

/* Candidates looked at: half a millisecond.  With 10,000 of them and links of
 * many values eight times as many make sets no better (bench_rank). */
#define WORK_MAX (1u << 16)

#define STEP 0.002 /* relative; a tenth of the usual tie */

/* For what is lost when T is made a weight and back. */
#define ROUNDING 1e-5

struct block_search {
	struct rank_ranking *r;
	uint32_t nodes;
	uint32_t members; /* in r->order, by place */
	uint32_t required;
	uint32_t work;      /* candidates that may still be looked at */
	double slow, speed; /* of the fastest, as in struct rank_item */
	/* Blocks of at most that weight. */
	uint64_t at_most[PLACEMENT_WEIGHT_ONE + 1];
};

bool rank_blocks_apply(const struct rank_request *q,
		       const struct placement_model *m)
{
	uint32_t tasks = q->tasks_per_node ? q->tasks_per_node : 1;

	return q->blocks && m->weights.count > 1 &&
	       m->weights.count == q->nodes && m->basis != PLACEMENT_FARM &&
	       m->busy_s > 0 && (uint64_t)tasks * q->nodes == m->tasks;
}

static double weight_at(const struct rank_ranking *r, uint32_t k)
{
	return (double)r->weights->of[k] / PLACEMENT_WEIGHT_ONE;
}

void rank_blocks_worst(const struct rank_ranking *r, const uint32_t *chosen,
		       float *ret_slow, float *ret_speed)
{
	const struct rank_candidate *candidates = r->request->candidates;
	uint32_t by_place[PLACEMENT_WEIGHTS_MAX];
	double slow = 0, speed = 0;

	for (uint32_t i = 0; i < r->weights->count; i++) {
		uint32_t to = i;

		for (; to && candidates[by_place[to - 1]].place >
				     candidates[chosen[i]].place;
		     to--)
			by_place[to] = by_place[to - 1];
		by_place[to] = chosen[i];
	}
	for (uint32_t k = 0; k < r->weights->count; k++) {
		const struct rank_item *item = &r->items[by_place[k]];
		double w = weight_at(r, k);

		slow = fmax(slow, w * (double)(item->slow - item->turns) +
					  (double)item->turns);
		speed = fmax(speed, w * (double)item->value[LEVEL_SPEED]);
	}
	*ret_slow = (float)slow;
	*ret_speed = (float)speed;
}

/* --- Is there a set? ------------------------------------------------------ */

/* Return the blocks that a node can have without taking longer
 * than limit_s. */
static uint64_t blocks_for(const struct block_search *s, uint32_t at,
			   const struct rank_cell *cell, double limit_s)
{
	const struct rank_item *item = &s->r->items[at];
	double busy_s = (double)s->r->model.busy_s;

	if (item->level[LEVEL_BANDWIDTH] > cell->level[LEVEL_BANDWIDTH] ||
	    item->level[LEVEL_LATENCY] > cell->level[LEVEL_LATENCY])
		return 0;

	double computing = (limit_s - (double)cell->computing_s) /
			   (busy_s * (double)item->value[LEVEL_SPEED]);
	double waiting = ((limit_s - (double)cell->waiting_s) / busy_s -
			  (double)item->turns) /
			 (double)(item->slow - item->turns);
	double w = fmin(computing, waiting) * (1 + ROUNDING);

	if (!(w >= 0))
		return 0;
	return s->at_most[w >= 1 ? PLACEMENT_WEIGHT_ONE
				 : (int)(w * PLACEMENT_WEIGHT_ONE)];
}

/* States from which the rest can be done are kept in two arrays that a ranking
 * does not need any more. */
static void state_keep(struct rank_ranking *r, uint32_t i, uint64_t can)
{
	r->keys[i] = (uint32_t)can;
	r->spare[i] = (uint32_t)(can >> 32);
}

static uint64_t state_kept(const struct rank_ranking *r, uint32_t i)
{
	return r->keys[i] | (uint64_t)r->spare[i] << 32;
}

/* Return whether there is a set of these levels that takes limit_s at most.
 * `keep`: and keep the states for set_pick(). */
static bool set_exists(struct block_search *s, const struct rank_cell *cell,
		       double limit_s, bool keep)
{
	uint64_t last = UINT64_C(1) << (s->nodes - 1);
	uint64_t can = 0; /* bit j: with j blocks done, before this candidate */
	bool complete =
		true; /* with all of them done: no required one is left */

	s->work -= s->work < s->members ? s->work : s->members;
	for (uint32_t i = s->members; i-- > 0;) {
		uint32_t at = s->r->order[i];
		uint64_t taken = blocks_for(s, at, cell, limit_s) &
				 (can >> 1 | (complete ? last : 0));
		bool required = at < s->required;

		can = required ? taken : can | taken;
		complete &= !required;
		if (keep)
			state_keep(s->r, i, can);
	}
	return can & 1;
}

/* Pick the nodes of the set, after set_exists() with the same cell
 * and limit. */
static void set_pick(const struct block_search *s, const struct rank_cell *cell,
		     double limit_s, uint32_t *ret_chosen)
{
	uint32_t required = s->required;
	uint32_t done = 0;

	for (uint32_t i = 0; i < s->members && done < s->nodes; i++) {
		uint32_t at = s->r->order[i];
		uint64_t next =
			i + 1 < s->members ? state_kept(s->r, i + 1) : 0;

		required -= at < s->required;

		bool rest = done + 1 < s->nodes ? next >> (done + 1) & 1
						: required == 0;

		if (rest && blocks_for(s, at, cell, limit_s) >> done & 1)
			ret_chosen[done++] = at;
	}
}

/* --- The search ----------------------------------------------------------- */

static struct block_search search_begin(struct rank_ranking *r, bool grouped)
{
	struct block_search s = { .r = r,
				  .nodes = r->request->nodes,
				  .required = r->request->required,
				  .work = WORK_MAX,
				  .slow = HUGE_VAL,
				  .speed = HUGE_VAL };

	for (uint32_t i = 0; i < r->count; i++) {
		const struct rank_item *item = &r->items[i];

		if (i >= s.required && grouped && !r->leaf_best[item->leaf])
			continue;
		r->keys[i] = r->request->candidates[i].place;
		r->order[s.members++] = i;
		s.slow = fmin(s.slow, (double)item->slow);
		s.speed = fmin(s.speed, (double)item->value[LEVEL_SPEED]);
	}
	rank_sort(r, r->order, s.members);
	for (int w = 0; w <= PLACEMENT_WEIGHT_ONE; w++)
		for (uint32_t k = 0; k < s.nodes; k++)
			if (r->weights->of[k] <= w)
				s.at_most[w] |= UINT64_C(1) << k;
	return s;
}

/* Return the least that a set of these levels can take, by its
 * heaviest block. */
static double least_s(const struct block_search *s,
		      const struct rank_cell *cell)
{
	double busy_s = (double)s->r->model.busy_s;

	return fmax(busy_s * s->speed + (double)cell->computing_s,
		    busy_s * s->slow + (double)cell->waiting_s);
}

/* Make the best set better, if one of these levels is. */
static void try_cell(struct block_search *s, const struct rank_cell *cell,
		     struct rank_found *best)
{
	double high = best->runtime_s * (1 - STEP);
	double low = least_s(s, cell);

	if (low > high || s->work < s->members ||
	    !set_exists(s, cell, high, false))
		return;
	while (high - low > STEP * high && s->work >= s->members) {
		double middle = (low + high) / 2;

		if (set_exists(s, cell, middle, false))
			high = middle;
		else
			low = middle;
	}
	best->runtime_s = high;
	best->cell = *cell;
}

/* Links that cost no more than the tie: the worst levels first, as Slurm's
 * order of nodes is to count among equals. */
static bool pick_widest(struct block_search *s, const struct rank_found *best,
			double limit_s, uint32_t *ret_chosen)
{
	const struct rank_ranking *r = s->r;
	const uint8_t *least = best->cell.level;

	for (int b = r->levels[LEVEL_BANDWIDTH].count - 1;
	     b >= least[LEVEL_BANDWIDTH]; b--)
		for (int l = r->levels[LEVEL_LATENCY].count - 1;
		     l >= least[LEVEL_LATENCY]; l--) {
			struct rank_cell cell =
				rank_cell_of(r, &best->trunk, false, 0, b, l);
			bool found = b == least[LEVEL_BANDWIDTH] &&
				     l == least[LEVEL_LATENCY];

			if ((double)cell.computing_s > limit_s ||
			    (!found && s->work < s->members) ||
			    !set_exists(s, &cell, limit_s, true))
				continue;
			set_pick(s, &cell, limit_s, ret_chosen);
			return true;
		}
	return false;
}

static void sort_ascending(uint32_t *positions, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		uint32_t moved = positions[i];
		uint32_t to = i;

		for (; to && positions[to - 1] > moved; to--)
			positions[to] = positions[to - 1];
		positions[to] = moved;
	}
}

bool rank_blocks(struct rank_ranking *r, const struct rank_found *found,
		 double tie, uint32_t *ret_chosen)
{
	struct block_search s = search_begin(r, found->grouped);
	struct rank_found best = *found;

	for (int b = r->required_level[LEVEL_BANDWIDTH];
	     b < r->levels[LEVEL_BANDWIDTH].count; b++)
		for (int l = r->required_level[LEVEL_LATENCY];
		     l < r->levels[LEVEL_LATENCY].count; l++) {
			struct rank_cell cell =
				rank_cell_of(r, &found->trunk, false, 0, b, l);

			try_cell(&s, &cell, &best);
		}
	if (!pick_widest(&s, &best, best.runtime_s * (1 + tie), ret_chosen))
		return false;
	sort_ascending(ret_chosen, s.nodes);
	return true;
}
