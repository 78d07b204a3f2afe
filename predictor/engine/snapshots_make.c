/* snapshots_make.c - a snapshot from the engine's memory
 *
 * The way of a node into its switch is the best of its links that were
 * measured: a link gets the least of the ways of its two ends, and most ends
 * are good.  Measured is the time there and back, and each direction passes two
 * ways.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/engine/snapshots_state.h"
#include "predictor/engine/state.h"
#include "predictor/engine/waiting.h"
#include "predictor/placement/snapshot_state.h"

/* So many are looked at while the lock is held: below a millisecond. */
#define NODES_AT_ONCE 32
#define LINKS_AT_ONCE 1000

/* What is not forecast far ahead is as of the middle horizon. */
#define MIDDLE 1

struct making {
	struct engine *engine;
	const char *cluster;
	double now_s;
	struct snapshot *s;
	uint32_t positions; /* of nodes in the engine */
	uint32_t *row_of;   /* of each position, SNAPSHOT_NONE: other cluster */
	float *in, *out;    /* best bandwidth of each row's links */
};

static void make_node(const struct making *m, uint32_t position,
		      const struct node_view *view)
{
	const struct resource_forecast *of = view->of;
	struct snapshot_node *node = &m->s->nodes[m->s->node_count];

	m->row_of[position] = m->s->node_count++;
	*node = (struct snapshot_node){
		.leaf = SNAPSHOT_NONE,
		.error = (float)of[NODE_CPU_AVAILABLE].error,
		.load = (float)of[NODE_CPU_LOAD].value,
		.speed = (float)of[NODE_CPU_SPEED].value,
		.memory_mb = (float)of[NODE_MEMORY].value,
		.bandwidth_bps = NAN,
		.latency_s = NAN,
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

static void make_nodes(struct making *m)
{
	for (uint32_t i = 0; i < m->positions; i += NODES_AT_ONCE) {
		pthread_mutex_lock(&m->engine->lock);
		for (uint32_t j = i; j < m->positions && j < i + NODES_AT_ONCE;
		     j++) {
			struct node_view view;

			nodes_view(m->engine->nodes, j, m->now_s,
				   snapshot_horizons_s[MIDDLE], &view);
			m->row_of[j] = SNAPSHOT_NONE;
			if (strcmp(view.cluster, m->cluster) == 0)
				make_node(m, j, &view);
		}
		pthread_mutex_unlock(&m->engine->lock);
	}
}

static uint32_t row(const struct making *m, uint32_t position)
{
	return position < m->positions ? m->row_of[position] : SNAPSHOT_NONE;
}

static void see_link(const struct making *m, const struct links_link *link)
{
	uint32_t from = row(m, link->from);
	uint32_t to = row(m, link->to);
	float bandwidth = (float)link->forecast.bandwidth_bps;
	float latency = (float)link->forecast.latency_s / 4;

	if (!link->fresh || from == SNAPSHOT_NONE || to == SNAPSHOT_NONE)
		return;

	struct snapshot_node *a = &m->s->nodes[from];
	struct snapshot_node *b = &m->s->nodes[to];

	/* fmaxf() and fminf() pass over NAN. */
	m->out[from] = fmaxf(m->out[from], bandwidth);
	m->in[to] = fmaxf(m->in[to], bandwidth);
	a->latency_s = fminf(a->latency_s, latency);
	b->latency_s = fminf(b->latency_s, latency);
}

static void make_links(struct making *m)
{
	uint32_t count = 1;

	for (uint32_t i = 0; i < count; i += LINKS_AT_ONCE) {
		pthread_mutex_lock(&m->engine->lock);

		const struct links *links = nodes_links(m->engine->nodes);

		count = links_count(links);
		for (uint32_t j = i; j < count && j < i + LINKS_AT_ONCE; j++) {
			struct links_link link;

			links_at(links, j, m->now_s, &link);
			see_link(m, &link);
		}
		pthread_mutex_unlock(&m->engine->lock);
	}
	for (uint32_t i = 0; i < m->s->node_count; i++)
		m->s->nodes[i].bandwidth_bps = fminf(m->in[i], m->out[i]);
}

static void make_jobs(struct making *m)
{
	pthread_mutex_lock(&m->engine->lock);
	m->s->job_count = waiting_list(m->engine->waiting, m->s->jobs);
	pthread_mutex_unlock(&m->engine->lock);
}

static int take_memory(struct making *m)
{
	uint32_t count = m->positions + 1;

	m->s = snapshot_create(count, 0, WAITING_MAX);
	m->row_of = calloc(count, sizeof(*m->row_of));
	m->in = calloc(count, sizeof(*m->in));
	m->out = calloc(count, sizeof(*m->out));
	if (!m->s || !m->row_of || !m->in || !m->out)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		m->in[i] = m->out[i] = NAN;
	return 0;
}

struct snapshot *snapshots_make(struct engine *engine, const char *cluster)
{
	struct making m = { .engine = engine,
			    .cluster = cluster,
			    .now_s = clock_now_s() };

	pthread_mutex_lock(&engine->lock);
	m.positions = nodes_count(engine->nodes);
	pthread_mutex_unlock(&engine->lock);
	if (take_memory(&m) == 0) {
		m.s->made_at_s = m.now_s;
		strcpy(m.s->cluster, cluster);
		make_nodes(&m);
		make_links(&m);
		make_jobs(&m);
	} else {
		snapshot_put(m.s);
		m.s = NULL;
	}
	free(m.row_of);
	free(m.in);
	free(m.out);
	return m.s;
}
