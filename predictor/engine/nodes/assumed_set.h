/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assumed_set.h - the nodes that a prediction assumes
 *
 * Those that the scheduler is likely to take now: the ones that stock Slurm
 * would (stock_sets.h), or the best by the snapshot of snapshots_current().
 * Which rule holds in a partition is learned from where jobs start
 * (placement_rules.h); where it is not sure, a prediction is for several sets.
 *
 * Where Slurm's nodes are not known, it is the best set.  While a scheduler
 * fetches our snapshots, a node without a fresh measurement is like the median
 * of the others there; else it is assumed only if it is required.
 */
#pragma once

#include "predictor/base/hostlist.h"
#include "predictor/engine/engine.h"
#include "predictor/features/node_facts.h"
#include "predictor/snapshot/placement_model.h"

/* A chooser that predictions use in turn. */
struct assumed_sets;

struct assumed_sets *assumed_create(void);    /* NULL: out of memory */
void assumed_destroy(struct assumed_sets *a); /* NULL is allowed */

struct assumed_request {
	const struct placement_model *model; /* the job's */
	const struct hostlist *required, *excluded;
	struct node_facts *facts;         /* NULL: not known */
	const struct node_demand *demand; /* counts if facts are known */
	bool placed; /* our select plugin chooses the nodes */
};

/* One for each rule, and one more for any other nodes. */
#define ASSUMED_SETS_MAX 5

/* The first nodes of a larger set stand for all: conditions are read node
 * by node, under the engine's lock. */
#define ASSUMED_MAX 4096

struct assumed {
	struct hostlist nodes; /* the likeliest set, in `names`; fewer nodes
				  than asked for, if fewer are known or
				  allowed */
	bool starts;           /* there is room on them now */

	/* For each set, of which the first is `nodes`: how likely it is, which
	 * adds up to 1, and the run time there, as ratio to the first. */
	int count;
	double weights[ASSUMED_SETS_MAX], ratios[ASSUMED_SETS_MAX];

	char names[ASSUMED_MAX][HOSTLIST_NAME_SIZE];
};

/* Choose nodes for a prediction.  The caller holds no lock.  ret->nodes points
 * into *ret, which must not be moved. */
void assumed_choose(struct engine *engine, const struct prediction *p,
		    const struct assumed_request *request, struct assumed *ret);

/* Set p->nodes_shown, where the predicted run time depends on the nodes. */
void assumed_show(const struct assumed *assumed, struct prediction *p);

/* A job has started that Slurm could place freely: learn from its nodes.  `p`
 * is its prediction, `placed` as in the request then.  The caller holds no
 * lock, and engine_learn() has not counted the job's nodes as used yet. */
void assumed_learn(struct engine *engine, const struct run *run,
		   const struct prediction *p, bool placed);
