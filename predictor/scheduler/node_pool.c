/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_pool.c - particular nodes, as Slurm gives and reserves them */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/scheduler/node_pool.h"

#define WINDOW_S 30.0 /* the first one, [1] */

/* Marks of a node, while some are chosen. */
enum { NOT_USABLE, USABLE, CHOSEN };

struct node_run {
	uint32_t length, behind; /* nodes from its first one on, to the last */
};

int node_pool_create(struct node_pool *pool, uint32_t nodes, size_t jobs,
		     struct sp_error *err)
{
	*pool = (struct node_pool){
		.count = nodes,
		.free = nodes,
		.spare = nodes,
		.owners = calloc(nodes, sizeof(*pool->owners)),
		.reserved = calloc(nodes, sizeof(*pool->reserved)),
		.ending = calloc(jobs + 1, sizeof(*pool->ending)),
		.marks = calloc(nodes, sizeof(*pool->marks)),
		.runs = calloc(nodes / 2 + 2ul, sizeof(*pool->runs)),
	};
	if (!pool->owners || !pool->reserved || !pool->ending || !pool->marks ||
	    !pool->runs)
		return sp_error_set(err, "out of memory");
	for (uint32_t i = 0; i < nodes; i++)
		pool->owners[i] = NODE_FREE;
	return 0;
}

void node_pool_clear(struct node_pool *pool)
{
	free(pool->owners);
	free(pool->reserved);
	free(pool->ending);
	free(pool->marks);
	free(pool->runs);
}

/* The last one is the longest, of equal ones the first in the pool. */
COMPARE_BY_BOTH(compare_runs, struct node_run, length, behind)

/* Choose among the usable nodes.  There must be enough. */
static void nodes_choose(struct node_pool *pool, uint32_t wanted)
{
	struct node_run *run = pool->runs, *best;
	uint8_t *end = pool->marks + pool->count;

	for (uint32_t i = 0; i < pool->count; i++) {
		if (pool->marks[i] != USABLE)
			continue;
		if (i == 0 || pool->marks[i - 1] != USABLE)
			*++run = (struct node_run){ 0, pool->count - i };
		run->length++;
	}
	qsort(pool->runs + 1, (size_t)(run - pool->runs), sizeof(*run),
	      compare_runs);
	for (; run > pool->runs && run->length < wanted; run--) {
		memset(end - run->behind, CHOSEN, run->length);
		wanted -= run->length;
	}
	for (best = run; run > pool->runs && run->length >= wanted; run--)
		if (run->length < best->length)
			best = run;
	memset(end - best->behind, CHOSEN, wanted);
}

static void nodes_count(struct node_pool *pool)
{
	pool->free = pool->spare = 0;
	for (uint32_t i = 0; i < pool->count; i++) {
		bool is_free = pool->owners[i] == NODE_FREE;

		pool->free += is_free;
		pool->spare += is_free && !pool->reserved[i];
	}
}

bool node_pool_take(struct node_pool *pool, uint32_t job, uint32_t wanted,
		    bool reserved_too)
{
	if ((reserved_too ? pool->free : pool->spare) < wanted)
		return false;
	for (uint32_t i = 0; i < pool->count; i++)
		pool->marks[i] = pool->owners[i] == NODE_FREE &&
				 (reserved_too || !pool->reserved[i]);
	nodes_choose(pool, wanted);
	for (uint32_t i = 0; i < pool->count; i++)
		if (pool->marks[i] == CHOSEN)
			pool->owners[i] = job;
	nodes_count(pool);
	return true;
}

void node_pool_release(struct node_pool *pool, uint32_t job)
{
	for (uint32_t i = 0; i < pool->count; i++)
		if (pool->owners[i] == job)
			pool->owners[i] = NODE_FREE;
	nodes_count(pool);
}

/* Return the window after this one; it reaches up to until_s. */
static double window_next(double window_s, double until_s, double linear_s)
{
	if (linear_s > 0)
		return window_s + linear_s * fmax(1, ceil((until_s - window_s) /
							  linear_s));
	do
		window_s *= 2;
	while (window_s < until_s);
	return window_s;
}

/* Return how many running jobs end on trial until `wanted` nodes are free. */
static size_t ends_needed(const struct planned_end *running, size_t count,
			  uint32_t nodes, uint32_t wanted, double now_s,
			  double linear_s)
{
	double window_s = WINDOW_S, from_s = 0;

	if (count > 0) /* the first end, up to a whole window */
		from_s = WINDOW_S *
			 (1 + floor(fmax(now_s, running[0].at_s) / WINDOW_S));
	for (size_t i = 0; i < count;) {
		do
			nodes += running[i++].cpus;
		while (i < count && running[i].at_s <= from_s + window_s);
		if (nodes >= wanted)
			return i;
		if (i < count)
			window_s = window_next(
				window_s, running[i].at_s - from_s, linear_s);
	}
	return count;
}

double node_pool_reserve(struct node_pool *pool,
			 const struct planned_end *running, size_t count,
			 uint32_t wanted, double now_s, double linear_s)
{
	size_t ends = ends_needed(running, count, pool->free, wanted, now_s,
				  linear_s);

	for (size_t i = 0; i < ends; i++)
		pool->ending[running[i].job] = true;
	for (uint32_t i = 0; i < pool->count; i++)
		pool->marks[i] = pool->owners[i] == NODE_FREE ||
				 pool->ending[pool->owners[i]];
	for (size_t i = 0; i < ends; i++)
		pool->ending[running[i].job] = false;
	nodes_choose(pool, wanted);
	for (uint32_t i = 0; i < pool->count; i++)
		pool->reserved[i] = pool->marks[i] == CHOSEN;
	nodes_count(pool);
	return ends > 0 ? fmax(now_s, running[ends - 1].at_s) : now_s;
}
