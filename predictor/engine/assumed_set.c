/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assumed_set.c - the nodes that a prediction assumes */
#include <stdlib.h>

#include "predictor/engine/assumed_set.h"
#include "predictor/engine/engine_state.h"
#include "predictor/engine/node_sets_state.h"
#include "predictor/engine/snapshots_state.h"

/* Of a larger set the first ones stand for all: conditions are looked up node
 * by node, under the engine's lock. */
#define ASSUMED_MAX 4096

struct assumed_sets {
	pthread_mutex_t lock; /* of the chooser */
	struct chooser *chooser;
	struct snapshot *snapshot; /* that the choice is from; a reference */
};

struct assumed_sets *assumed_create(void)
{
	struct assumed_sets *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	pthread_mutex_init(&a->lock, NULL);
	a->chooser = chooser_create();
	if (a->chooser)
		return a;
	assumed_destroy(a);
	return NULL;
}

void assumed_destroy(struct assumed_sets *a)
{
	if (!a)
		return;
	chooser_destroy(a->chooser);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

void assumed_choose(struct engine *engine, const struct prediction *p,
		    const struct assumed_request *assumed, struct hostlist *ret)
{
	struct assumed_sets *a = engine->assumed;
	bool scheduled;
	struct snapshot *snapshot =
		snapshots_current(engine, p->cluster, p->made_at_s, &scheduled);
	struct chooser_request request =
		sets_request(p, snapshot, assumed->model);
	struct rank_set worth;

	request.required = assumed->required;
	request.excluded = assumed->excluded;
	request.facts = assumed->facts;
	request.demand = assumed->demand;
	request.known_only = !scheduled;
	request.or_fewer = true;
	*ret = (struct hostlist){ .count = 0 };
	pthread_mutex_lock(&a->lock);
	a->snapshot = snapshot;
	if (chooser_begin(a->chooser, &request) ||
	    chooser_best(a->chooser, &worth))
		return;
	chooser_names(a->chooser, ret);
	if (ret->count > ASSUMED_MAX)
		ret->count = ASSUMED_MAX;
}

void assumed_release(struct engine *engine)
{
	struct assumed_sets *a = engine->assumed;
	struct snapshot *snapshot = a->snapshot;

	a->snapshot = NULL;
	pthread_mutex_unlock(&a->lock);
	snapshot_put(snapshot);
}
