/* query.h - a job whose run time is asked for, as models see it */
#ifndef PREDICTOR_MODELS_QUERY_H
#define PREDICTOR_MODELS_QUERY_H

#include <stdint.h>

#include "predictor/features/measurement.h"
#include "predictor/features/parameters.h"
#include "predictor/features/profile.h"

struct query {
	/* Positions in the history, INDEX_NONE: it has no run of these. */
	uint32_t application;
	uint32_t user;
	uint32_t names;                      /* of the parameters */
	const struct parameters *parameters; /* read in place: of a past job it
						ends with the last */
	uint32_t nodes, tasks, cpus;
	double memory_mb;             /* over all nodes; 0: not given */
	double limit_s;               /* NAN: none given, HUGE_VAL: unlimited */
	struct conditions conditions; /* assumed */

	/* Of the application, size and parameters that are nearest; NULL: there
	 * is none.  Lent for as long as the call takes. */
	const struct profile *profile;

	/* Who and what, for models that keep runs by likeness: hashes, each
	 * within the cluster; 0: not given.  Equal in every process. */
	uint64_t cluster_key, user_key, account_key, partition_key,
		application_key;

	double submitted_at_s;
	double now_s; /* when it is asked: at submission, or later */

	/* Names the job towards models that learn from what they said of it;
	 * 0: asked without consequence.  The first query of a ticket is the
	 * job's submission. */
	uint64_t ticket;
};

#endif
