/* SPDX-License-Identifier: GPL-2.0-or-later */
/* similar_runs.h - which runs are like a job, and whether they would fit it
 *
 * Runs are similar that are of the same application, size and parameters;
 * without parameters, of the same user as well.
 */
#pragma once

#include "predictor/features/prediction.h"
#include "predictor/models/history.h"
#include "predictor/models/query.h"

struct similar_runs {
	uint32_t count;      /* the newest, at most SIMILAR_RUNS_MAX */
	uint32_t over_limit; /* of these, longer than the job's limit */
	double shortest_s, longest_s;
	bool precise; /* they have the same parameters */
};

#define SIMILAR_RUNS_MAX 32

/* `limit_s`: the job is killed then; HUGE_VAL: it is not. */
void similar_runs_find(const struct history *h, const struct query *query,
		       double limit_s, struct similar_runs *ret);

/* Return whether the job will probably be killed at its limit: most similar
 * runs took longer.  Without parameters all must have, and about the same time,
 * since a lower limit may announce a shorter run. */
bool similar_runs_need_more(const struct similar_runs *similar);

/* For such a job, raise the median and the quantiles to the limit; without
 * parameters only if such jobs mostly reached their limit on its cluster, a
 * share `believed` of them. */
void similar_runs_bound(const struct similar_runs *similar, double limit_s,
			double believed, double *median_s,
			double knots_s[PREDICTION_KNOTS]);

/* Runs of the same application and parameters that completed, on any number of
 * nodes, tasks and CPUs; without parameters, of the same user.  At most some
 * hundred are read. */
struct runs_of_parameters {
	uint32_t count;
	double shortest_s, longest_s;
	/* Those of the newest in its group, the first group that has one. */
	uint32_t nodes, tasks, cpus;
	struct conditions before;
};

void similar_runs_of_parameters(const struct history *h,
				const struct query *query,
				struct runs_of_parameters *ret);
