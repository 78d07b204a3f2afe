/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_demand.h - what a job requires of each of its nodes
 *
 * A node that lacks any of it cannot be one of the job's nodes, whatever else
 * runs there.
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
	double memory_mb;             /* at least; 0: none requested */
	bool exclusive;               /* no other job on the node */
};

void node_demand_of(const struct submission *job, struct node_demand *ret);

#endif
