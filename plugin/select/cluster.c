/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.c - slurmctld's nodes, their place in a snapshot, and what is free
 *
 * Nodes and leaf switches are matched with those of a snapshot when either has
 * changed; the CPUs, memory and GRES in use are counted over slurmctld's list
 * of jobs after each change, and every COUNT_PERIOD_S.  The caller holds
 * slurmctld's locks on jobs and nodes.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/select/cluster.h"
#include "plugin/site/releases.h"
#include "predictor/base/clock.h"
#include "predictor/base/compare.h"

/* Count again after that time even if no change of a job was noticed: some
 * changes make no call of a select plugin. */
#define COUNT_PERIOD_S 5.0

void cluster_clear(struct cluster *c)
{
	free(c->nodes);
	free(c->order);
	*c = (struct cluster){ .count = 0 };
}

static int cluster_reserve(struct cluster *c, uint32_t count)
{
	if (count > c->room) {
		struct cluster_node *nodes =
			realloc(c->nodes, count * sizeof(*nodes));

		if (!nodes)
			return -1;
		c->nodes = nodes;

		uint32_t *order = realloc(c->order, count * sizeof(*order));

		if (!order)
			return -1;
		c->order = order;
		c->room = count;
	}
	return 0;
}

/* Weight, then place, in one number that qsort() can compare. */
COMPARE_NUMBERS(compare_weights, uint64_t)

/* Nodes mostly have one weight, and then are in order as they are. */
static int sort_by_weight(struct cluster *c)
{
	bool sorted = true;

	for (uint32_t i = 1; i < c->there; i++)
		if (c->nodes[c->order[i]].weight <
		    c->nodes[c->order[i - 1]].weight)
			sorted = false;
	if (sorted)
		return 0;

	uint64_t *keys = malloc(c->there * sizeof(*keys));

	if (!keys)
		return -1;
	for (uint32_t i = 0; i < c->there; i++)
		keys[i] = (uint64_t)c->nodes[c->order[i]].weight << 32 |
			  c->order[i];
	qsort(keys, c->there, sizeof(*keys), compare_weights);
	for (uint32_t i = 0; i < c->there; i++)
		c->order[i] = (uint32_t)keys[i];
	free(keys);
	return 0;
}

#if RELEASE_HAS_SWITCHES
/* Return the snapshot's number of a leaf switch: that of the first of its
 * nodes that has one, unless another switch has the same. */
static uint32_t leaf_number(const struct cluster *c,
			    const struct snapshot *snapshot, bitstr_t *nodes,
			    const bool *taken)
{
	for (uint32_t i = 0; i < c->count && (int64_t)i < bit_size(nodes);
	     i++) {
		uint32_t leaf = SNAPSHOT_NONE;

		if (bit_test(nodes, i) && c->nodes[i].known != SNAPSHOT_NONE)
			leaf = snapshot->nodes[c->nodes[i].known].leaf;
		if (leaf < SNAPSHOT_LEAVES_MAX)
			return taken[leaf] ? SNAPSHOT_NONE : leaf;
	}
	return SNAPSHOT_NONE;
}

/* Numbers that the snapshot does not use are for switches that it does not
 * know. */
static void leaves_match(struct cluster *c, const struct snapshot *snapshot)
{
	bool taken[SNAPSHOT_LEAVES_MAX] = { false };
	uint32_t spare = snapshot->leaf_count;

	for (int s = 0; switch_record_table && s < switch_record_cnt; s++) {
		const switch_record_t *one = &switch_record_table[s];
		uint32_t leaf;

		if (one->level != 0 || !one->node_bitmap)
			continue;
		leaf = leaf_number(c, snapshot, one->node_bitmap, taken);
		if (leaf == SNAPSHOT_NONE)
			leaf = spare++;
		if (leaf >= SNAPSHOT_LEAVES_MAX)
			continue;
		taken[leaf] = true;
		for (uint32_t i = 0; i < c->count; i++)
			if ((int64_t)i < bit_size(one->node_bitmap) &&
			    bit_test(one->node_bitmap, i))
				c->nodes[i].leaf = leaf;
	}
}
#else
/* Take the leaves of the snapshot, which are of Topology in predict.conf. */
static void leaves_match(struct cluster *c, const struct snapshot *snapshot)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->nodes[i].known != SNAPSHOT_NONE)
			c->nodes[i].leaf =
				snapshot->nodes[c->nodes[i].known].leaf;
}
#endif

static int nodes_match(struct cluster *c, const struct snapshot *snapshot)
{
	uint32_t count = (uint32_t)node_record_count;

	if (cluster_reserve(c, count))
		return -1;
	c->count = count;
	c->there = 0;
	c->counted_s = 0;
	for (uint32_t i = 0; i < count; i++) {
		const node_record_t *record = node_record_table_ptr[i];
		struct cluster_node *node = &c->nodes[i];

		*node = (struct cluster_node){ .known = SNAPSHOT_NONE,
					       .leaf = SNAPSHOT_NONE };
		if (!record || !record->name || !record->config_ptr)
			continue;
		node->there = true;
		node->known = snapshot_node(snapshot, record->name);
		node->weight = record->config_ptr->weight;
		node->cpus =
			record->cpus_efctv ? record->cpus_efctv : record->cpus;
		c->order[c->there++] = i;
	}
	leaves_match(c, snapshot);
	if (sort_by_weight(c))
		return -1;
	c->epoch = snapshot->epoch;
	c->version = snapshot->version;
	return 0;
}

/* Suspended jobs gave their CPUs away, but not their memory. */
static int job_count_use(void *element, void *context)
{
	const job_record_t *job = element;
	struct cluster *c = context;
	const job_resources_t *has = job->job_resrcs;
	bool runs = IS_JOB_RUNNING(job);

	if ((!runs && !IS_JOB_SUSPENDED(job)) || !has || !has->node_bitmap ||
	    !has->cpus)
		return 0;

	int64_t size = bit_size(has->node_bitmap);
	int64_t first = has->nhosts ? bit_ffs(has->node_bitmap) : -1;

	for (int64_t i = first, n = 0; first >= 0 && n < has->nhosts; i++) {
		if (i >= size || i >= (int64_t)c->count)
			break;
		if (!bit_test(has->node_bitmap, i))
			continue;

		struct cluster_node *node = &c->nodes[i];

		if (runs)
			node->used_cpus += has->cpus[n];
		if (has->memory_allocated)
			node->used_memory_mb += has->memory_allocated[n];
		node->used_gres |= job->gres_list_alloc != NULL;
		n++;
	}
	return 0;
}

static void count_jobs(struct cluster *c, double now_s)
{
	for (uint32_t i = 0; i < c->count; i++) {
		c->nodes[i].used_cpus = 0;
		c->nodes[i].used_memory_mb = 0;
		c->nodes[i].used_gres = false;
	}
	list_for_each(job_list, job_count_use, c);
	c->counted_s = now_s;
}

int cluster_update(struct cluster *c, const struct snapshot *snapshot)
{
	if (node_record_count <= 0 || !node_record_table_ptr)
		return -1;
	if ((c->count != (uint32_t)node_record_count ||
	     c->epoch != snapshot->epoch || c->version != snapshot->version) &&
	    nodes_match(c, snapshot)) {
		cluster_clear(c);
		return -1;
	}

	double now_s = clock_monotonic_s();

	if (!(c->counted_s > 0) || now_s - c->counted_s > COUNT_PERIOD_S)
		count_jobs(c, now_s);
	return 0;
}

void cluster_jobs_changed(struct cluster *c)
{
	c->counted_s = 0;
}

void cluster_room(const struct cluster *c, uint32_t place, bool whole,
		  struct node_room *ret)
{
	const struct cluster_node *node = &c->nodes[place];
	const node_record_t *record = node_record_table_ptr[place];

	*ret = (struct node_room){ .cpus = 0 };
	if (!record || node->used_cpus >= node->cpus ||
	    (whole && node->used_cpus))
		return;
	ret->cpus = node->cpus - node->used_cpus;

	uint64_t taken = node->used_memory_mb + record->mem_spec_limit;

	if (record->real_memory > taken)
		ret->memory_mb = record->real_memory - taken;
}

bool cluster_is(const struct cluster *c, uint32_t place,
		const struct snapshot *snapshot)
{
	uint32_t known = c->nodes[place].known;
	const node_record_t *record = node_record_table_ptr[place];

	if (!record || !record->name)
		return false;
	return known == SNAPSHOT_NONE ||
	       (known < snapshot->node_count &&
		!strcmp(record->name, snapshot->nodes[known].name));
}
