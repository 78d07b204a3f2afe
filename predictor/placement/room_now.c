/* SPDX-License-Identifier: GPL-2.0-or-later */
/* room_now.c - on which nodes a job could start now
 *
 * First the nodes that the job may ever have, by kind; then those with
 * enough left beside the jobs that run there, whose use is copied when it has
 * changed, by positions that are matched once for each set of facts.  If too
 * few have room the job waits, and all it may have count as free.  No lock of
 * its own: see room_now.h.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/placement/room_now.h"

static void arrays_free(struct room_now *room)
{
	free(room->open);
	free(room->idle);
	free(room->required);
	free(room->taken);
	free(room->picked);
	free(room->kinds);
	free(room->allocated);
	free(room->use);
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
	room->use = calloc(count, sizeof(room->use[0]));
	if (!room->open || !room->idle || !room->required || !room->taken ||
	    !room->picked || !room->kinds || !room->allocated || !room->use)
		return -1;
	room->capacity = count;
	room->kind_capacity = kinds;
	return 0;
}

/* Look the nodes up in the allocations, if there are new ones. */
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
	room->version_seen = UINT64_MAX;
	return 0;
}

int room_note(struct room_now *room, struct allocations *allocations,
	      struct node_facts *facts, double now_s)
{
	allocations_expire(allocations, now_s);
	if (nodes_match(room, allocations, facts))
		return -1;
	if (room->version_seen == allocations_version(allocations))
		return 0;
	room->version_seen = allocations_version(allocations);
	for (uint32_t i = 0; i < facts->count; i++)
		room->use[i] = allocations_at(allocations, room->allocated[i]);
	return 0;
}

/* All CPUs of the node, or as many as the job needs there, where that is not
 * known. */
static uint32_t cpus_of(const struct node_kind *kind,
			const struct room_request *q)
{
	uint32_t nodes = q->nodes ? q->nodes : 1;

	return kind->cpus ? kind->cpus : q->cpus / nodes + 1;
}

/* Return whether the job fits beside others, and what they leave. */
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
static uint32_t room_fill(struct room_now *room, const struct room_request *q)
{
	const struct node_facts *f = room->facts;
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->count; i++) {
		const struct node_kind *kind = &f->kinds[f->nodes[i].kind];

		if (!room->open[i])
			continue;
		room->open[i] =
			has_room(kind, q, &room->use[i], &room->idle[i]);
		count += room->open[i];
	}
	return count;
}

static void open_allowed(struct room_now *room, const struct room_request *q)
{
	const struct node_facts *f = room->facts;

	for (uint32_t i = 0; i < f->count; i++) {
		room->idle[i] = cpus_of(&f->kinds[f->nodes[i].kind], q);
		room->open[i] = room->kinds[f->nodes[i].kind] &&
				!(q->named->excluded && q->named->excluded[i]);
	}
}

int room_find(struct room_now *room, const struct room_request *q)
{
	const struct node_facts *facts = room->facts;
	const struct named_nodes *named = q->named;
	size_t size = facts->count * sizeof(room->required[0]);

	if (named->strange)
		return -1;
	if (named->required)
		memcpy(room->required, named->required, size);
	else
		memset(room->required, 0, size);
	room->nodes = q->nodes > named->required_count ? q->nodes
						       : named->required_count;
	room->cpus = q->cpus;
	node_facts_allow(facts, q->demand, q->partition, room->kinds);
	open_allowed(room, q);
	room->waits = room_fill(room, q) < room->nodes;
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
