/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_farm.c - the best set for a farm, which has the sum of its nodes' speeds
 *
 * 1. T falls with the sum of the speeds to this job, and grows with the worst
 *    level of speed and of links:
 *	T = max(C' + I + L, D' + (1 - credit) (I + L)),
 *    with D' = n busy / sum(1 / slow), and C' at most D' (rank_rate_set()).
 * 2. As in rank_star.c each combination of levels ("cell") takes the fastest k
 *    of its nodes, which have its greatest sum, and the best of the cells is
 *    the best of all.  A cell is dropped when even nodes as fast as the last
 *    one would not make it better than the best.
 * 3. Among equals: nodes of the set, the last in the caller's order first, make
 *    room for the caller's first ones, as long as the sum stays within the tie.
 */
#include <math.h>
#include <string.h>

#include "predictor/placement/rank_state.h"

/* Return the run time of cells without C, as what is computed follows from
 * the set. */
static double cell_runtime_s(const struct rank_ranking *r,
			     const struct rank_cell *cell, double mean)
{
	double speed =
		(double)r->levels[LEVEL_SPEED].worst[cell->level[LEVEL_SPEED]];
	double busy_s = (double)r->model.busy_s;

	return fmax(busy_s * fmin(speed, mean) + (double)cell->computing_s,
		    busy_s * mean + (double)cell->waiting_s);
}

static double speeds_required(const struct rank_ranking *r)
{
	double speeds = 0;

	for (uint32_t i = 0; i < r->request->required; i++)
		speeds += 1 / (double)r->items[i].slow;
	return speeds;
}

static void make_cells(struct rank_ranking *r, const struct rank_trunk *trunk,
		       double best_s)
{
	double speeds = speeds_required(r);

	rank_cells_make(r, trunk, false, best_s);
	for (int i = 0; i < r->cells_count; i++)
		r->cell_speeds[i] = speeds;
}

static bool cell_complete(const struct rank_ranking *r, int i,
			  const struct rank_trunk *trunk,
			  struct rank_found *best)
{
	double mean = (double)r->request->nodes / r->cell_speeds[i];
	double runtime_s = cell_runtime_s(r, &r->cells[i], mean);

	if (!(runtime_s < best->runtime_s))
		return false;
	*best = (struct rank_found){ .runtime_s = runtime_s,
				     .cell = r->cells[i],
				     .trunk = *trunk };
	return true;
}

/* Drop cells that are complete, or cannot become better than the best with
 * nodes that are no faster than `slow`. */
static void drop_cells(struct rank_ranking *r, double slow, double best_s)
{
	uint32_t nodes = r->request->nodes;
	int kept = 0;

	for (int i = 0; i < r->cells_count; i++) {
		double lack = (double)(nodes - r->cell_counts[i]);
		double mean = (double)nodes / (r->cell_speeds[i] + lack / slow);

		if (lack == 0 ||
		    !(cell_runtime_s(r, &r->cells[i], mean) < best_s))
			continue;
		r->cells[kept] = r->cells[i];
		r->cell_speeds[kept] = r->cell_speeds[i];
		r->cell_counts[kept++] = r->cell_counts[i];
	}
	r->cells_count = kept;
}

bool rank_farm(struct rank_ranking *r, const uint32_t *members, uint32_t count,
	       const struct rank_trunk *trunk, struct rank_found *best)
{
	uint32_t nodes = r->request->nodes;
	bool better = false;

	if (count + r->request->required < nodes)
		return false;
	make_cells(r, trunk, best->runtime_s);
	for (int j = 0; j < r->cells_count; j++)
		if (r->cell_counts[j] == nodes)
			better |= cell_complete(r, j, trunk, best);
	if (r->request->required == nodes)
		return better;
	for (uint32_t i = 0; i < count && r->cells_count; i++) {
		const struct rank_item *item = &r->items[members[i]];
		bool completed = false;

		for (int j = 0; j < r->cells_count; j++) {
			if (!rank_cell_holds(&r->cells[j], item))
				continue;
			r->cell_speeds[j] += 1 / (double)item->slow;
			if (++r->cell_counts[j] < nodes)
				continue;
			better |= cell_complete(r, j, trunk, best);
			completed = true;
		}
		if (completed)
			drop_cells(r, (double)item->slow, best->runtime_s);
	}
	return better;
}

/* --- The caller's order --------------------------------------------------- */

static bool can_take(const struct rank_ranking *r, uint32_t at,
		     const struct rank_found *found)
{
	const struct rank_item *item = &r->items[at];

	return rank_cell_holds(&found->cell, item) &&
	       (!found->grouped || r->leaf_best[item->leaf]);
}

/* Swap later ones of the set for earlier ones, as long as so much speed
 * is left. */
static void prefer_first(const struct rank_ranking *r,
			 const struct rank_found *found, double left,
			 uint32_t *taken)
{
	uint32_t first = r->request->required, last = r->count - 1;

	while (first < last) {
		if (!taken[last]) {
			last--;
			continue;
		}

		double lost = 1 / (double)r->items[last].slow -
			      1 / (double)r->items[first].slow;

		if (!taken[first] && can_take(r, first, found) &&
		    lost <= left) {
			taken[first] = 1;
			taken[last] = 0;
			left -= fmax(lost, 0);
		}
		first++;
	}
}

uint32_t rank_farm_pick(struct rank_ranking *r, const struct rank_found *found,
			double tie, uint32_t *ret_chosen)
{
	uint32_t nodes = r->request->nodes, required = r->request->required;
	uint32_t *taken = r->keys, count = required;
	double speeds = speeds_required(r);

	memset(taken, 0, r->count * sizeof(taken[0]));
	for (uint32_t i = 0; i < required; i++)
		taken[i] = 1;
	for (uint32_t i = 0; i < r->order_count && count < nodes; i++)
		if (can_take(r, r->order[i], found)) {
			speeds += 1 / (double)r->items[r->order[i]].slow;
			taken[r->order[i]] = 1;
			count++;
		}
	prefer_first(r, found, speeds * tie / (1 + tie), taken);
	count = 0;
	for (uint32_t i = 0; i < r->count; i++)
		if (taken[i])
			ret_chosen[count++] = i;
	return count;
}
