/* nodes.h - what is known of the nodes, and which of them a job may get
 *
 * Conditions are forecast from the last measurements.  Only what was measured
 * up to the moment asked for is used.
 */
#ifndef PREDICTOR_PLACEMENT_NODES_H
#define PREDICTOR_PLACEMENT_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"
#include "predictor/features/measurement.h"
#include "predictor/features/run.h"

#define NODES_MAX 100000 /* 4.8 KB each */

struct nodes;

struct nodes *nodes_create(void); /* NULL: out of memory */
void nodes_destroy(struct nodes *nodes);

/* Add a measurement; a node is made for a new name.  Values that are NAN were
 * not measured; others must be finite and not below zero.  Fails on a bad
 * measurement and when there are too many nodes. */
int nodes_measure(struct nodes *nodes, const char *cluster,
		  const struct measurement *m, struct sp_error *err);

/* Conditions over the nodes of `list` (NULL: none) at that moment.  Nodes
 * without a fresh measurement do not count. */
void nodes_conditions(const struct nodes *nodes, const char *cluster,
		      const struct hostlist *list, double time_s,
		      struct conditions *ret);

struct nodes_request {
	const char *cluster;
	uint32_t count;
	const struct hostlist *required; /* NULL or empty: none */
	const struct hostlist *excluded; /* likewise */
};

/* Assume the nodes that a job would best run on: those required, then those
 * with the most CPU available, in the order of their names where it is the
 * same.  Nodes without a fresh measurement are assumed only if required.
 * `ret_text` gets them as a hostlist, cut at `size`; empty if none are known.
 */
void nodes_assume(struct nodes *nodes, const struct nodes_request *request,
		  double time_s, char *ret_text, size_t size,
		  struct conditions *ret);

struct nodes_node {
	const char *cluster;
	struct measurement last; /* the newest values, each NAN if never
				    measured */
	bool fresh;
};

/* All nodes in the order of cluster and name. */
void nodes_visit(struct nodes *nodes, double time_s,
		 void (*visit)(void *context, const struct nodes_node *node),
		 void *context);

uint32_t nodes_count(const struct nodes *nodes);

#endif
