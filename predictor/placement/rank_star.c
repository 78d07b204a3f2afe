/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_star.c - the best set where any two nodes may be combined
 *
 * T grows with the slowest node, and with the worst level of speed and of links
 * ("cell").  Nodes are taken from the fastest on; each counts for all cells
 * that are no better than its own.  When a cell has k nodes, these are its best
 * set, as D cannot be less.  The best of the cells is the best of all.  A lower
 * bound of each cell's run time drops it early: mostly after little more than k
 * nodes.
 */
#include <math.h>

#include "predictor/placement/rank_state.h"

float rank_link_s(const struct placement_model *model, float per_bit_s,
		  float latency_s)
{
	return model->link_bits * per_bit_s + model->link_messages * latency_s;
}

double rank_runtime_s(const struct placement_model *model, double slow,
		      double speed, double link_s)
{
	double busy_s = (double)model->busy_s;
	double idle_s = (double)model->idle_s + link_s;
	double kept = 1 - (double)model->credit;

	return fmax(busy_s * speed + idle_s, busy_s * slow + kept * idle_s);
}

/* A cell has k nodes, none slower than `slow`.  True: it is the best now. */
static bool cell_complete(const struct rank_ranking *r,
			  const struct rank_cell *cell, float slow,
			  const struct rank_trunk *trunk,
			  struct rank_found *best)
{
	double runtime_s = fmax((double)cell->computing_s,
				(double)(r->model.busy_s * slow) +
					(double)cell->waiting_s);

	if (!(runtime_s < best->runtime_s))
		return false;
	best->runtime_s = runtime_s;
	best->slow = slow;
	best->cell = *cell;
	best->trunk = *trunk;
	return true;
}

/* Drop cells that cannot become better than the best. */
static void drop_cells(struct rank_ranking *r, float slow, double best_s)
{
	double busy_s = (double)(r->model.busy_s * slow);
	int kept = 0;

	for (int i = 0; i < r->cells_count; i++) {
		const struct rank_cell *cell = &r->cells[i];

		if (r->cell_counts[i] >= r->request->nodes ||
		    !((double)cell->computing_s < best_s) ||
		    !(busy_s + (double)cell->waiting_s < best_s))
			continue;
		r->cells[kept] = *cell;
		r->cell_counts[kept++] = r->cell_counts[i];
	}
	r->cells_count = kept;
}

/* Cells that the required nodes fill alone. */
static bool try_required(struct rank_ranking *r, const struct rank_trunk *trunk,
			 struct rank_found *best)
{
	bool better = false;

	if (r->request->required < r->request->nodes)
		return false;
	for (int i = 0; i < r->cells_count; i++)
		better |= cell_complete(r, &r->cells[i], r->required_slow,
					trunk, best);
	return better;
}

bool rank_star(struct rank_ranking *r, const uint32_t *members, uint32_t count,
	       const struct rank_trunk *trunk, struct rank_found *best)
{
	bool better = false;

	if (r->model.basis == PLACEMENT_FARM)
		return rank_farm(r, members, count, trunk, best);
	if (count + r->request->required < r->request->nodes)
		return false;
	rank_cells_make(r, trunk, true, best->runtime_s);
	if (try_required(r, trunk, best))
		return true;
	for (uint32_t i = 0; i < count && r->cells_count; i++) {
		const struct rank_item *item = &r->items[members[i]];
		float slow = fmaxf(item->slow, r->required_slow);
		bool completed = false;

		if ((double)(r->model.busy_s * slow) >= best->runtime_s)
			break;
		for (int j = 0; j < r->cells_count; j++)
			if (rank_cell_holds(&r->cells[j], item) &&
			    ++r->cell_counts[j] == r->request->nodes) {
				better |= cell_complete(r, &r->cells[j], slow,
							trunk, best);
				completed = true;
			}
		if (completed)
			drop_cells(r, slow, best->runtime_s);
	}
	return better;
}
