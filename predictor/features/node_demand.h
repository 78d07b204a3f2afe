/* node_demand.h - what a job asks of each of its nodes
 *
 * By which nodes are told apart that the job can run on and those that it
 * cannot, whatever else runs there.
 */
#ifndef PREDICTOR_FEATURES_NODE_DEMAND_H
#define PREDICTOR_FEATURES_NODE_DEMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/features/constraint.h"
#include "predictor/features/gres.h"
#include "predictor/features/submission.h"

struct node_demand {
	struct constraint constraint; /* on the node's features */
	struct gres_list gres;        /* at least */
	uint32_t cpus;                /* at least, never 0 */
	double memory_mb;             /* at least; 0: none was asked for */
	bool exclusive;               /* no other job on the node */
};

void node_demand_of(const struct submission *job, struct node_demand *ret);

/* Whether nothing is asked that a node could lack but a CPU. */
bool node_demand_is_empty(const struct node_demand *demand);

#endif
