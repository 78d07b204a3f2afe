/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_costs.c - what it costs to start a job: the time that a node is idle
 *
 * Plan: a table of nodes by hash, each with the last ends of jobs on it; a
 * node whose place another one has takes it over.  A run that ended looks
 * for the last end before its start; the time between goes into a ring for
 * all clusters.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/compare.h"
#include "predictor/scheduler/start_costs.h"

#define NODES  4096
#define ENDS   8 /* of a node: it runs some jobs at once */
#define STARTS 1024

struct node_ends {
	uint64_t node; /* hash of cluster and name */
	int next;
	struct {
		uint32_t job_id;
		double end_s; /* 0: none */
	} of[ENDS];
};

struct start_costs {
	struct node_ends nodes[NODES];
	int count, next;
	struct {
		uint64_t cluster;
		double cost_s;
	} starts[STARTS];
	/* The last result; valid until a start is added. */
	bool known;
	uint64_t known_cluster;
	double known_mean_s;
	int known_count;
};

struct start_costs *start_costs_create(void)
{
	return calloc(1, sizeof(struct start_costs));
}

void start_costs_destroy(struct start_costs *c)
{
	free(c);
}

/* FNV-1a */
static uint64_t hash_of(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

static uint64_t cluster_hash(const char *cluster)
{
	return hash_of(0xcbf29ce484222325u, cluster);
}

static void add_start(struct start_costs *c, uint64_t cluster, double cost_s)
{
	c->known = false;
	c->starts[c->next].cluster = cluster;
	c->starts[c->next].cost_s = cost_s;
	c->next = (c->next + 1) % STARTS;
	if (c->count < STARTS)
		c->count++;
}

/* Return the last end before the start; 0: none.  -1: the run is
 * known already. */
static double end_before(const struct node_ends *node, const struct run *run)
{
	double last_s = 0;

	for (int i = 0; i < ENDS; i++) {
		double end_s = node->of[i].end_s;

		if (node->of[i].job_id == run->job_id &&
		    end_s == run->ended_at_s)
			return -1;
		if (end_s <= run->started_at_s)
			last_s = fmax(last_s, end_s);
	}
	return last_s;
}

void start_costs_note(struct start_costs *c, const struct run *run)
{
	if (run->nodes != 1 || !(run->ended_at_s >= run->started_at_s) ||
	    !*run->node_list)
		return;

	uint64_t cluster = cluster_hash(run->cluster);
	uint64_t name = hash_of(cluster * 31, run->node_list);
	struct node_ends *node = &c->nodes[name % NODES];

	if (node->node != name)
		*node = (struct node_ends){ .node = name };

	double last_s = end_before(node, run);
	double cost_s = run->started_at_s - last_s;

	if (last_s < 0)
		return;
	/* It waited for that end. */
	if (last_s > 0 && run->submitted_at_s < last_s &&
	    cost_s <= START_COST_MAX_S)
		add_start(c, cluster, cost_s);
	node->of[node->next].job_id = run->job_id;
	node->of[node->next].end_s = run->ended_at_s;
	node->next = (node->next + 1) % ENDS;
}

COMPARE_NUMBERS(compare, double)

static double mean_of(const struct start_costs *c, uint64_t cluster,
		      int *ret_count)
{
	double costs_s[STARTS], sum_s = 0;
	int count = 0;

	for (int i = 0; i < c->count; i++)
		if (c->starts[i].cluster == cluster)
			costs_s[count++] = c->starts[i].cost_s;
	*ret_count = count;
	if (count < START_COSTS_MIN)
		return NAN;
	qsort(costs_s, (size_t)count, sizeof(*costs_s), compare);

	int kept = count - count / 10;

	for (int i = 0; i < kept; i++)
		sum_s += costs_s[i];
	return sum_s / kept;
}

double start_costs_mean(struct start_costs *c, const char *cluster,
			int *ret_count)
{
	uint64_t wanted = cluster_hash(cluster);

	if (!c->known || c->known_cluster != wanted) {
		c->known_mean_s = mean_of(c, wanted, &c->known_count);
		c->known_cluster = wanted;
		c->known = true;
	}
	*ret_count = c->known_count;
	return c->known_mean_s;
}
