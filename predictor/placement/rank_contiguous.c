/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_contiguous.c - the best set of contiguous places
 *
 * Each window of k candidates in the order of their places that has no gap and
 * all required nodes is tried, at a cost of k; of very many large windows only
 * some are.  The first of equal ones is taken.
 */
#include <math.h>
#include <string.h>

#include "predictor/placement/rank_state.h"

#define WORK_MAX (1u << 20) /* nodes in all windows tried: 5 ms */

struct windows {
	uint32_t required; /* required nodes in the window */
	uint32_t run;      /* places without a gap up to its end */
};

static bool leaves_allowed(struct rank_ranking *r, const struct rank_set *set)
{
	uint32_t leaves = 0;

	if (!r->request->leaves_max)
		return isfinite(set->runtime_s);
	for (uint32_t i = 0; i < r->leaves_count; i++)
		leaves += r->leaf_in[i]; /* as rank_rate_set() left it */
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

static uint32_t place_at(const struct rank_ranking *r, uint32_t i)
{
	return r->request->candidates[r->order[i]].place;
}

/* Move the window so that it ends at i. */
static void window_slide(const struct rank_ranking *r, uint32_t i,
			 struct windows *w)
{
	uint32_t nodes = r->request->nodes;
	bool follows = i && place_at(r, i) == place_at(r, i - 1) + 1;

	w->run = follows ? w->run + 1 : 1;
	w->required += r->order[i] < r->request->required;
	if (i >= nodes)
		w->required -= r->order[i - nodes] < r->request->required;
}

static void sort_ascending(struct rank_ranking *r, uint32_t *positions,
			   uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		r->keys[positions[i]] = positions[i];
	rank_sort(r, positions, count);
}

/* End of the first window that takes no longer than limit_s; SNAPSHOT_NONE:
 * there is none.  *ret_best_s is the least of those tried. */
static uint32_t find_window(struct rank_ranking *r, double limit_s,
			    double *ret_best_s)
{
	uint32_t nodes = r->request->nodes;
	uint32_t step = (uint32_t)((uint64_t)r->count * nodes / WORK_MAX) + 1;
	uint32_t tried = 0;
	struct windows w = { .run = 0 };

	for (uint32_t i = 0; i < r->count; i++) {
		struct rank_set set;

		window_slide(r, i, &w);
		if (w.run < nodes || w.required < r->request->required ||
		    tried++ % step)
			continue;
		rank_rate_set(r, r->order + i + 1 - nodes, nodes, &set);
		if (!leaves_allowed(r, &set))
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
	find_window(r, -1, &best_s);
	if (isinf(best_s))
		return false;
	end = find_window(r, best_s * (1 + tie), &best_s);
	memcpy(ret_chosen, r->order + end + 1 - nodes,
	       nodes * sizeof(ret_chosen[0]));
	sort_ascending(r, ret_chosen, nodes);
	return true;
}
