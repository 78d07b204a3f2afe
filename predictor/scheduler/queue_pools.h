/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_pools.h - which partitions of a cluster share nodes
 *
 * Partitions that have a node in common, also by way of others, are one pool:
 * their jobs wait for each other.
 */
#pragma once

#include "predictor/features/node_facts.h"

#define QUEUE_POOLS_MAX 256 /* partitions; later ones are not known */

struct queue_partition {
	char name[RUN_NAME_SIZE];
	int pool;
	uint32_t node_cpus; /* of its largest nodes */
	/* The job that waits and was submitted last; 0: none known. */
	uint32_t newest_id;
	uint64_t newest_priority;
};

struct queue_pools {
	int count;                      /* of pools */
	uint32_t cpus[QUEUE_POOLS_MAX]; /* of nodes that are not closed */
	uint32_t reservations;          /* as in node_facts.h */
	int partitions_count;
	struct queue_partition partitions[QUEUE_POOLS_MAX];
};

void queue_pools_find(const struct node_facts *facts, struct queue_pools *ret);

/* NULL: no such partition. */
struct queue_partition *queue_pools_partition(struct queue_pools *pools,
					      const char *name);
