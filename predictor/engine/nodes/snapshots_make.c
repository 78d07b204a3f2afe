/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshots_make.c - a snapshot from the engine's memory */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/snapshots_state.h"
#include "predictor/engine/waiting.h"
#include "predictor/snapshot/snapshot_state.h"

/* Nodes read per hold of the lock: below a millisecond. */
#define NODES_AT_ONCE 32

/* What is not forecast far ahead is as of the middle horizon. */
#define MIDDLE 1

struct snapshot_work {
	struct engine *engine;
	const char *cluster;
	double now_s;
	struct snapshot *s;
	uint32_t positions; /* of nodes in the engine */
	uint32_t *row_of;   /* of each position, SNAPSHOT_NONE: other cluster */
};

static void node_fill(const struct snapshot_work *m, uint32_t position,
		      const struct node_view *view)
{
	const struct resource_forecast *of = view->of;
	struct snapshot_node *node = &m->s->nodes[m->s->node_count];
	uint32_t leaf = links_leaf(nodes_links(m->engine->nodes), position);

	m->row_of[position] = m->s->node_count++;
	*node = (struct snapshot_node){
		.leaf = leaf < SNAPSHOT_LEAVES_MAX ? leaf : SNAPSHOT_NONE,
		.error = (float)of[NODE_CPU_AVAILABLE].error,
		.load = (float)of[NODE_CPU_LOAD].value,
		.speed = (float)of[NODE_CPU_SPEED].value,
		.memory_mb = (float)of[NODE_MEMORY].value,
		.bandwidth_bps = NAN,
		.latency_s = NAN,
		.turn_s = (float)nodes_scheduler(m->engine->nodes, position)
				  .turn_s,
	};
	strcpy(node->name, view->name);
	for (int h = 0; h < SNAPSHOT_HORIZONS; h++) {
		struct resource_forecast f = of[NODE_CPU_AVAILABLE];

		if (h != MIDDLE)
			nodes_forecast(m->engine->nodes, position,
				       NODE_CPU_AVAILABLE, m->now_s,
				       snapshot_horizons_s[h], &f);
		node->available[h] = (float)f.value;
	}
}

static void nodes_fill(struct snapshot_work *m)
{
	for (uint32_t i = 0; i < m->positions; i += NODES_AT_ONCE) {
		ordered_lock_take(&m->engine->lock);
		for (uint32_t j = i; j < m->positions && j < i + NODES_AT_ONCE;
		     j++) {
			struct node_view view;

			m->row_of[j] = SNAPSHOT_NONE;
			if (strcmp(nodes_name(m->engine->nodes, j).cluster,
				   m->cluster) != 0)
				continue;
			nodes_view(m->engine->nodes, j, m->now_s,
				   snapshot_horizons_s[MIDDLE], &view);
			node_fill(m, j, &view);
		}
		ordered_lock_give(&m->engine->lock);
	}
}

static void jobs_fill(struct snapshot_work *m)
{
	ORDERED_LOCK_HOLD(&m->engine->lock);

	m->s->job_count = waiting_list(m->engine->waiting, m->cluster, m->now_s,
				       m->s->jobs);
}

static int work_reserve(struct snapshot_work *m, bool with_jobs)
{
	uint32_t count = m->positions + 1;

	m->s = snapshot_create(count, 0, with_jobs ? WAITING_MAX : 0);
	m->row_of = calloc(count, sizeof(*m->row_of));
	return m->s && m->row_of ? 0 : -1;
}

struct snapshot *snapshots_make(struct engine *engine, const char *cluster,
				double time_s, bool with_jobs)
{
	struct snapshot_work m = { .engine = engine,
				   .cluster = cluster,
				   .now_s = time_s };

	ordered_lock_take(&engine->lock);
	m.positions = nodes_count(engine->nodes);
	ordered_lock_give(&engine->lock);
	if (work_reserve(&m, with_jobs))
		goto fail;
	m.s->made_at_s = m.now_s;
	strcpy(m.s->cluster, cluster);
	nodes_fill(&m);
	/* Without memory for links, by CPUs alone. */
	snapshots_make_links(engine, m.row_of, m.positions, m.now_s, m.s);
	if (with_jobs)
		jobs_fill(&m);
	if (snapshot_arrange(m.s))
		goto fail;
	free(m.row_of);
	return m.s;
fail:
	free(m.row_of);
	snapshot_put(m.s);
	return NULL;
}
