/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_size.c - how large a job is: a range, as Slurm has it
 *
 * What was not given follows from what was; then the number of nodes is
 * found in two situations: when only the CPUs of a node are known, and when
 * it is known what is free on each.  The rules are in job_size.h.
 */

#include "predictor/features/job_size.h"

static uint32_t clamp32(uint64_t value)
{
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t divide_up(uint64_t amount, uint32_t by)
{
	return clamp32((amount + by - 1) / by);
}

/* --- What was not given --------------------------------------------------- */

static uint32_t nodes_min_of(const struct job_size *s)
{
	return larger(s->nodes_min, 1);
}

static uint32_t nodes_want_of(const struct job_size *s)
{
	uint32_t want = s->nodes_want  ? s->nodes_want
			: s->nodes_max ? s->nodes_max
				       : s->nodes_min;

	return larger(want, nodes_min_of(s));
}

static uint32_t nodes_max_of(const struct job_size *s)
{
	return s->nodes_max ? larger(s->nodes_max, nodes_want_of(s))
			    : UINT32_MAX;
}

static uint32_t cpus_per_task_of(const struct job_size *s)
{
	return s->cpus_per_task && !s->overcommit ? s->cpus_per_task : 1;
}

/* Tasks that need room, at least 1: as many as use up the CPUs requested. */
static uint32_t tasks_to_place(const struct job_size *s)
{
	uint32_t by_cpus = divide_up(s->cpus_min, cpus_per_task_of(s));
	uint32_t tasks = s->overcommit ? 0 : s->tasks;

	return larger(larger(tasks, by_cpus), 1);
}

/* No node goes without a task. */
static uint32_t nodes_first_tried(const struct job_size *s)
{
	uint32_t most = s->tasks ? s->tasks : UINT32_MAX;

	return larger(smaller(nodes_want_of(s), most), nodes_min_of(s));
}

/* --- When it is not known which nodes are free ---------------------------- */

/* Return the fewest nodes for the tasks, as far as that is known. */
static uint32_t nodes_for_tasks(const struct job_size *s,
				uint32_t cpus_per_node)
{
	uint32_t fit = cpus_per_node / cpus_per_task_of(s);

	if (s->tasks_per_node)
		return s->tasks ? divide_up(s->tasks, s->tasks_per_node) : 1;
	return fit ? divide_up(tasks_to_place(s), fit) : 1;
}

uint32_t job_size_nodes(const struct job_size *s, uint32_t cpus_per_node)
{
	uint32_t nodes = nodes_first_tried(s);
	uint32_t few = nodes_for_tasks(s, cpus_per_node);

	return nodes >= few ? nodes : smaller(few, nodes_max_of(s));
}

bool job_size_is_range(const struct job_size *s)
{
	return s->nodes_max > nodes_min_of(s) &&
	       nodes_want_of(s) == s->nodes_max;
}

void job_size_range(const struct job_size *s, uint32_t cpus_per_node,
		    uint32_t *ret_min, uint32_t *ret_max)
{
	struct job_size few = *s, many = *s;

	few.nodes_want = nodes_min_of(s);
	many.nodes_want = s->nodes_max;
	*ret_min = *ret_max = job_size_nodes(s, cpus_per_node);
	if (!job_size_is_range(s))
		return;
	*ret_min = job_size_nodes(&few, cpus_per_node);
	*ret_max = job_size_nodes(&many, cpus_per_node);
}

uint32_t job_size_tasks(const struct job_size *s, uint32_t nodes)
{
	if (s->tasks)
		return s->tasks;
	if (s->tasks_per_node)
		return clamp32((uint64_t)nodes * s->tasks_per_node);
	return nodes;
}

uint32_t job_size_cpus(const struct job_size *s, uint32_t nodes)
{
	uint64_t cpus = s->overcommit ? nodes
				      : (uint64_t)job_size_tasks(s, nodes) *
						cpus_per_task_of(s);
	uint64_t least = (uint64_t)nodes * s->cpus_per_node_min;

	if (cpus < least)
		cpus = least;
	return clamp32(cpus > s->cpus_min ? cpus : s->cpus_min);
}

double job_size_memory_mb(const struct job_size *s, uint32_t nodes)
{
	if (s->memory_per_node_mb > 0)
		return s->memory_per_node_mb * nodes;
	if (s->memory_per_cpu_mb > 0)
		return s->memory_per_cpu_mb * job_size_cpus(s, nodes);
	return 0;
}

/* --- When it is known what is free ---------------------------------------- */

uint32_t job_size_fit(const struct job_size *s, const struct node_room *free)
{
	double memory_mb = (double)free->memory_mb;
	uint64_t cpus = free->cpus;

	if (cpus < s->cpus_per_node_min || memory_mb < s->memory_per_node_mb)
		return 0;
	if (s->memory_per_cpu_mb > 0 &&
	    memory_mb / s->memory_per_cpu_mb < (double)cpus)
		cpus = (uint64_t)(memory_mb / s->memory_per_cpu_mb);

	uint64_t tasks = cpus / cpus_per_task_of(s);

	if (s->tasks_per_node) {
		if (tasks < s->tasks_per_node)
			return 0;
		tasks = s->tasks_per_node;
	}
	return tasks < JOB_SIZE_FIT_MAX ? (uint32_t)tasks : JOB_SIZE_FIT_MAX;
}

/* Return whether that many nodes have room for an even share of the tasks. */
static bool share_fits(uint32_t tasks, const uint32_t *at_least, uint32_t nodes,
		       uint32_t *ret_tasks_each)
{
	uint32_t each = divide_up(tasks, nodes);

	if (each > JOB_SIZE_FIT_MAX || at_least[each] < nodes)
		return false;
	*ret_tasks_each = each;
	return true;
}

/* Return the fewest nodes that have room for all tasks, the roomiest first. */
static uint32_t fewest_nodes(uint32_t tasks, const struct node_fits *fits)
{
	uint64_t placed = 0, nodes = 0;

	for (uint32_t fit = JOB_SIZE_FIT_MAX; fit > 0; fit--) {
		uint64_t there = fits->nodes[fit];

		if (placed + there * fit >= tasks)
			return clamp32(nodes + divide_up(tasks - placed, fit));
		placed += there * fit;
		nodes += there;
	}
	return 0;
}

bool job_size_can_fit(const struct job_size *s, const struct node_fits *fits)
{
	uint64_t nodes = 0;
	uint32_t few = fewest_nodes(tasks_to_place(s), fits);

	for (uint32_t fit = 1; fit <= JOB_SIZE_FIT_MAX; fit++)
		nodes += fits->nodes[fit];
	if (nodes < nodes_min_of(s))
		return false;
	return fits->nodes[JOB_SIZE_FIT_MAX] || (few && few <= nodes_max_of(s));
}

uint32_t job_size_nodes_now(const struct job_size *s,
			    const struct node_fits *fits,
			    uint32_t *ret_tasks_each)
{
	uint32_t at_least[JOB_SIZE_FIT_MAX + 2];
	uint32_t tasks = tasks_to_place(s);
	uint32_t few = fewest_nodes(tasks, fits);
	uint32_t want = nodes_first_tried(s);

	if (!few || few > nodes_max_of(s))
		return 0;
	at_least[JOB_SIZE_FIT_MAX + 1] = 0;
	for (uint32_t fit = JOB_SIZE_FIT_MAX; fit > 0; fit--)
		at_least[fit] = at_least[fit + 1] + fits->nodes[fit];
	at_least[0] = at_least[1];

	if (few > want) /* more than wanted, and no more than needed */
		return share_fits(tasks, at_least, few, ret_tasks_each) ? few
									: 0;
	for (uint32_t n = want; n >= nodes_min_of(s) && n >= few; n--)
		if (n <= at_least[1] &&
		    share_fits(tasks, at_least, n, ret_tasks_each))
			return n;
	return 0;
}
