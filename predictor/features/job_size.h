/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_size.h - how large a job is: a range, as Slurm has it
 *
 * Slurm leaves the number of nodes open for `-n 64`, and has a range for
 * `-N 2-8`; a prediction needs one number, the one that the job would get now.
 * As slurmctld and select/cons_tres have it (tried with 22.05, read in newer
 * releases):
 *
 *	-N 2-8          at most 8 are tried first, then fewer, down to 2
 *	-N 2-8 --use-min-nodes
 *	                2 are tried first, more only if the tasks need them
 *	-n 64           as few nodes as have room for 64 tasks
 *	-N 2-8 -n 4     no more nodes than tasks: 4
 *	-N 2-8 without -n
 *	                a task on each node
 *	-n 64 --ntasks-per-node=16
 *	                4 nodes
 *	-c 4            CPUs for each task, all on one node
 *	--mincpus=8     each node has that many CPUs free at least
 *	--mem, --mem-per-cpu
 *	                memory on each node, or for each CPU that is allocated
 *	--exclusive     nodes without other jobs; how many, as without it
 *	--overcommit    tasks share CPUs: as few nodes as have the CPUs, not
 *	                room for the tasks
 *
 * In all members 0 means "not given".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct job_size {
	uint32_t nodes_min;
	uint32_t nodes_want; /* tried first; not given: nodes_max, if that is
				given, else nodes_min */
	uint32_t nodes_max;
	uint32_t tasks;          /* over all nodes */
	uint32_t tasks_per_node; /* on each, or at most if tasks are given */
	uint32_t cpus_per_task;
	uint32_t cpus_min;          /* over all nodes */
	uint32_t cpus_per_node_min; /* free on each node */
	double memory_per_node_mb, memory_per_cpu_mb;
	bool exclusive;  /* the nodes are the job's alone */
	bool overcommit; /* tasks share CPUs, of which cpus_min count */
};

/* --- When it is not known which nodes are free ---------------------------- */

/* Return the number of nodes that the job would get, at least 1.
 * `cpus_per_node` is what a node has, 0 if that is not known: `-n 64` then
 * counts as one node. */
uint32_t job_size_nodes(const struct job_size *size, uint32_t cpus_per_node);

/* Return whether the user leaves the number of nodes open: a range
 * without --use-min-nodes. */
bool job_size_is_range(const struct job_size *size);

/* Find the fewest and the most nodes that it can get; the same where the user
 * does not leave the number open. */
void job_size_range(const struct job_size *size, uint32_t cpus_per_node,
		    uint32_t *ret_min, uint32_t *ret_max);

/* Tasks, CPUs and memory over all of `nodes` nodes (at least 1).  Memory is 0
 * where none was requested. */
uint32_t job_size_tasks(const struct job_size *size, uint32_t nodes);
uint32_t job_size_cpus(const struct job_size *size, uint32_t nodes);
double job_size_memory_mb(const struct job_size *size, uint32_t nodes);

/* --- When it is known what is free ------------------------------------------
 * First job_size_fit() for each node, then job_size_nodes_now(). */

struct node_room {
	uint32_t cpus;
	uint64_t memory_mb;
};

#define JOB_SIZE_FIT_MAX 1023 /* more tasks on a node count as these */

/* Return for how many tasks of the job a node has room, at most
 * JOB_SIZE_FIT_MAX; 0: the job cannot use the node. */
uint32_t job_size_fit(const struct job_size *size,
		      const struct node_room *free);

/* Number of nodes, by the number of tasks that they have room for. */
struct node_fits {
	uint32_t nodes[JOB_SIZE_FIT_MAX + 1];
};

/* Return whether there is room at all, on no more nodes than the job
 * may have. */
bool job_size_can_fit(const struct job_size *size,
		      const struct node_fits *fits);

/* How many nodes Slurm would give the job, and for how many tasks each of them
 * must have room if tasks are spread evenly: nodes_want nodes, fewer
 * only if there are no more, more only if the tasks do not fit otherwise.  0:
 * there is no room, or no even share for what Slurm could still make fit.
 * Where Slurm's number of CPUs is larger than the tasks need, tasks are counted
 * as if they took all of them. */
uint32_t job_size_nodes_now(const struct job_size *size,
			    const struct node_fits *fits,
			    uint32_t *ret_tasks_each);
