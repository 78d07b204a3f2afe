/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_filter.h - which nodes of a snapshot a job may have, by what Slurm says
 *
 * Combines a snapshot with node facts (node_facts.h).  Nodes of the two are
 * matched by name when either has changed, in 0.1 ms for 1,000 nodes; then a
 * request costs a comparison for each kind of node.
 */
#pragma once

#include "predictor/features/node_facts.h"
#include "predictor/snapshot/snapshot.h"

struct node_filter;

struct node_filter *node_filter_create(void);    /* NULL: out of memory */
void node_filter_destroy(struct node_filter *f); /* NULL is allowed */

/* All that is pointed to is lent until the next request; the filter keeps
 * references to the snapshot and the facts. */
struct node_filter_request {
	struct snapshot *snapshot;        /* with its `order` */
	struct node_facts *facts;         /* NULL: nothing is known */
	const struct node_demand *demand; /* NULL: none */
	const char *partition;            /* "a,b"; NULL or empty: any */
};

/* Return -1 if memory is exhausted. */
int node_filter_begin(struct node_filter *f,
		      const struct node_filter_request *request);

/* Return whether the job may have the node.  One that Slurm did not describe
 * is allowed. */
bool node_filter_allows(const struct node_filter *f, uint32_t node);

/* All nodes of the snapshot in the order in which Slurm takes them: as in
 * node_facts.h, then those that it did not describe in the order of the
 * snapshot.  Lent until the next request. */
const uint32_t *node_filter_order(const struct node_filter *f);

/* Return the node of the snapshot at this position of the facts, which are
 * known; SNAPSHOT_NONE: it is not there. */
uint32_t node_filter_node(const struct node_filter *f, uint32_t fact);
