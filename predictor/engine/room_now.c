/* SPDX-License-Identifier: GPL-2.0-or-later */
/* room_now.c - on which nodes a job could start now
 *
 * First the nodes that the job may ever have, by kind; then those with
 * enough left beside the jobs that run there, whose use is looked up by
 * positions that are matched once for each set of facts.  If too few have
 * room the job waits, and all it may have count as free.  No lock of its
 * own: see room_now.h.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/room_now.h"

static void arrays_free(struct room_now *room)
{
	free(room->open);
	free(room->idle);
	free(room->required);
	free(room->taken);
	free(room->picked);
	free(room->kinds);
	free(room->allocated);
}

void room_clear(struct room_now *room)
{
	arrays_free(room);
	node_facts_put(room->facts);
	*room = (struct room_now){ .facts = NULL };
}

static int room_reserve(struct room_now *room, const struct node_facts *facts)
{
	uint32_t count = facts->count + 1;
	uint32_t kinds = facts->kind_count + 1;

	if (count <= room->capacity && kinds <= room->kind_capacity)
		return 0;
	arrays_free(room);
	room->capacity = 0;
	room->open = calloc(count, sizeof(room->open[0]));
	room->idle = calloc(count, sizeof(room->idle[0]));
	room->required = calloc(count, sizeof(room->required[0]));
	room->taken = calloc(count, sizeof(room->taken[0]));
	room->picked = calloc(count, sizeof(room->picked[0]));
	room->kinds = calloc(kinds, sizeof(room->kinds[0]));
	room->allocated = calloc(count, sizeof(room->allocated[0]));
	if (!room->open || !room->idle || !room->required || !room->taken ||
	    !room->picked || !room->kinds || !room->allocated)
		return -1;
	room->capacity = count;
	room->kind_capacity = kinds;
	return 0;
}

/* Look the nodes up in the allocations, if there is something new. */
static int nodes_match(struct room_now *room, const struct allocations *a,
		       struct node_facts *facts)
{
	if (room->facts == facts &&
	    room->allocations_seen == allocations_nodes(a))
		return 0;
	node_facts_get(facts);
	node_facts_put(room->facts);
	room->facts = NULL;
	if (room_reserve(room, facts)) {
		node_facts_put(facts);
		return -1;
	}
	room->facts = facts;
	room->allocations_seen = allocations_nodes(a);
	for (uint32_t i = 0; i < facts->count; i++)
		room->allocated[i] = allocations_find(a, facts->cluster,
						      facts->nodes[i].name);
	return 0;
}

static int nodes_mark(const struct node_facts *facts,
		      const struct hostlist *list, bool *flags, bool value)
{
	int rc = 0;

	for (size_t i = 0; list && i < list->count; i++) {
		uint32_t node = node_facts_find(facts, list->names[i]);

		if (node == NODE_FACTS_NONE)
			rc = -1;
		else
			flags[node] = value;
	}
	return rc;
}

/* All CPUs of the node, or as many as the job needs there, where that is not
 * known. */
static uint32_t cpus_of(const struct node_kind *kind,
			const struct room_request *q)
{
	uint32_t nodes = q->nodes ? q->nodes : 1;

	return kind->cpus ? kind->cpus : q->cpus / nodes + 1;
}

/* Whether the job fits beside others, and what they leave. */
static bool has_room(const struct node_kind *kind, const struct room_request *q,
		     const struct allocations_use *use, uint32_t *ret_idle)
{
	const struct node_demand *d = q->demand;
	uint32_t cpus = cpus_of(kind, q);
	uint32_t least = q->nodes <= 1 && q->cpus > d->cpus ? q->cpus : d->cpus;

	*ret_idle = use->cpus < cpus ? cpus - use->cpus : 0;
	if (d->exclusive)
		return use->cpus == 0;
	return *ret_idle >= least &&
	       (!(d->memory_mb > 0) || !(kind->memory_mb > 0) ||
		kind->memory_mb - use->memory_mb >= d->memory_mb);
}

/* Returns how many nodes have room. */
static uint32_t room_fill(struct room_now *room, const struct allocations *a,
			  const struct room_request *q)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < q->facts->count; i++) {
		const struct node_kind *kind =
			&q->facts->kinds[q->facts->nodes[i].kind];
		struct allocations_use use =
			allocations_at(a, room->allocated[i]);

		if (!room->open[i])
			continue;
		room->open[i] = has_room(kind, q, &use, &room->idle[i]);
		count += room->open[i];
	}
	return count;
}

static void open_allowed(struct room_now *room, const struct room_request *q)
{
	const struct node_facts *f = q->facts;

	for (uint32_t i = 0; i < f->count; i++) {
		room->idle[i] = cpus_of(&f->kinds[f->nodes[i].kind], q);
		room->open[i] = room->kinds[f->nodes[i].kind];
	}
	nodes_mark(f, q->excluded, room->open, false);
}

int room_find(struct room_now *room, struct allocations *allocations,
	      const struct room_request *q)
{
	uint32_t required = q->required ? (uint32_t)q->required->count : 0;

	allocations_expire(allocations, q->now_s);
	if (nodes_match(room, allocations, q->facts))
		return -1;
	memset(room->required, 0, q->facts->count * sizeof(room->required[0]));
	if (nodes_mark(q->facts, q->required, room->required, true))
		return -1;
	room->nodes = q->nodes > required ? q->nodes : required;
	room->cpus = q->cpus;
	node_facts_allow(q->facts, q->demand, q->partition, room->kinds);
	open_allowed(room, q);
	room->waits = room_fill(room, allocations, q) < room->nodes;
	if (room->waits)
		open_allowed(room, q);
	return 0;
}

struct stock_request room_stock(struct room_now *room)
{
	memcpy(room->taken, room->required,
	       room->facts->count * sizeof(room->taken[0]));
	return (struct stock_request){
		.facts = room->facts,
		.open = room->open,
		.idle = room->idle,
		.taken = room->taken,
		.nodes = room->nodes < room->facts->count ? room->nodes
							  : room->facts->count,
		.cpus = room->cpus,
	};
}
