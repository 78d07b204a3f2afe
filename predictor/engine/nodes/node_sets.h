/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_sets.h - node sets for a job: the best ones, and the best that it missed
 *
 * By the same ranking and the same snapshot that a scheduler has which places
 * jobs by them, so that what is said here is what happens there.
 */
#pragma once

#include "predictor/engine/engine.h"

#define ENGINE_SETS_MAX 8

/* A node set for a job, and the job's run time on it. */
struct engine_set {
	char nodes[RUN_NODES_SIZE]; /* hostlist */
	double median_s;            /* NAN: nothing is known of the job */
	double ratio;         /* to the run time on the first set; NAN: not
				 known, as the next two, if it was missed
				 before a restart */
	double cpu_available; /* of its worst node */
	double bandwidth_bps; /* of its worst link; NAN: not known */
	double latency_s;
	uint32_t stale; /* nodes without a fresh measurement */
};

/* The best sets for the job of a prediction just made, each without the nodes
 * of the others.  Returns their number; -1: there is no snapshot yet, which
 * comes within a second, or memory ran out. */
int engine_best_sets(struct engine *engine, const struct prediction *p,
		     const struct submission *job, int max,
		     struct engine_set ret[]);

/* Find the best set that a job did not get, found when it was predicted again
 * at its start; `id` of its prediction.  -1: not known (any more). */
int engine_rejected_set(struct engine *engine, const char *id,
			struct engine_set *ret);
