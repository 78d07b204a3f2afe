/* demand.c - how many nodes a job needs, and how much of each */
#include <stdbool.h>

#include "plugin/select/demand.h"

static uint32_t least(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

uint32_t demand_fit(const struct demand *d, const struct room *room)
{
	uint64_t cpus = room->cpus;

	if (cpus < d->node_cpus || room->memory_mb < d->node_memory_mb)
		return 0;
	if (d->cpu_memory_mb)
		cpus = least(cpus, room->memory_mb / d->cpu_memory_mb);

	uint64_t tasks = cpus / d->task_cpus;

	if (d->node_tasks) {
		if (tasks < d->node_tasks)
			return 0;
		tasks = d->node_tasks;
	}
	return least(tasks, DEMAND_FIT_MAX);
}

/* Whether `nodes` of them can take an even share of the tasks. */
static bool even(const struct demand *d, const uint32_t *at_least,
		 uint32_t nodes, uint32_t *ret_tasks)
{
	uint32_t tasks = (uint32_t)(((uint64_t)d->tasks + nodes - 1) / nodes);

	if (tasks > DEMAND_FIT_MAX || at_least[tasks] < nodes)
		return false;
	*ret_tasks = tasks;
	return true;
}

/* The fewest nodes that have room for all tasks, the roomiest first. */
static uint32_t fewest(const struct demand *d, const struct demand_fits *fits)
{
	uint64_t tasks = 0;
	uint64_t nodes = 0;

	for (uint32_t fit = DEMAND_FIT_MAX; fit > 0; fit--) {
		uint64_t there = fits->nodes[fit];

		if (tasks + there * fit >= d->tasks)
			return least(UINT32_MAX,
				     nodes + (d->tasks - tasks + fit - 1) /
						     fit);
		tasks += there * fit;
		nodes += there;
	}
	return 0;
}

uint32_t demand_nodes(const struct demand *d, const struct demand_fits *fits,
		      uint32_t *ret_tasks)
{
	uint32_t at_least[DEMAND_FIT_MAX + 2];
	uint32_t few = fewest(d, fits);

	if (!few || few > d->max_nodes)
		return 0;
	at_least[DEMAND_FIT_MAX + 1] = 0;
	for (uint32_t fit = DEMAND_FIT_MAX; fit > 0; fit--)
		at_least[fit] = at_least[fit + 1] + fits->nodes[fit];
	at_least[0] = at_least[1];

	if (few > d->want_nodes) /* more than wanted, and no more than needed */
		return even(d, at_least, few, ret_tasks) ? few : 0;
	for (uint32_t n = d->want_nodes; n >= d->min_nodes && n >= few; n--)
		if (n <= at_least[1] && even(d, at_least, n, ret_tasks))
			return n;
	return 0;
}
