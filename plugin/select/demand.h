/* demand.h - how many nodes a job needs, and how much of each
 *
 * Slurm leaves the number of nodes open for `-n 64`, and says a range for
 * `-N 2-4`; before node sets can be compared it has to be one number.  It is
 * the one that Slurm would come to: as many nodes as are wanted, fewer only if
 * there are no more, and more only as tasks do not fit otherwise.  Tasks are
 * taken to be spread evenly.
 */
#ifndef PLUGIN_SELECT_DEMAND_H
#define PLUGIN_SELECT_DEMAND_H

#include <stdint.h>

struct demand {
	uint32_t min_nodes;
	uint32_t want_nodes; /* at least min_nodes */
	uint32_t max_nodes;  /* at least want_nodes */
	uint32_t tasks;      /* at least 1 */
	uint32_t task_cpus;  /* at least 1 */
	uint32_t node_tasks; /* as many on each node; 0: as many as fit */
	uint32_t node_cpus;  /* what a node must have free at least */

	/* Megabytes; 0: memory does not count. */
	uint64_t node_memory_mb;
	uint64_t cpu_memory_mb;
};

/* What is free on a node. */
struct room {
	uint32_t cpus;
	uint64_t memory_mb;
};

#define DEMAND_FIT_MAX 1023 /* more tasks on a node are not told apart */

/* How many of its tasks a node has room for, up to DEMAND_FIT_MAX; 0: it
 * cannot be used. */
uint32_t demand_fit(const struct demand *demand, const struct room *room);

/* How many nodes had room for so many tasks. */
struct demand_fits {
	uint32_t nodes[DEMAND_FIT_MAX + 1];
};

/* How many nodes it would be given, and for how many tasks each of them must
 * have room.  0: there is no even share for what Slurm could still make fit,
 * or there is no room at all. */
uint32_t demand_nodes(const struct demand *demand,
		      const struct demand_fits *fits, uint32_t *ret_tasks);

#endif
