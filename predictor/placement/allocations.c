/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocations.c - CPUs and memory that jobs have on each node
 *
 * A table of nodes with their sums, and one of jobs with the positions of their
 * nodes, so that a job can be taken off again.  A job is found by cluster and
 * job id, an expected one by the id of its prediction.  The last job takes the
 * place of one that is removed.  The engine's lock is held by the caller.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/features/node_facts.h"
#include "predictor/placement/allocations.h"

/* A job of which no end is reported may have been killed this long after its
 * limit; one without limit is forgotten after a month. */
#define GRACE_S    300.0
#define NO_LIMIT_S (30 * 86400.0)

/* The table is searched for expired jobs so often. */
#define EXPIRE_INTERVAL_S 1.0

struct allocated_node {
	char cluster[RUN_NAME_SIZE], name[HOSTLIST_NAME_SIZE];
	struct allocations_use use;
};

struct allocated_job {
	uint64_t key;
	double until_s;
	struct allocations_use each; /* on each of its nodes */
	uint32_t count;
	uint32_t *nodes; /* positions */
};

struct allocations {
	struct index node_index, job_index;
	uint32_t node_count, node_capacity;
	struct allocated_node *nodes;
	uint32_t job_count, job_capacity;
	struct allocated_job *jobs;
	double expired_at_s;
	uint64_t version;
};

struct allocations *allocations_create(void)
{
	struct allocations *a = calloc(1, sizeof(*a));

	if (a)
		a->expired_at_s = -HUGE_VAL;
	return a;
}

void allocations_destroy(struct allocations *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->job_count; i++)
		free(a->jobs[i].nodes);
	index_clear(&a->node_index);
	index_clear(&a->job_index);
	free(a->nodes);
	free(a->jobs);
	free(a);
}

/* --- Nodes ---------------------------------------------------------------- */

struct node_key {
	const struct allocated_node *nodes;
	const char *cluster, *name;
};

static bool node_is_same(const void *context, uint32_t position)
{
	const struct node_key *key = context;
	const struct allocated_node *node = &key->nodes[position];

	return strcmp(node->name, key->name) == 0 &&
	       strcmp(node->cluster, key->cluster) == 0;
}

static uint64_t node_hash(const char *cluster, const char *name)
{
	return index_hash_text(index_hash_text(0, cluster), name);
}

uint32_t allocations_find(const struct allocations *a, const char *cluster,
			  const char *node)
{
	const struct node_key key = { a->nodes, cluster, node };
	uint32_t at = index_find(&a->node_index, node_hash(cluster, node),
				 node_is_same, &key);

	return at == INDEX_NONE ? ALLOCATIONS_NONE : at;
}

uint32_t allocations_nodes(const struct allocations *a)
{
	return a->node_count;
}

uint64_t allocations_version(const struct allocations *a)
{
	return a->version;
}

struct allocations_use allocations_at(const struct allocations *a,
				      uint32_t position)
{
	return position < a->node_count ? a->nodes[position].use
					: (struct allocations_use){ .cpus = 0 };
}

/* Return ALLOCATIONS_NONE if memory is exhausted. */
static uint32_t node_find_or_add(struct allocations *a, const char *cluster,
				 const char *name)
{
	uint32_t at = allocations_find(a, cluster, name);

	if (at != ALLOCATIONS_NONE)
		return at;
	if (a->node_count == NODES_MAX || index_reserve(&a->node_index) ||
	    index_grow(&a->nodes, &a->node_capacity, a->node_count,
		       sizeof(a->nodes[0])))
		return ALLOCATIONS_NONE;
	at = a->node_count++;
	a->nodes[at] = (struct allocated_node){ .use = { .cpus = 0 } };
	memccpy(a->nodes[at].cluster, cluster, '\0', RUN_NAME_SIZE - 1);
	memccpy(a->nodes[at].name, name, '\0', HOSTLIST_NAME_SIZE - 1);
	index_add(&a->node_index, node_hash(cluster, name), at);
	return at;
}

/* --- Jobs ----------------------------------------------------------------- */

static uint64_t run_key(const char *cluster, uint32_t job_id)
{
	return index_hash_text(index_hash(0, &job_id, sizeof(job_id)), cluster);
}

static uint64_t prediction_key(const char *id)
{
	return index_hash_text(1, id);
}

static void job_remove_at(struct allocations *a, uint32_t at)
{
	struct allocated_job *job = &a->jobs[at];
	uint32_t last = a->job_count - 1;

	a->version++;
	for (uint32_t i = 0; i < job->count; i++) {
		struct allocations_use *use = &a->nodes[job->nodes[i]].use;

		use->cpus -= job->each.cpus;
		use->memory_mb -= job->each.memory_mb;
	}
	free(job->nodes);
	index_remove(&a->job_index, job->key, at);
	if (at != last) {
		/* The slot was freed just now. */
		index_remove(&a->job_index, a->jobs[last].key, last);
		index_add(&a->job_index, a->jobs[last].key, at);
		*job = a->jobs[last];
	}
	a->job_count = last;
}

static void job_remove(struct allocations *a, uint64_t key)
{
	uint32_t at = index_find(&a->job_index, key, NULL, NULL);

	if (at != INDEX_NONE)
		job_remove_at(a, at);
}

static void job_add(struct allocations *a, const struct allocated_job *job,
		    const char *cluster, const struct hostlist *nodes)
{
	uint32_t at = a->job_count;
	uint32_t *positions;

	if (at == ALLOCATIONS_MAX || !nodes->count ||
	    index_reserve(&a->job_index) ||
	    index_grow(&a->jobs, &a->job_capacity, at, sizeof(a->jobs[0])))
		return;
	positions = calloc(nodes->count, sizeof(*positions));
	if (!positions)
		return;
	for (size_t i = 0; i < nodes->count; i++) {
		positions[i] = node_find_or_add(a, cluster, nodes->names[i]);
		if (positions[i] == ALLOCATIONS_NONE) {
			free(positions);
			return;
		}
	}
	for (size_t i = 0; i < nodes->count; i++) {
		a->nodes[positions[i]].use.cpus += job->each.cpus;
		a->nodes[positions[i]].use.memory_mb += job->each.memory_mb;
	}
	a->version++;
	a->jobs[at] = *job;
	a->jobs[at].nodes = positions;
	a->jobs[at].count = (uint32_t)nodes->count;
	index_add(&a->job_index, job->key, at);
	a->job_count++;
}

static struct allocations_use use_of_each(uint32_t cpus, double memory_mb,
					  size_t nodes)
{
	uint32_t count = nodes ? (uint32_t)nodes : 1;

	return (struct allocations_use){
		.cpus = cpus / count + (cpus % count != 0),
		.memory_mb = memory_mb > 0 ? memory_mb / count : 0,
	};
}

/* --- What is noted -------------------------------------------------------- */

void allocations_note(struct allocations *a, const struct run *run,
		      const struct hostlist *nodes, double now_s)
{
	double limit_s =
		isfinite(run->limit_s) ? run->limit_s + GRACE_S : NO_LIMIT_S;
	struct allocated_job job = {
		.key = run_key(run->cluster, run->job_id),
		.until_s = run->started_at_s + limit_s,
	};

	allocations_forget(a, run->prediction_id);
	job_remove(a, job.key);
	if (run->state != RUN_RUNNING || job.until_s <= now_s)
		return;
	job.each = use_of_each(run->cpus, run->memory_mb, nodes->count);
	job_add(a, &job, run->cluster, nodes);
}

void allocations_forget(struct allocations *a, const char *prediction_id)
{
	if (*prediction_id)
		job_remove(a, prediction_key(prediction_id));
}

void allocations_expect(struct allocations *a, const struct prediction *p,
			const struct hostlist *nodes)
{
	const struct allocated_job job = {
		.key = prediction_key(p->id),
		.until_s = p->made_at_s + ALLOCATIONS_EXPECTED_S,
		.each = use_of_each(p->cpus, p->memory_mb, nodes->count),
	};

	job_remove(a, job.key);
	job_add(a, &job, p->cluster, nodes);
}

void allocations_expire(struct allocations *a, double now_s)
{
	if (fabs(now_s - a->expired_at_s) < EXPIRE_INTERVAL_S)
		return;
	a->expired_at_s = now_s;
	for (uint32_t i = a->job_count; i-- > 0;)
		if (a->jobs[i].until_s <= now_s)
			job_remove_at(a, i);
}
