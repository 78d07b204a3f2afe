/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shared.c - Dynamic Adjusting Factoring for nodes that are shared
 *
 * (1) and (2) of E. Cesar et al. (farm.h) foresee that tasks differ, not that a
 * worker's node is slow, or turns slow on the way.  A worker that takes f times
 * as long is done with a chunk in time if that is no more than the f-th part of
 * an even share: x_j is never below the greatest slowdown to be expected.
 *
 * The last chunks are as small as the master can serve, and tasks of known
 * weight go out heaviest first, by weight instead of number.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/farm/farm_policy.h"

/* The slowdown to expect of any node, whatever it is now: two other processes
 * for each CPU may come.  Half of eight workers at half speed, and a competitor
 * that takes two thirds of two workers half-way or early, cost up to 15 % with
 * 2 and up to 3 % with 3; undisturbed both cost the same. */
#define SLOWDOWN_LEAST 3.0

/* The number of tasks from the next one on that weigh `share`. */
static int tasks_of_weight(const struct handout *h, double share)
{
	const double *weights = h->rules.weights;
	double target = weights[h->next] + share;
	int low = h->next, high = h->rules.M;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (weights[middle] <= target)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1 - h->next;
}

static int shared_chunk(const struct handout *h)
{
	const struct handout_rules *r = &h->rules;
	double x = fmax(handout_x(h), fmax(r->slowdown, SLOWDOWN_LEAST));
	double R = r->M - h->batch_next;

	if (!r->weights)
		return (int)fmax(R / (x * r->n), r->chunk_min);

	/* As many tasks as weigh that; many light ones are no least chunk. */
	double W = r->weights[r->M];
	double share = (W - r->weights[h->batch_next]) / (x * r->n);

	return tasks_of_weight(h, fmax(share, r->chunk_min * W / r->M));
}

static int compare_weights(const void *a, const void *b, void *weight)
{
	int i = *(const int *)a, j = *(const int *)b;
	const double *w = weight;

	if (w[i] != w[j])
		return w[i] > w[j] ? -1 : 1;
	return (i > j) - (i < j);
}

void tasks_order_heaviest_first(const double weight[], int M, int order[])
{
	for (int i = 0; i < M; i++)
		order[i] = i;
	qsort_r(order, (size_t)M, sizeof(*order), compare_weights,
		(void *)weight);
}

const struct farm_policy policy_shared = {
	.name = "shared",
	.help = "adjusting factoring for nodes that others use, too",
	.chunk = shared_chunk,
};
