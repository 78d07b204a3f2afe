/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_cells.c - combinations of levels that may have the best set */
#include <math.h>

#include "predictor/placement/rank_state.h"

struct rank_cell rank_cell_of(const struct rank_ranking *r,
			      const struct rank_trunk *trunk, bool computing,
			      int speed, int bandwidth, int latency)
{
	const struct placement_model *m = &r->model;
	float per_bit_s = fmaxf(r->levels[LEVEL_BANDWIDTH].worst[bandwidth],
				trunk->per_bit_s);
	float latency_s =
		2 * r->levels[LEVEL_LATENCY].worst[latency] + trunk->latency_s;
	float busy_s = computing ? m->busy_s : 0;
	float idle_s = m->idle_s + rank_link_s(m, per_bit_s, latency_s);

	return (struct rank_cell){
		.computing_s =
			busy_s * r->levels[LEVEL_SPEED].worst[speed] + idle_s,
		.waiting_s = (1 - m->credit) * idle_s,
		.level = { (uint8_t)speed, (uint8_t)bandwidth,
			   (uint8_t)latency },
	};
}

void rank_cells_make(struct rank_ranking *r, const struct rank_trunk *trunk,
		     bool computing, double best_s)
{
	const uint8_t *from = r->required_level;

	r->cells_count = 0;
	for (int s = from[0]; s < r->levels[0].count; s++)
		for (int b = from[1]; b < r->levels[1].count; b++)
			for (int l = from[2]; l < r->levels[2].count; l++) {
				struct rank_cell cell = rank_cell_of(
					r, trunk, computing, s, b, l);

				if (!((double)cell.computing_s < best_s))
					continue;
				r->cell_counts[r->cells_count] =
					r->request->required;
				r->cells[r->cells_count++] = cell;
			}
}
