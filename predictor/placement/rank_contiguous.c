/* rank_contiguous.c - the best of places that follow one another
 *
 * Each window of k candidates in the order of their places that has no gap and
 * all that is required is tried, at a cost of k.  Of very many large ones only
 * some are.  Of equal ones the first is taken.
 */
#include <math.h>
#include <string.h>

#include "predictor/placement/rank_state.h"

#define WORK_MAX (1u << 20) /* nodes looked at: 5 ms */

struct windows {
	uint32_t required; /* in the window at hand */
	uint32_t run;      /* places without a gap up to its end */
};

static bool allowed(struct rank_ranking *r, const struct rank_set *set)
{
	uint32_t leaves = 0;

	if (!r->request->leaves_max)
		return isfinite(set->runtime_s);
	for (uint32_t i = 0; i < r->leaves_count; i++)
		leaves += r->leaf_in[i]; /* as rank_worth() left it */
	return leaves <= r->request->leaves_max;
}

/* Positions by place. */
static void sort_places(struct rank_ranking *r)
{
	for (uint32_t i = 0; i < r->count; i++) {
		r->keys[i] = r->request->candidates[i].place;
		r->order[i] = i;
	}
	rank_sort(r, r->order, r->count);
}

static uint32_t place_of(const struct rank_ranking *r, uint32_t i)
{
	return r->request->candidates[r->order[i]].place;
}

/* Go on to the window that ends at i. */
static void slide(const struct rank_ranking *r, uint32_t i, struct windows *w)
{
	uint32_t nodes = r->request->nodes;
	bool follows = i && place_of(r, i) == place_of(r, i - 1) + 1;

	w->run = follows ? w->run + 1 : 1;
	w->required += r->order[i] < r->request->required;
	if (i >= nodes)
		w->required -= r->order[i - nodes] < r->request->required;
}

static void ascend(struct rank_ranking *r, uint32_t *positions, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		r->keys[positions[i]] = positions[i];
	rank_sort(r, positions, count);
}

/* Where the first window ends that takes no longer than limit_s; SNAPSHOT_NONE:
 * there is none.  *ret_best_s is the least of those tried. */
static uint32_t find(struct rank_ranking *r, double limit_s, double *ret_best_s)
{
	uint32_t nodes = r->request->nodes;
	uint32_t step = (uint32_t)((uint64_t)r->count * nodes / WORK_MAX) + 1;
	uint32_t tried = 0;
	struct windows w = { .run = 0 };

	for (uint32_t i = 0; i < r->count; i++) {
		struct rank_set set;

		slide(r, i, &w);
		if (w.run < nodes || w.required < r->request->required ||
		    tried++ % step)
			continue;
		rank_worth(r, r->order + i + 1 - nodes, nodes, &set);
		if (!allowed(r, &set))
			continue;
		if (set.runtime_s <= limit_s)
			return i;
		if (set.runtime_s < *ret_best_s)
			*ret_best_s = set.runtime_s;
	}
	return SNAPSHOT_NONE;
}

bool rank_contiguous(struct rank_ranking *r, double tie, uint32_t *ret_chosen)
{
	uint32_t nodes = r->request->nodes;
	double best_s = HUGE_VAL;
	uint32_t end;

	sort_places(r);
	find(r, -1, &best_s);
	if (isinf(best_s))
		return false;
	end = find(r, best_s * (1 + tie), &best_s);
	memcpy(ret_chosen, r->order + end + 1 - nodes,
	       nodes * sizeof(ret_chosen[0]));
	ascend(r, ret_chosen, nodes);
	return true;
}
