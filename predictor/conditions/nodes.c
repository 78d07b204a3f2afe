/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - measurements and forecasts of all nodes
 *
 * Nodes are found by an index of cluster and name, and listed in the order of
 * names.  Each has a struct resource for what was ever measured of it;
 * links and leaf switches are in structs of their own.  Callers hold the
 * engine's lock.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/conditions/nodes_state.h"

/* Nodes are measured every few seconds: values expire after a minute.  The
 * speed of a CPU is measured seldom, and does not change. */
#define EXPIRY_MIN_S       60.0
#define SPEED_EXPIRY_MIN_S 86400.0

#define KIND(member, high_, expiry_)                                           \
	{                                                                      \
		.name = #member,                                               \
		.offset = offsetof(struct measurement, member), .high = high_, \
		.expiry_min_s = expiry_                                        \
	}

const struct node_resource_kind node_resources[NODE_RESOURCES] = {
	[NODE_CPU_LOAD] = KIND(cpu_load, HUGE_VAL, EXPIRY_MIN_S),
	[NODE_CPU_AVAILABLE] = KIND(cpu_available, 1, EXPIRY_MIN_S),
	[NODE_CPU_AVAILABLE_NOW] = KIND(cpu_available_now, 1, EXPIRY_MIN_S),
	[NODE_CPU_SPEED] = KIND(cpu_speed, HUGE_VAL, SPEED_EXPIRY_MIN_S),
	[NODE_MEMORY] = KIND(memory_available_mb, HUGE_VAL, EXPIRY_MIN_S),
	[NODE_HOST_NODES] = KIND(host_nodes, HUGE_VAL, EXPIRY_MIN_S),
};

struct nodes *nodes_create(void)
{
	struct nodes *nodes = calloc(1, sizeof(*nodes));

	if (!nodes)
		return NULL;
	nodes->links = node_links_create();
	if (nodes->links)
		return nodes;
	nodes_destroy(nodes);
	return NULL;
}

static void node_destroy(struct node *node)
{
	for (int i = 0; i < NODE_RESOURCES; i++)
		free(node->of[i]);
	free(node->speeds);
	free(node);
}

void nodes_destroy(struct nodes *nodes)
{
	if (!nodes)
		return;
	for (uint32_t i = 0; i < nodes->count; i++)
		node_destroy(nodes->of[i]);
	free(nodes->of);
	free(nodes->sorted);
	free(nodes->queue);
	index_clear(&nodes->index);
	node_links_destroy(nodes->links);
	leaves_destroy(nodes->leaves);
	free(nodes);
}

uint32_t nodes_count(const struct nodes *nodes)
{
	return nodes->count;
}

struct links *nodes_links(const struct nodes *nodes)
{
	return nodes->links;
}

/* --- Finding ------------------------------------------------------------- */

struct node_key {
	const struct nodes *nodes;
	const char *cluster, *name;
};

static bool node_matches(const void *context, uint32_t position)
{
	const struct node_key *key = context;
	const struct node *node = key->nodes->of[position];

	return strcmp(node->name, key->name) == 0 &&
	       strcmp(node->cluster, key->cluster) == 0;
}

static uint64_t node_hash(const char *cluster, const char *name)
{
	return index_hash_text(index_hash_text(0, cluster), name);
}

uint32_t nodes_find(const struct nodes *nodes, const char *cluster,
		    const char *name)
{
	struct node_key key = { nodes, cluster, name };

	return index_find(&nodes->index, node_hash(cluster, name), node_matches,
			  &key);
}

static int compare_names(const struct node *a, const struct node *b)
{
	int order = strcmp(a->cluster, b->cluster);

	return order ? order : strverscmp(a->name, b->name);
}

/* The newest node takes its place among the others, for which there is room. */
static void sorted_insert(struct nodes *nodes)
{
	const struct node *node = nodes->of[nodes->count];
	uint32_t low = 0, high = nodes->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (compare_names(nodes->of[nodes->sorted[middle]], node) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	memmove(&nodes->sorted[low + 1], &nodes->sorted[low],
		(nodes->count - low) * sizeof(nodes->sorted[0]));
	nodes->sorted[low] = nodes->count;
}

static uint32_t node_add(struct nodes *nodes, const char *cluster,
			 const char *name, struct sp_error *err)
{
	if (nodes->count >= NODES_MAX) {
		sp_error_set(err, "node %s: there are %u nodes already", name,
			     NODES_MAX);
		return NODES_NONE;
	}
	if (!*name || strlen(name) >= HOSTLIST_NAME_SIZE ||
	    strlen(cluster) >= RUN_NAME_SIZE) {
		sp_error_set(err, "node: its name is empty or too long");
		return NODES_NONE;
	}

	struct node *node = calloc(1, sizeof(*node));

	if (!node || index_reserve(&nodes->index) ||
	    index_grow(&nodes->of, &nodes->capacity, nodes->count,
		       sizeof(struct node *)) ||
	    index_grow(&nodes->sorted, &nodes->sorted_capacity, nodes->count,
		       sizeof(nodes->sorted[0]))) {
		free(node);
		sp_error_set(err, "node %s: out of memory", name);
		return NODES_NONE;
	}
	strcpy(node->cluster, cluster);
	strcpy(node->name, name);
	node->last_s = -HUGE_VAL;
	node->correction = NAN;
	node->spool_free_mb = node->spool_failed = NAN;
	node->past_speed = NAN;
	node->scheduler = (struct node_scheduler){ NAN, NAN };
	nodes->of[nodes->count] = node;
	sorted_insert(nodes);
	index_add(&nodes->index, node_hash(cluster, name), nodes->count);
	links_set_leaf(nodes->links, nodes->count,
		       leaves_find(nodes->leaves, name), NULL);
	return nodes->count++;
}

void nodes_set_leaves(struct nodes *nodes, struct leaves *leaves)
{
	leaves_destroy(nodes->leaves);
	nodes->leaves = leaves;
	for (uint32_t i = 0; i < nodes->count; i++)
		links_set_leaf(nodes->links, i,
			       leaves_find(leaves, nodes->of[i]->name), NULL);
}

uint32_t nodes_find_or_add(struct nodes *nodes, const char *cluster,
			   const char *name, struct sp_error *err)
{
	uint32_t at = nodes_find(nodes, cluster, name);

	return at == NODES_NONE ? node_add(nodes, cluster, name, err) : at;
}

/* --- Measurements --------------------------------------------------------- */

static double value_of(const struct measurement *m, int resource)
{
	double value;

	memcpy(&value, (const char *)m + node_resources[resource].offset,
	       sizeof(value));
	return value;
}

static int measurement_check(const struct measurement *m, struct sp_error *err)
{
	if (!isfinite(m->time_s) || m->time_s < 0)
		return sp_error_set(err, "node %s: bad time", m->node);
	for (int i = 0; i < NODE_RESOURCES; i++)
		if (isinf(value_of(m, i)) || value_of(m, i) < 0)
			return sp_error_set(err, "node %s: bad %s %g", m->node,
					    node_resources[i].name,
					    value_of(m, i));
	if (isinf(m->cpu_turn_s) || m->cpu_turn_s < 0 ||
	    isinf(m->cpu_credit_s) || m->cpu_credit_s < 0)
		return sp_error_set(err,
				    "node %s: bad cpu_turn_s %g or "
				    "cpu_credit_s %g",
				    m->node, m->cpu_turn_s, m->cpu_credit_s);
	return 0;
}

/* Room for what is measured here for the first time. */
static int resources_make(struct node *node, const struct measurement *m,
			  struct sp_error *err)
{
	for (int i = 0; i < NODE_RESOURCES; i++) {
		if (node->of[i] || isnan(value_of(m, i)))
			continue;
		node->of[i] = malloc(sizeof(*node->of[i]));
		if (!node->of[i])
			return sp_error_set(err, "node %s: out of memory",
					    node->name);
		resource_init(node->of[i], 0, node_resources[i].high,
			      node_resources[i].expiry_min_s);
	}
	return 0;
}

int nodes_apply(struct nodes *nodes, const char *cluster,
		const struct measurement *m, struct sp_error *err)
{
	bool newest = false;
	uint32_t at;

	if (measurement_check(m, err))
		return -1;
	at = nodes_find_or_add(nodes, cluster, m->node, err);
	if (at == NODES_NONE || resources_make(nodes->of[at], m, err))
		return -1;

	struct node *node = nodes->of[at];

	for (int i = 0; i < NODE_RESOURCES; i++) {
		if (isnan(value_of(m, i)))
			continue;

		enum resource_rc rc =
			resource_add(node->of[i], m->time_s, value_of(m, i));

		newest |= rc == RESOURCE_TAKEN || rc == RESOURCE_SET_BACK;
	}
	if (!isnan(m->cpu_speed))
		node_speed_add(node, m->time_s, m->cpu_speed);
	if (newest || m->time_s > node->last_s) {
		node->last_s = m->time_s;
		node->correction = m->cpu_correction;
		node->host = m->host > 0 ? m->host : 0;
		node->spool_free_mb = m->spool_free_mb;
		node->spool_failed = m->spool_failed;
		if (!isnan(m->cpu_turn_s))
			node->scheduler.turn_s = m->cpu_turn_s;
		if (!isnan(m->cpu_credit_s))
			node->scheduler.credit_s = m->cpu_credit_s;
	}
	return 0;
}

int nodes_apply_link(struct nodes *nodes, const char *cluster,
		     const struct link_measurement *m, struct sp_error *err)
{
	if (strcmp(m->from, m->to) == 0)
		return sp_error_set(err, "link of %s to itself", m->from);

	uint32_t from = nodes_find_or_add(nodes, cluster, m->from, err);

	if (from == NODES_NONE)
		return -1;

	uint32_t to = nodes_find_or_add(nodes, cluster, m->to, err);

	if (to == NODES_NONE)
		return -1;
	return links_measure(nodes->links, from, to, m, err);
}

/* --- Each node ----------------------------------------------------------- */

void nodes_forecast(const struct nodes *nodes, uint32_t position,
		    enum node_resource resource, double time_s,
		    double horizon_s, struct resource_forecast *ret)
{
	struct resource *r = nodes->of[position]->of[resource];

	if (r)
		resource_forecast(r, time_s, horizon_s, ret);
	else
		*ret = (struct resource_forecast){ NAN, NAN, NAN, NAN, "" };
}

const struct resource *nodes_resource(const struct nodes *nodes,
				      uint32_t position,
				      enum node_resource resource)
{
	return nodes->of[position]->of[resource];
}

/* Return whether what was measured of it in short intervals has
 * not expired. */
static bool is_fresh(const struct node *node, double time_s)
{
	static const enum node_resource quick[] = { NODE_CPU_LOAD,
						    NODE_CPU_AVAILABLE,
						    NODE_MEMORY };

	for (size_t i = 0; i < sizeof(quick) / sizeof(quick[0]); i++) {
		const struct resource *r = node->of[quick[i]];

		/* A node's clock may be a little ahead of ours. */
		if (r && fabs(time_s - r->last_s) <= resource_expiry_s(r))
			return true;
	}
	return false;
}

void nodes_view(const struct nodes *nodes, uint32_t position, double time_s,
		double horizon_s, struct node_view *ret)
{
	const struct node *node = nodes->of[position];

	ret->cluster = node->cluster;
	ret->name = node->name;
	ret->time_s = node->last_s;
	ret->fresh = is_fresh(node, time_s);
	for (int i = 0; i < NODE_RESOURCES; i++)
		nodes_forecast(nodes, position, (enum node_resource)i, time_s,
			       horizon_s, &ret->of[i]);
}

/* --- Lists ------------------------------------------------------------- */

static double resource_newest_value(const struct node *node,
				    enum node_resource resource)
{
	return node->of[resource] ? resource_newest(node->of[resource]) : NAN;
}

struct node_name nodes_name(const struct nodes *nodes, uint32_t position)
{
	return (struct node_name){ nodes->of[position]->cluster,
				   nodes->of[position]->name };
}

void nodes_newest(const struct nodes *nodes, uint32_t position, double time_s,
		  struct nodes_node *ret)
{
	const struct node *node = nodes->of[position];

	ret->position = position;
	ret->cluster = node->cluster;
	ret->last = (struct measurement){
		.time_s = node->last_s,
		.cpu_load = resource_newest_value(node, NODE_CPU_LOAD),
		.cpu_available =
			resource_newest_value(node, NODE_CPU_AVAILABLE),
		.cpu_available_now =
			resource_newest_value(node, NODE_CPU_AVAILABLE_NOW),
		.cpu_correction = node->correction,
		.host = node->host,
		.host_nodes = resource_newest_value(node, NODE_HOST_NODES),
		.cpu_speed = resource_newest_value(node, NODE_CPU_SPEED),
		.cpu_turn_s = node->scheduler.turn_s,
		.cpu_credit_s = node->scheduler.credit_s,
		.memory_available_mb = resource_newest_value(node, NODE_MEMORY),
		.spool_free_mb = node->spool_free_mb,
		.spool_failed = node->spool_failed,
	};
	memcpy(ret->last.node, node->name, sizeof(ret->last.node));
	ret->fresh = is_fresh(node, time_s);
}

void nodes_visit(const struct nodes *nodes, double time_s,
		 void (*visit)(void *context, const struct nodes_node *node),
		 void *context)
{
	for (uint32_t i = 0; i < nodes->count; i++) {
		struct nodes_node out;

		nodes_newest(nodes, nodes->sorted[i], time_s, &out);
		visit(context, &out);
	}
}
