/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_sets_state.h - what the files of the node sets share; nobody else's */
#pragma once

#include "predictor/engine/nodes/node_sets.h"
#include "predictor/placement/chooser.h"

/* Expand a list that a user gave.  One that cannot be read is empty: Slurm
 * refuses it. */
void sets_expand(const char *text, struct hostlist *ret);

/* Return the request for the job of a prediction; of the rest, all is zero. */
struct chooser_request sets_request(const struct prediction *p,
				    struct snapshot *snapshot,
				    const struct placement_model *model);

/* What the job of a prediction demands of each node, as far as the prediction
 * has it: of generic resources, which it has over all nodes, one of each. */
void sets_demand(const struct prediction *p, struct node_demand *ret);

/* Find the set chosen last, worth `worth`; its ratio is runtime_s
 * to first_s. */
void sets_describe(struct chooser *c, const struct rank_set *worth,
		   double first_s, double median_s, struct engine_set *ret);
