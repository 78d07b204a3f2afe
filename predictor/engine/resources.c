/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resources.c - lists of nodes, links and their series
 *
 * The engine's lock is taken for a few nodes or links at a time, and the
 * copies are visited without it.  A node or link that is added meanwhile may
 * be missing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/resources.h"
#include "predictor/engine/engine_state.h"

/* Nodes whose forecasts are made under one lock: 10 us each. */
#define NODES_AT_ONCE 32
/* Links read per hold of the lock: 0.3 us each. */
#define LINKS_AT_ONCE 1000

static bool is_of(const char *wanted, const char *name)
{
	return !wanted || !*wanted || strcmp(wanted, name) == 0;
}

/* --- Nodes ---------------------------------------------------------------- */

/* Positions of the nodes listed, in order, and the speeds of all. */
struct listing {
	const struct engine_nodes_query *query;
	size_t count, fresh;
	uint32_t *positions;
	struct node_speed *speeds;
};

static void list_node(void *context, const struct nodes_node *node)
{
	struct listing *l = context;

	if (is_of(l->query->cluster, node->cluster) &&
	    (!l->query->slow || l->speeds[node->position].slow))
		l->positions[l->count++] = node->position;
	l->fresh += node->fresh;
}

static int list_all(struct engine *engine, struct listing *l,
		    struct sp_error *err)
{
	ORDERED_LOCK_HOLD(&engine->lock);
	uint32_t count = nodes_count(engine->nodes);

	l->positions = calloc(count + 1, sizeof(*l->positions));
	l->speeds = calloc(count + 1, sizeof(*l->speeds));
	if (!l->positions || !l->speeds)
		return sp_error_set(err, "out of memory for %u nodes", count);
	nodes_speeds(engine->nodes, l->speeds);
	nodes_visit(engine->nodes, l->query->now_s, list_node, l);
	return 0;
}

static void copy_history(const struct resource *r, int wanted,
			 struct engine_node *ret)
{
	if (!r)
		return;

	int count = r->recent.count < wanted ? r->recent.count : wanted;
	int first = r->recent.count - count;

	for (int i = 0; i < count; i++)
		ret->history[i] = series_value(&r->recent, first + i);
	ret->history_count = count;
}

static void show_node(const struct nodes *nodes, uint32_t position,
		      const struct listing *l, struct engine_node *ret)
{
	const struct engine_nodes_query *q = l->query;
	struct nodes_node node;
	struct node_view view;

	memset(ret, 0, sizeof(*ret));
	nodes_newest(nodes, position, q->now_s, &node);
	nodes_view(nodes, position, q->now_s, q->horizon_s, &view);
	strcpy(ret->cluster, node.cluster);
	ret->last = node.last;
	ret->fresh = node.fresh;
	memcpy(ret->of, view.of, sizeof(ret->of));
	ret->speed = l->speeds[position];
	nodes_bad_sensors(nodes, position, &ret->stuck, &ret->jumping);
	ret->history_of = q->history_of;
	if (q->history > 0)
		copy_history(nodes_resource(nodes, position, q->history_of),
			     q->history, ret);
}

int engine_list_nodes(struct engine *engine,
		      const struct engine_nodes_query *query,
		      struct engine_node *ret, size_t *ret_count,
		      size_t *ret_total, struct sp_error *err)
{
	struct listing l = { .query = query };
	size_t at = query->offset, count = 0;
	int rc = list_all(engine, &l, err);

	while (!rc && at < l.count && count < query->limit) {
		ordered_lock_take(&engine->lock);
		for (int i = 0;
		     i < NODES_AT_ONCE && at < l.count && count < query->limit;
		     i++)
			show_node(engine->nodes, l.positions[at++], &l,
				  &ret[count++]);
		ordered_lock_give(&engine->lock);
	}
	*ret_count = count;
	*ret_total = l.count;
	free(l.positions);
	free(l.speeds);
	return rc;
}

/* Count what the fresh nodes report. */
static void fresh_count(struct engine *engine, const struct listing *l,
			double now_s, struct engine_resources *ret)
{
	double available = 0, known = 0;

	for (size_t at = 0; at < l->count;) {
		ordered_lock_take(&engine->lock);
		for (int i = 0; i < NODES_AT_ONCE && at < l->count; i++) {
			struct nodes_node node;

			nodes_newest(engine->nodes, l->positions[at++], now_s,
				     &node);
			if (!node.fresh)
				continue;
			ret->nodes_spool_full +=
				node.last.spool_free_mb < SPOOL_FULL_MB;
			if (node.last.spool_failed > 0)
				ret->spool_failed += node.last.spool_failed;
			if (isfinite(node.last.cpu_available)) {
				available += node.last.cpu_available;
				known++;
			}
		}
		ordered_lock_give(&engine->lock);
	}
	ret->cpu_available = available / known;
}

int engine_count_resources(struct engine *engine, double now_s,
			   struct engine_resources *ret, struct sp_error *err)
{
	struct engine_nodes_query query = { .now_s = now_s };
	struct listing l = { .query = &query };
	int rc = list_all(engine, &l, err);
	uint32_t at = 0, all;

	*ret = (struct engine_resources){ 0 };
	for (size_t i = 0; !rc && i < l.count; i++)
		ret->nodes_slow += l.speeds[i].slow;
	ret->nodes_fresh = l.fresh;
	if (!rc)
		fresh_count(engine, &l, now_s, ret);
	free(l.positions);
	free(l.speeds);
	do {
		ordered_lock_take(&engine->lock);
		all = links_count(nodes_links(engine->nodes));
		for (int i = 0; i < LINKS_AT_ONCE && at < all; i++) {
			struct links_link link;

			links_at(nodes_links(engine->nodes), at++, now_s,
				 &link);
			ret->links_fresh += link.fresh;
		}
		ordered_lock_give(&engine->lock);
	} while (at < all);
	return rc;
}

/* --- Links ---------------------------------------------------------------- */

static bool is_wanted(const struct engine_links_query *query,
		      const struct node_name *from, const struct node_name *to)
{
	return is_of(query->cluster, from->cluster) &&
	       (is_of(query->node, from->name) || is_of(query->node, to->name));
}

static void show_link(const struct nodes *nodes, uint32_t position,
		      const struct engine_links_query *query, size_t *total,
		      struct engine_link *ret, size_t *count)
{
	struct links_link link;
	struct node_name from, to;

	links_at(nodes_links(nodes), position, query->now_s, &link);
	from = nodes_name(nodes, link.from);
	to = nodes_name(nodes, link.to);
	if (!is_wanted(query, &from, &to) || (*total)++ < query->offset ||
	    *count == query->limit)
		return;

	struct engine_link *out = &ret[(*count)++];

	strcpy(out->cluster, from.cluster);
	strcpy(out->from, from.name);
	strcpy(out->to, to.name);
	out->fresh = link.fresh;
	out->forecast = link.forecast;
}

void engine_list_links(struct engine *engine,
		       const struct engine_links_query *query,
		       struct engine_link *ret, size_t *ret_count,
		       size_t *ret_total)
{
	uint32_t at = 0, all;
	size_t total = 0, count = 0;

	do {
		ordered_lock_take(&engine->lock);
		all = links_count(nodes_links(engine->nodes));
		for (int i = 0; i < LINKS_AT_ONCE && at < all; i++)
			show_link(engine->nodes, at++, query, &total, ret,
				  &count);
		ordered_lock_give(&engine->lock);
	} while (at < all);
	*ret_count = count;
	*ret_total = total;
}

/* --- Series --------------------------------------------------------------- */

static void show_resource(struct nodes *nodes, uint32_t node,
			  enum node_resource resource,
			  const struct engine_series_query *q,
			  struct engine_series *ret)
{
	const struct resource *r = nodes_resource(nodes, node, resource);

	ret->sticks = resource_is_stuck(r);
	ret->jumps = resource_jumps(r);
	ret->step_s = r->battery.step_s;
	ret->expiry_s = resource_expiry_s(r);
	ret->fresh = fabs(q->now_s - r->last_s) <= ret->expiry_s;
	ret->count = r->recent.count;
	for (int i = 0; i < ret->count; i++) {
		ret->times_s[i] = series_time_s(&r->recent, i);
		ret->values[i] = (double)series_value(&r->recent, i);
	}
	for (int i = 0; i < q->horizons_count; i++)
		nodes_forecast(nodes, node, resource, q->now_s,
			       q->horizons_s[i], &ret->forecasts[i]);
}

static int node_series(struct nodes *nodes, const char *cluster,
		       const struct engine_series_query *q,
		       struct engine_series *ret, struct sp_error *err)
{
	uint32_t node = nodes_find(nodes, cluster, q->node);

	if (node == NODES_NONE)
		return sp_error_set(err, "there is no node %s", q->node);
	for (int i = 0; i < NODE_RESOURCES; i++) {
		if (strcmp(node_resources[i].name, q->resource) != 0 ||
		    !nodes_resource(nodes, node, (enum node_resource)i))
			continue;
		show_resource(nodes, node, (enum node_resource)i, q, ret);
		return 0;
	}
	return sp_error_set(err, "%s: never measured on node %s", q->resource,
			    q->node);
}

static void show_level(const struct level *level, double now_s, bool fresh,
		       int horizons, struct engine_series *ret)
{
	struct resource_forecast f = { NAN, NAN, NAN, NAN, "median" };

	if (fresh && level_forecast(level, now_s, &f.value, &f.error))
		f.value = f.error = NAN;
	f.low = fmax(
		0, f.value - 1.6 * f.error); /* 80 % if errors are Laplace's */
	f.high = f.value + 1.6 * f.error;
	ret->fresh = fresh;
	ret->step_s = (double)level->step_s;
	ret->expiry_s = NAN;
	ret->count = level->count;
	for (int i = 0; i < ret->count; i++) {
		ret->times_s[i] = level->times_s[i];
		ret->values[i] = (double)level->values[i];
	}
	for (int i = 0; i < horizons; i++)
		ret->forecasts[i] = f;
}

static int link_series(const struct nodes *nodes, const char *cluster,
		       const struct engine_series_query *q,
		       struct engine_series *ret, struct sp_error *err)
{
	uint32_t from = nodes_find(nodes, cluster, q->from);
	uint32_t to = nodes_find(nodes, cluster, q->to);
	uint32_t at = from == NODES_NONE || to == NODES_NONE
			      ? UINT32_MAX
			      : links_find(nodes_links(nodes), from, to);
	struct links_link link;

	if (at == UINT32_MAX)
		return sp_error_set(err,
				    "the link from %s to %s was never "
				    "measured",
				    q->from, q->to);
	links_at(nodes_links(nodes), at, q->now_s, &link);
	if (strcmp(q->resource, "bandwidth_bps") == 0)
		show_level(link.bandwidth, q->now_s,
			   !isnan(link.forecast.bandwidth_bps),
			   q->horizons_count, ret);
	else if (strcmp(q->resource, "latency_s") == 0)
		show_level(link.latency, q->now_s,
			   !isnan(link.forecast.latency_s), q->horizons_count,
			   ret);
	else
		return sp_error_set(err, "%s: not a resource of a link",
				    q->resource);
	return 0;
}

int engine_series(struct engine *engine, const struct engine_series_query *q,
		  struct engine_series *ret, struct sp_error *err)
{
	memset(ret, 0, sizeof(*ret));
	ORDERED_LOCK_HOLD(&engine->lock);

	snprintf(ret->cluster, sizeof(ret->cluster), "%s",
		 q->cluster && *q->cluster ? q->cluster : engine->cluster);
	if (q->node && *q->node)
		return node_series(engine->nodes, ret->cluster, q, ret, err);
	return link_series(engine->nodes, ret->cluster, q, ret, err);
}
