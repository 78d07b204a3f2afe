/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes_state.h - the nodes in memory, as the files of conditions/ share them
 *
 * Private to nodes.c, reload.c, conditions.c and watch.c.
 */
#pragma once

#include "predictor/base/index.h"
#include "predictor/forecast/series.h"
#include "predictor/conditions/leaves.h"
#include "predictor/conditions/nodes.h"

struct node {
	char cluster[RUN_NAME_SIZE], name[HOSTLIST_NAME_SIZE];
	double last_s;     /* time of the newest measurement */
	double correction; /* of the newest; NAN: not reported */
	double host;       /* of the newest; 0: none is known */
	struct node_scheduler scheduler;
	double spool_free_mb, spool_failed;  /* of the newest; NAN: not known */
	struct resource *of[NODE_RESOURCES]; /* NULL: never measured */
	struct series *speeds; /* of its CPUs, one in WATCH_STEP_S; NULL: none
				*/
	double past_speed;     /* their median; NAN: they are too few */
};

/* Measured while the past is being reloaded. */
struct queued_measurement {
	char cluster[RUN_NAME_SIZE];
	bool is_link;
	union {
		struct measurement node;
		struct link_measurement link;
	};
};

struct nodes {
	uint32_t count, capacity;
	struct node **of;
	uint32_t *sorted; /* their positions, by cluster and name */
	uint32_t sorted_capacity;
	struct index index;
	struct links *links;
	struct leaves *leaves; /* NULL: not known */

	bool reloading;
	uint32_t queue_count, queue_capacity;
	struct queued_measurement *queue;
};

/* Return the part of what a node has available that is left to a job on all
 * of these: less than 1 if it shares its machine with more of them than that
 * can serve. */
double nodes_host_part(const struct nodes *nodes, uint32_t at,
		       const uint32_t *positions, int count, double time_s,
		       double horizon_s);

/* Add to the node's speeds, unless one of the time just before is there. */
void node_speed_add(struct node *node, double time_s, double speed);

/* Return the node's position; NODES_NONE: there is no room for it. */
uint32_t nodes_find_or_add(struct nodes *nodes, const char *cluster,
			   const char *name, struct sp_error *err);

/* Add a measurement at once, whether or not the past is being reloaded. */
int nodes_apply(struct nodes *nodes, const char *cluster,
		const struct measurement *m, struct sp_error *err);
int nodes_apply_link(struct nodes *nodes, const char *cluster,
		     const struct link_measurement *m, struct sp_error *err);
