/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedulers.c - what the nodes' kernels do with processes that wake up */
#include <math.h>
#include <string.h>

#include "predictor/conditions/nodes_state.h"
#include "predictor/stats/quantile.h"

/* Nodes of a cluster mostly run the same kernel: a median needs few of them. */
#define SAMPLE_MAX 32

struct node_scheduler nodes_scheduler(const struct nodes *nodes,
				      uint32_t position)
{
	return nodes->of[position]->scheduler;
}

static int compare_cluster(const struct nodes *nodes, uint32_t place,
			   const char *cluster)
{
	return strcmp(nodes->of[nodes->sorted[place]]->cluster, cluster);
}

/* Return the first place in the order of names whose cluster is not less; with
 * `after` the first whose cluster is greater. */
static uint32_t cluster_bound(const struct nodes *nodes, const char *cluster,
			      bool after)
{
	uint32_t low = 0, high = nodes->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (compare_cluster(nodes, middle, cluster) < (after ? 1 : 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static double median_of(double *values, size_t count)
{
	return count ? quantile_sample(values, count, 0.5) : NAN;
}

struct node_scheduler nodes_scheduler_median(const struct nodes *nodes,
					     const char *cluster)
{
	uint32_t first = cluster_bound(nodes, cluster, false);
	uint32_t count = cluster_bound(nodes, cluster, true) - first;
	uint32_t step = 1 + count / SAMPLE_MAX;
	double turns_s[SAMPLE_MAX + 1], credits_s[SAMPLE_MAX + 1];
	size_t turns = 0, credits = 0;

	for (uint32_t i = 0; i < count; i += step) {
		const struct node_scheduler *s =
			&nodes->of[nodes->sorted[first + i]]->scheduler;

		if (!isnan(s->turn_s))
			turns_s[turns++] = s->turn_s;
		if (!isnan(s->credit_s))
			credits_s[credits++] = s->credit_s;
	}
	return (struct node_scheduler){ median_of(turns_s, turns),
					median_of(credits_s, credits) };
}
