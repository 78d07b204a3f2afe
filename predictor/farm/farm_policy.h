/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_policy.h - how a master divides its tasks into chunks
 *
 * The tasks are handed out in batches of one chunk for each worker; a worker
 * that is done gets the next chunk.  A policy decides how large the chunks of a
 * batch are.  Symbols: farm.h.
 */
#pragma once

#include <math.h>

#include "predictor/farm/farm.h"

/* What a policy knows of the iteration. */
struct handout_rules {
	int M;            /* tasks */
	int n;            /* workers */
	double mu, sigma; /* of a task, as seen up to now; mu > 0 */
	double factor;    /* part of the tasks in a batch, of those left or
			     of all; only fsc and dpf use it */
	int chunk_min;    /* tasks of a chunk, at least 1 */
	double slowdown;  /* expected of the slowest worker, if it is more than
			     `shared` expects anyway */
	/* weights[i]: sum of the weights of the first i tasks, heaviest task
	 * first, weights[M] > 0; NULL: all weigh the same. */
	const double *weights;
};

struct handout;

struct farm_policy {
	const char *name, *help;
	/* Tasks of the next chunk; the handout bounds it to 1 and what is
	 * left. */
	int (*chunk)(const struct handout *handout);
};

extern const struct farm_policy *const farm_policies[]; /* ends with NULL */

extern const struct farm_policy policy_none, policy_fsc, policy_dpf, policy_daf,
	policy_shared;

struct handout {
	const struct farm_policy *policy;
	/* mu, sigma and chunk_min may change on the way: what is left is
	 * divided by the latest. */
	struct handout_rules rules;
	int next;       /* task */
	int batch;      /* j, from 0 */
	int batch_next; /* first task of the batch; R_j = M - batch_next */
	int chunks;     /* of the batch that were handed out */
};

/* The least chunk with which the master keeps n workers fed: its sends to the
 * others, (n - 2) mo, take no longer than the chunk, from MCMC. */
int handout_chunk_min(const struct farm *farm,
		      const struct message_costs *costs, int n);

void handout_begin(struct handout *handout, const struct farm_policy *policy,
		   const struct handout_rules *rules);

/* Return x_j of the present batch, (1) or (2) of [1]: its chunks are the x_j-th
 * part of an even share of what was left when it began. */
static inline double handout_x(const struct handout *handout)
{
	const struct handout_rules *r = &handout->rules;

	return (handout->batch == 0 ? 1 : 2) +
	       r->sigma * sqrt(r->n / 2.0) / r->mu; /* (1), (2) */
}

/* Find the number of tasks of the next chunk, from *ret_first on; 0: none
 * are left. */
int handout_next(struct handout *handout, int *ret_first);

/* Order of tasks for `weights` of a handout: the heaviest first, equal ones as
 * they were.  order[M]. */
void tasks_order_heaviest_first(const double weight[], int M, int order[]);
