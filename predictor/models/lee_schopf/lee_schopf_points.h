/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf_points.h - the runs of an application as points, and the query
 *
 * What [1] section 2 records of each run: the input to the application, the
 * number of processors, CPU load, bandwidth and latency before the start, and
 * the run time.  A variable is in the same slot in each point; slots that are
 * not in use hold nothing.  A condition that is not known of the query, or of
 * few runs only, is not used; runs without one that is used are left out.  Run
 * times are converted to the query's traits (trait_effects.h).
 *
 * [1] B.-D. Lee, J. M. Schopf: Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#pragma once

#include "predictor/models/history.h"
#include "predictor/models/query.h"

enum slot {
	SLOT_PARAMETERS = 0,
	SLOT_PROCESSORS = PARAMETERS_MAX,
	SLOT_LOAD, /* the first of the resources */
	SLOT_LOAD_MAX,
	SLOT_AVAILABLE,
	SLOT_AVAILABLE_MIN,
	SLOT_BANDWIDTH,
	SLOT_LATENCY,
	SLOTS
};

/* Sets of slots. */
#define SLOT_BIT(slot)   (1u << (slot))
#define SLOTS_PARAMETERS (SLOT_BIT(PARAMETERS_MAX) - 1)
#define SLOTS_RESOURCES  (SLOT_BIT(SLOTS) - SLOT_BIT(SLOT_LOAD))

/* The newest runs of each size are read, those on the query's number of
 * processors first. */
#define POINTS_MAX 512
/* Not a power of 2, which would map all columns to the same cache lines. */
#define POINTS_STRIDE (POINTS_MAX + 8)

struct points {
	uint32_t count;
	uint32_t alike; /* first points, on as many processors as the query */
	uint32_t slots; /* in use */
	double query[SLOTS];
	double low[SLOTS];   /* of the points' values */
	double range[SLOTS]; /* [1]: max D_i - min D_i; 0: constant */
	double x[SLOTS][POINTS_STRIDE]; /* by slots: few are in use */
	double runtime_s[POINTS_MAX];
	double ln_traits[POINTS_MAX]; /* ln of the factor in runtime_s that is
					 due to traits */
	uint32_t job_id[POINTS_MAX];
	uint32_t traits[POINTS_MAX]; /* positions in the history's */
};

/* Return whether points can tell more than their mean: the query has
 * parameters or known conditions, and the history has runs with parameters of
 * these names. */
bool points_possible(const struct query *query);

/* Read at most `max` completed runs of the query's application with parameters
 * of the same names; newer before older within a size. */
void points_read(struct points *points, const struct history *history,
		 const struct query *query, uint32_t max);

/* Find the values of one point, by slot. */
void points_get(const struct points *points, uint32_t point, double ret[SLOTS]);
