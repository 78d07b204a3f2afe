/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_model.c - run time of a waiting job on any nodes */
#include <math.h>
#include <stdbool.h>

#include "predictor/snapshot/placement_model.h"

/* All of the run time is taken as computing: idle time that is not known cannot
 * be given back. */
void placement_model_from_runtime(uint32_t nodes, uint32_t tasks,
				  double median_s, struct placement_model *ret)
{
	bool known = isfinite(median_s) && median_s > 0;

	*ret = (struct placement_model){
		.basis = known ? PLACEMENT_HISTORY : PLACEMENT_CONDITIONS,
		.nodes = nodes,
		.tasks = tasks,
		.horizon_s = known ? (float)median_s : 0,
		.busy_s = known ? (float)median_s : 1,
		.credit = 1,
	};
}

double placement_curve_s(const struct placement_curve *curve, uint32_t n)
{
	const float *c = curve->c_s;

	return (double)c[0] + (double)c[1] / n + (double)c[2] * log2(n) +
	       (double)c[3] * n;
}

double placement_runtime_s(const struct placement_model *model,
			   const struct placement_offer *offer)
{
	double speed = (double)offer->speed;
	double available = (double)offer->available;
	double busy_s = (double)model->busy_s / speed;
	double idle_s = (double)model->idle_s;
	double kept = 1 - (double)model->credit;
	double turns_s = (double)model->turns * (double)offer->turn_s *
			 fmax(1 / available - 1, 0);

	if (model->link_bits > 0)
		idle_s +=
			(double)model->link_bits / (double)offer->bandwidth_bps;
	if (model->link_messages > 0)
		idle_s +=
			(double)model->link_messages * (double)offer->latency_s;
	if (model->basis == PLACEMENT_FARM)
		return busy_s / available + idle_s;
	return fmax(busy_s + idle_s,
		    busy_s / available + kept * idle_s + turns_s);
}
