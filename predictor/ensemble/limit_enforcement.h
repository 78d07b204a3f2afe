/* limit_enforcement.h - whether a cluster enforces its time limits
 *
 * Where it does, no run goes past its limit, and no prediction may.  Some do
 * not, or only after a while of grace.
 */
#ifndef PREDICTOR_ENSEMBLE_LIMIT_ENFORCEMENT_H
#define PREDICTOR_ENSEMBLE_LIMIT_ENFORCEMENT_H

#include <stdbool.h>

#include "predictor/features/subject.h"
#include "predictor/models/query.h"

/* Clusters that are told apart; those beyond count as enforcing. */
#define LIMITS_CLUSTERS_MAX 64

struct limits {
	int count;
	struct limits_cluster {
		uint64_t key;
		double late; /* share of runs, the newer the heavier */
	} of[LIMITS_CLUSTERS_MAX];
};

/* The limit beyond which the job can't run; HUGE_VAL: none. */
double limits_of(const struct limits *limits, const struct query *query);

/* A run of that query has ended. */
void limits_note(struct limits *limits, const struct query *query,
		 double runtime_s);

#endif
