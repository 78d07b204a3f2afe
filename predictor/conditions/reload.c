/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reload.c - past measurements from the store, added before new ones
 *
 * Forecasters learn in the order of times.  So while the store sends past
 * measurements, new ones are queued, unless that takes too long: without the
 * database the nodes must become known, too.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/conditions/nodes_state.h"

#define QUEUE_MAX    100000
#define QUEUE_SPAN_S 120.0

void nodes_reload_begin(struct nodes *nodes)
{
	nodes->reloading = true;
}

static int queued_apply(struct nodes *nodes, const struct queued_measurement *w,
			struct sp_error *err)
{
	return w->is_link ? nodes_apply_link(nodes, w->cluster, &w->link, err)
			  : nodes_apply(nodes, w->cluster, &w->node, err);
}

void nodes_reload_end(struct nodes *nodes)
{
	nodes->reloading = false;
	for (uint32_t i = 0; i < nodes->queue_count; i++)
		queued_apply(nodes, &nodes->queue[i], NULL);
	free(nodes->queue);
	nodes->queue = NULL;
	nodes->queue_count = nodes->queue_capacity = 0;
}

static double queued_time_s(const struct queued_measurement *w)
{
	return w->is_link ? w->link.time_s : w->node.time_s;
}

static int measurement_queue(struct nodes *nodes,
			     const struct queued_measurement *w,
			     struct sp_error *err)
{
	if (nodes->reloading &&
	    (nodes->queue_count == QUEUE_MAX ||
	     (nodes->queue_count &&
	      !(fabs(queued_time_s(w) - queued_time_s(&nodes->queue[0])) <
		QUEUE_SPAN_S)) ||
	     index_grow(&nodes->queue, &nodes->queue_capacity,
			nodes->queue_count, sizeof(nodes->queue[0]))))
		nodes_reload_end(nodes);
	if (!nodes->reloading)
		return queued_apply(nodes, w, err);
	assert(nodes->queue); /* there is room */
	nodes->queue[nodes->queue_count++] = *w;
	return 0;
}

static void queued_set_cluster(struct queued_measurement *w,
			       const char *cluster)
{
	strncpy(w->cluster, cluster, sizeof(w->cluster) - 1);
}

int nodes_measure(struct nodes *nodes, const char *cluster,
		  const struct measurement *m, struct sp_error *err)
{
	struct queued_measurement w = { .is_link = false };

	if (!nodes->reloading)
		return nodes_apply(nodes, cluster, m, err);
	queued_set_cluster(&w, cluster);
	w.node = *m;
	return measurement_queue(nodes, &w, err);
}

int nodes_measure_link(struct nodes *nodes, const char *cluster,
		       const struct link_measurement *m, struct sp_error *err)
{
	struct queued_measurement w = { .is_link = true };

	if (!nodes->reloading)
		return nodes_apply_link(nodes, cluster, m, err);
	queued_set_cluster(&w, cluster);
	w.link = *m;
	return measurement_queue(nodes, &w, err);
}

int nodes_reload(struct nodes *nodes, const char *cluster,
		 const struct measurement *m, struct sp_error *err)
{
	uint32_t at = nodes_find(nodes, cluster, m->node);

	if (at != NODES_NONE && m->time_s <= nodes->of[at]->last_s)
		return 0;
	return nodes_apply(nodes, cluster, m, err);
}

int nodes_reload_speed(struct nodes *nodes, const char *cluster,
		       const char *name, double time_s, double speed,
		       struct sp_error *err)
{
	if (!isfinite(time_s) || !(speed >= 0 && isfinite(speed)))
		return sp_error_set(err, "node %s: bad speed %g", name, speed);

	uint32_t at = nodes_find_or_add(nodes, cluster, name, err);

	if (at == NODES_NONE)
		return -1;
	node_speed_add(nodes->of[at], time_s, speed);
	return 0;
}

int nodes_reload_link(struct nodes *nodes, const char *cluster,
		      const struct link_measurement *m, struct sp_error *err)
{
	uint32_t from = nodes_find(nodes, cluster, m->from);
	uint32_t to = nodes_find(nodes, cluster, m->to);
	uint32_t at = from == NODES_NONE || to == NODES_NONE
			      ? UINT32_MAX
			      : links_find(nodes->links, from, to);

	if (at != UINT32_MAX) {
		struct links_link link;

		links_at(nodes->links, at, HUGE_VAL, &link);
		if (m->time_s <= link.forecast.time_s)
			return 0;
	}
	return nodes_apply_link(nodes, cluster, m, err);
}
