/* SPDX-License-Identifier: GPL-2.0-or-later */
/* room_now.h - on which nodes a job could start now
 *
 * Combines what Slurm says of its nodes (node_facts.h) with the CPUs and memory
 * that jobs have there (allocations.h), of which it has a copy.  Keeps its
 * memory for the next request; one thread at a time.
 */
#pragma once

#include "predictor/placement/allocations.h"
#include "predictor/placement/named_nodes.h"
#include "predictor/placement/stock_sets.h"

struct room_now {
	struct node_facts *facts; /* a reference; NULL: none */
	bool waits;     /* too few nodes have room: all that the job may have
			   count as free */
	bool *open;     /* of each node of facts: the job may have it now */
	uint32_t *idle; /* CPUs, likewise */
	bool *required; /* likewise */
	uint32_t nodes, cpus; /* of the job */

	/* Scratch of as many elements: */
	bool *taken;
	uint32_t *picked;

	bool *kinds;
	uint32_t *allocated; /* position in the allocations of each node */
	uint32_t allocations_seen;   /* nodes there when these were looked up */
	struct allocations_use *use; /* of each node, by version_seen */
	uint64_t version_seen;
	uint32_t capacity, kind_capacity;
};

void room_clear(struct room_now *room);

struct room_request {
	const struct node_demand *demand;
	const char *partition;
	const struct named_nodes *named;
	uint32_t nodes, cpus;
};

/* See what is allocated on these nodes at now_s.  The caller holds the lock of
 * the allocations.  -1: out of memory. */
int room_note(struct room_now *room, struct allocations *allocations,
	      struct node_facts *facts, double now_s);

/* Without that lock, for the facts noted last.  -1: a node is required that
 * Slurm did not describe. */
int room_find(struct room_now *room, const struct room_request *request);

/* For stock_sets.h, with room->taken and lent until the next call. */
struct stock_request room_stock(struct room_now *room);
