/* node_sets.h - node sets, for the engine's files */
#ifndef PREDICTOR_ENGINE_NODE_SETS_H
#define PREDICTOR_ENGINE_NODE_SETS_H

#include "predictor/engine/snapshots.h"

/* What a snapshot tells of a job, of which median_s is expected in the
 * conditions that the prediction assumes (NAN: nothing is).  Under the engine's
 * lock; takes some microseconds where there is a profile. */
void sets_model(const struct engine *engine, const struct prediction *p,
		double median_s, struct placement_model *ret);

/* What was predicted from history; NAN: nothing was. */
double sets_median_s(const struct prediction *p);

/* What was predicted again at a start: find what else could have been, and note
 * it in the prediction, here and where it is remembered.  Without the engine's
 * lock. */
void sets_started(struct engine *engine, const struct run *run,
		  struct prediction *p);

/* --- What to assume -------------------------------------------------------------
 *
 * While a scheduler places jobs by our snapshots, a prediction assumes the set
 * that it would choose.  Of larger clusters nodes_assume() is near enough, and
 * faster. */
#define SETS_ASSUMED_MAX 512 /* nodes */

struct sets_assumption;

struct sets_assumption *sets_assumption_create(void); /* freed by free() */

/* Under the engine's lock.  The names that are lent are good until the next
 * call.  -1: no such scheduler, or no such set. */
int sets_assume(struct engine *engine, const struct prediction *p,
		double expected_s, const struct hostlist *required,
		const struct hostlist *excluded, struct hostlist *ret);

struct set_record {
	uint64_t id;
	struct engine_set set;
};

#endif
