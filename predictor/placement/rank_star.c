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

struct rank_cell rank_cell_of(const struct rank_ranking *r,
			      const struct rank_trunk *trunk, int speed,
			      int bandwidth, int latency)
{
	const struct placement_model *m = &r->model;
	float per_bit_s = fmaxf(r->levels[LEVEL_BANDWIDTH].worst[bandwidth],
				trunk->per_bit_s);
	float latency_s =
		2 * r->levels[LEVEL_LATENCY].worst[latency] + trunk->latency_s;
	float idle_s = m->idle_s + rank_link_s(m, per_bit_s, latency_s);

	return (struct rank_cell){
		.computing_s = m->busy_s * r->levels[LEVEL_SPEED].worst[speed] +
			       idle_s,
		.waiting_s = (1 - m->credit) * idle_s,
		.level = { (uint8_t)speed, (uint8_t)bandwidth,
			   (uint8_t)latency },
	};
}

/* Cells that hold the required nodes, and may be better than the best. */
static void make_cells(struct rank_ranking *r, const struct rank_trunk *trunk,
		       double best_s)
{
	const uint8_t *from = r->required_level;

	r->cells_count = 0;
	for (int s = from[0]; s < r->levels[0].count; s++)
		for (int b = from[1]; b < r->levels[1].count; b++)
			for (int l = from[2]; l < r->levels[2].count; l++) {
				struct rank_cell cell =
					rank_cell_of(r, trunk, s, b, l);

				if (!((double)cell.computing_s < best_s))
					continue;
				r->cell_counts[r->cells_count] =
					r->request->required;
				r->cells[r->cells_count++] = cell;
			}
}

static bool cell_holds(const struct rank_cell *cell,
		       const struct rank_item *item)
{
	return item->level[0] <= cell->level[0] &&
	       item->level[1] <= cell->level[1] &&
	       item->level[2] <= cell->level[2];
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
	make_cells(r, trunk, best->runtime_s);
	if (try_required(r, trunk, best))
		return true;
	for (uint32_t i = 0; i < count && r->cells_count; i++) {
		const struct rank_item *item = &r->items[members[i]];
		float slow = fmaxf(item->slow, r->required_slow);
		bool completed = false;

		if ((double)(r->model.busy_s * slow) >= best->runtime_s)
			break;
		for (int j = 0; j < r->cells_count; j++)
			if (cell_holds(&r->cells[j], item) &&
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
