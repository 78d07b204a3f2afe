/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assumed_set.h - the nodes that a prediction assumes
 *
 * The best set by the snapshot of snapshots_current().  While a scheduler
 * fetches our snapshots it is the set that this would choose, for which a node
 * without a fresh measurement is like the median of the others; else such a
 * node is assumed only if it is required.  The cost is that of a choice, see
 * chooser.h.
 */
#ifndef PREDICTOR_ENGINE_ASSUMED_SET_H
#define PREDICTOR_ENGINE_ASSUMED_SET_H

#include "predictor/base/hostlist.h"
#include "predictor/engine/engine.h"
#include "predictor/features/node_facts.h"
#include "predictor/snapshot/placement_model.h"

/* A chooser that predictions use in turn, with a lock of its own, which is
 * taken before the engine's. */
struct assumed_sets;

struct assumed_sets *assumed_create(void);    /* NULL: out of memory */
void assumed_destroy(struct assumed_sets *a); /* NULL is allowed */

struct assumed_request {
	const struct placement_model *model; /* the job's */
	const struct hostlist *required, *excluded;
	struct node_facts *facts;         /* NULL: not known */
	const struct node_demand *demand; /* counts if facts are known */
};

/* Choose nodes for a prediction; fewer, if fewer are known or allowed.  Without the engine's lock.  The names are lent until
 * assumed_release(), which must follow. */
void assumed_choose(struct engine *engine, const struct prediction *p,
		    const struct assumed_request *assumed,
		    struct hostlist *ret);
void assumed_release(struct engine *engine);

#endif
