/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_pools.c - which partitions of a cluster share nodes */
#include <string.h>

#include "predictor/scheduler/queue_pools.h"

struct queue_partition *queue_pools_partition(struct queue_pools *pools,
					      const char *name)
{
	for (int i = 0; i < pools->partitions_count; i++)
		if (strcmp(pools->partitions[i].name, name) == 0)
			return &pools->partitions[i];
	return NULL;
}

/* Return the partition, in a pool of its own if it is new; NULL: there are
 * too many. */
static struct queue_partition *partition_get(struct queue_pools *pools,
					     const char *name)
{
	struct queue_partition *known = queue_pools_partition(pools, name);

	if (known || pools->partitions_count == QUEUE_POOLS_MAX)
		return known;
	known = &pools->partitions[pools->partitions_count];
	memccpy(known->name, name, '\0', sizeof(known->name) - 1);
	known->pool = pools->partitions_count++;
	return known;
}

static void pools_join(struct queue_pools *pools, int a, int b)
{
	for (int i = 0; i < pools->partitions_count; i++)
		if (pools->partitions[i].pool == b)
			pools->partitions[i].pool = a;
}

/* Find the next name of a list, moving *list behind it; false: there
 * is none. */
static bool name_next(const char **list, char ret[RUN_NAME_SIZE])
{
	size_t length = strcspn(*list, ",");
	size_t kept = length < RUN_NAME_SIZE ? length : RUN_NAME_SIZE - 1;

	if (!**list)
		return false;
	memcpy(ret, *list, kept);
	ret[kept] = '\0';
	*list += length + ((*list)[length] == ',');
	return true;
}

static void kind_add(struct queue_pools *pools, const struct node_kind *kind)
{
	struct queue_partition *first = NULL, *partition;
	const char *list = kind->partitions;
	char name[RUN_NAME_SIZE];

	while (name_next(&list, name)) {
		partition = partition_get(pools, name);
		if (!partition)
			return;
		if (kind->cpus > partition->node_cpus)
			partition->node_cpus = kind->cpus;
		if (first && first->pool != partition->pool)
			pools_join(pools, first->pool, partition->pool);
		if (!first)
			first = partition;
	}
}

/* Pools have the numbers of partitions so far: make them 0, 1, 2. */
static void pools_number(struct queue_pools *pools)
{
	int number[QUEUE_POOLS_MAX];

	memset(number, -1, sizeof(number));
	for (int i = 0; i < pools->partitions_count; i++) {
		int *mine = &number[pools->partitions[i].pool];

		if (*mine < 0)
			*mine = pools->count++;
		pools->partitions[i].pool = *mine;
	}
}

void queue_pools_find(const struct node_facts *facts, struct queue_pools *ret)
{
	char name[RUN_NAME_SIZE];

	memset(ret, 0, sizeof(*ret));
	ret->reservations = facts->reservations;
	for (uint32_t i = 0; i < facts->kind_count; i++)
		kind_add(ret, &facts->kinds[i]);
	pools_number(ret);
	for (uint32_t i = 0; i < facts->kind_count; i++) {
		const struct node_kind *kind = &facts->kinds[i];
		const char *list = kind->partitions;
		const struct queue_partition *partition =
			name_next(&list, name)
				? queue_pools_partition(ret, name)
				: NULL;

		if (partition && !kind->closed)
			ret->cpus[partition->pool] += kind->count * kind->cpus;
	}
}
