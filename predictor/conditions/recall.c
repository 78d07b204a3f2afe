/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recall.c - what was measured before a restart comes before what is now
 *
 * Batteries learn in the order of times.  So while the past is told from the
 * store, what arrives meanwhile waits, unless that takes too long: a database
 * that is away must not keep the nodes from being known.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/conditions/nodes_state.h"

#define WAITING_MAX    100000
#define WAITING_SPAN_S 120.0

void nodes_recall_begin(struct nodes *nodes)
{
	nodes->recalling = true;
}

static int take(struct nodes *nodes, const struct waiting *w,
		struct sp_error *err)
{
	return w->is_link ? nodes_take_link(nodes, w->cluster, &w->link, err)
			  : nodes_take(nodes, w->cluster, &w->node, err);
}

void nodes_recall_end(struct nodes *nodes)
{
	nodes->recalling = false;
	for (uint32_t i = 0; i < nodes->waiting_count; i++)
		take(nodes, &nodes->waiting[i], NULL);
	free(nodes->waiting);
	nodes->waiting = NULL;
	nodes->waiting_count = nodes->waiting_capacity = 0;
}

static double time_of(const struct waiting *w)
{
	return w->is_link ? w->link.time_s : w->node.time_s;
}

static int wait_or_take(struct nodes *nodes, const struct waiting *w,
			struct sp_error *err)
{
	if (nodes->recalling &&
	    (nodes->waiting_count == WAITING_MAX ||
	     (nodes->waiting_count &&
	      !(fabs(time_of(w) - time_of(&nodes->waiting[0])) <
		WAITING_SPAN_S)) ||
	     index_grow(&nodes->waiting, &nodes->waiting_capacity,
			nodes->waiting_count, sizeof(nodes->waiting[0]))))
		nodes_recall_end(nodes);
	if (!nodes->recalling)
		return take(nodes, w, err);
	assert(nodes->waiting); /* there is room */
	nodes->waiting[nodes->waiting_count++] = *w;
	return 0;
}

static void set_cluster(struct waiting *w, const char *cluster)
{
	strncpy(w->cluster, cluster, sizeof(w->cluster) - 1);
}

int nodes_measure(struct nodes *nodes, const char *cluster,
		  const struct measurement *m, struct sp_error *err)
{
	struct waiting w = { .is_link = false };

	if (!nodes->recalling)
		return nodes_take(nodes, cluster, m, err);
	set_cluster(&w, cluster);
	w.node = *m;
	return wait_or_take(nodes, &w, err);
}

int nodes_measure_link(struct nodes *nodes, const char *cluster,
		       const struct link_measurement *m, struct sp_error *err)
{
	struct waiting w = { .is_link = true };

	if (!nodes->recalling)
		return nodes_take_link(nodes, cluster, m, err);
	set_cluster(&w, cluster);
	w.link = *m;
	return wait_or_take(nodes, &w, err);
}

int nodes_recall(struct nodes *nodes, const char *cluster,
		 const struct measurement *m, struct sp_error *err)
{
	uint32_t at = nodes_find(nodes, cluster, m->node);

	if (at != NODES_NONE && m->time_s <= nodes->of[at]->last_s)
		return 0;
	return nodes_take(nodes, cluster, m, err);
}

int nodes_recall_speed(struct nodes *nodes, const char *cluster,
		       const char *name, double time_s, double speed,
		       struct sp_error *err)
{
	if (!isfinite(time_s) || !(speed >= 0 && isfinite(speed)))
		return sp_error_set(err, "node %s: bad speed %g", name, speed);

	uint32_t at = nodes_find_or_add(nodes, cluster, name, err);

	if (at == NODES_NONE)
		return -1;
	watch_note_speed(nodes->of[at], time_s, speed);
	return 0;
}

int nodes_recall_link(struct nodes *nodes, const char *cluster,
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
	return nodes_take_link(nodes, cluster, m, err);
}
