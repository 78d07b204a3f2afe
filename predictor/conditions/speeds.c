/* SPDX-License-Identifier: GPL-2.0-or-later */
/* speeds.c - nodes slower than they were, or than their peers */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/conditions/nodes_state.h"
#include "predictor/conditions/speeds.h"
#include "predictor/stats/quantile.h"

/* Samples of the current speed, and the fewest for a past one. */
#define NEWEST   3
#define PAST_MIN 4

/* Peers are compared in a cluster of PEERS_MIN nodes or more, if PEERS_SHARE of
 * them are within PEERS_NEAR of the median: else they are of several kinds. */
#define PEERS_MIN   4
#define PEERS_SHARE 0.6
#define PEERS_NEAR  0.05

/* Return the median of the samples from `first` up to `end`. */
static double median(const struct series *s, int first, int end)
{
	double values[SERIES_SAMPLES_MAX];
	size_t count = 0;

	for (int i = first; i < end; i++)
		values[count++] = (double)series_value(s, i);
	return quantile_sample(values, count, 0.5);
}

void node_speed_add(struct node *node, double time_s, double speed)
{
	if (!node->speeds)
		node->speeds = calloc(1, sizeof(*node->speeds));
	if (!node->speeds || series_age_s(node->speeds, time_s) < WATCH_STEP_S)
		return;
	series_add(node->speeds, time_s, speed);
	if (node->speeds->count >= PAST_MIN)
		node->past_speed = median(node->speeds, 0, node->speeds->count);
}

static void node_speed_find(const struct node *node, struct node_speed *ret)
{
	const struct resource *r = node->of[NODE_CPU_SPEED];
	int count = r ? r->recent.count : 0;

	*ret = (struct node_speed){ .now = NAN,
				    .past = node->past_speed,
				    .peers = NAN };
	if (count)
		ret->now = median(&r->recent,
				  count > NEWEST ? count - NEWEST : 0, count);
}

/* Return the median speed in the cluster of the node at `first`; `speeds` has
 * room for all. */
static double peers_median(const struct nodes *nodes, uint32_t first,
			   const struct node_speed *all, double *speeds)
{
	const char *cluster = nodes->of[first]->cluster;
	size_t count = 0, near = 0;

	for (uint32_t i = first; i < nodes->count; i++)
		if (!isnan(all[i].now) &&
		    strcmp(nodes->of[i]->cluster, cluster) == 0)
			speeds[count++] = all[i].now;
	if (count < PEERS_MIN)
		return NAN;

	double middle = quantile_sample(speeds, count, 0.5);

	for (size_t i = 0; i < count; i++)
		near += fabs(speeds[i] - middle) <= PEERS_NEAR * middle;
	return (double)near >= PEERS_SHARE * (double)count ? middle : NAN;
}

static bool is_below(double speed, double other)
{
	return speed < WATCH_SLOW_SHARE * other; /* false if one is NAN */
}

void nodes_speeds(const struct nodes *nodes, struct node_speed *ret)
{
	double *speeds = calloc(nodes->count + 1, sizeof(*speeds));
	bool *done = calloc(nodes->count + 1, sizeof(*done));

	for (uint32_t i = 0; i < nodes->count; i++)
		node_speed_find(nodes->of[i], &ret[i]);
	for (uint32_t i = 0; speeds && done && i < nodes->count; i++) {
		if (done[i])
			continue;

		double peers = peers_median(nodes, i, ret, speeds);

		for (uint32_t k = i; k < nodes->count; k++)
			if (strcmp(nodes->of[k]->cluster,
				   nodes->of[i]->cluster) == 0) {
				ret[k].peers = peers;
				done[k] = true;
			}
	}
	for (uint32_t i = 0; i < nodes->count; i++)
		ret[i].slow = is_below(ret[i].now, ret[i].past) ||
			      is_below(ret[i].now, ret[i].peers);
	free(speeds);
	free(done);
}

void nodes_bad_sensors(const struct nodes *nodes, uint32_t position,
		       unsigned *ret_stuck, unsigned *ret_jumping)
{
	const struct node *node = nodes->of[position];

	*ret_stuck = *ret_jumping = 0;
	for (int i = 0; i < NODE_RESOURCES; i++) {
		const struct resource *r = node->of[i];

		/* A speed is constant, and not stuck; a machine may jump. */
		if (!r || i == NODE_CPU_SPEED || i == NODE_HOST_NODES)
			continue;
		*ret_stuck |= resource_is_stuck(r) ? 1U << i : 0;
		*ret_jumping |= resource_jumps(r) ? 1U << i : 0;
	}
}
