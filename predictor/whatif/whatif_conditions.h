/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_conditions.h - what nodes and links of a placement are like now
 *
 * What is not known, NAN or 0, stays as it was recorded; so does a node or a
 * link that the placement does not have.
 */
#pragma once

#include "predictor/replay/traced_place.h"

/* Set all nodes and links of the placement, with the functions below; nodes are
 * those of the cluster, which may be empty.  -1 with *err fails
 * the question. */
typedef int whatif_conditions_fn(void *context, const char *cluster,
				 struct traced_place *place,
				 struct sp_error *err);

void whatif_set_node(struct traced_place *place, const char *name,
		     double cpu_available, double cpu_speed, double cpu_turn_s);
/* The latency is there and back, in seconds; the bandwidth in bits a second. */
void whatif_set_link(struct traced_place *place, const char *from,
		     const char *to, double latency_s, double bandwidth_bps);

/* Fail if a node was not set; `instead` is the option that needs
 * no conditions. */
int whatif_check_nodes(const struct traced_place *place, const char *instead,
		       struct sp_error *err);
