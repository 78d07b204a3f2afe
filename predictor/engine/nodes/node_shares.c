/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_shares.c - what a job gets of the CPUs of its nodes */
#include <math.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/node_shares.h"

double engine_node_shares(struct engine *engine, const char *cluster,
			  const struct hostlist *list, double now_s,
			  struct node_share ret[])
{
	double lowest = INFINITY, highest = 0;

	ordered_lock_take(&engine->lock);
	for (size_t i = 0; i < list->count; i++) {
		struct resource_forecast f = { .value = NAN, .low = NAN };
		uint32_t at =
			nodes_find(engine->nodes, cluster, list->names[i]);

		if (at != NODES_NONE)
			nodes_forecast(engine->nodes, at, NODE_CPU_AVAILABLE,
				       now_s, NODES_HORIZON_S, &f);
		ret[i] = (struct node_share){ list->names[i], f.value };
		/* A forecast without an error yet is as good as its value. */
		if (isnan(f.low))
			f.low = f.value;
		lowest = isnan(f.low) || isnan(lowest) ? NAN
						       : fmin(lowest, f.low);
		highest = fmax(highest, f.value);
	}
	ordered_lock_give(&engine->lock);
	if (isnan(lowest) || !(highest > 0))
		return NAN;
	return fmax(1, fmin(NODE_SLOWDOWN_MAX, highest / lowest));
}
