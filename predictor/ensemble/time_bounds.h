/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time_bounds.h - how long a run of a cluster can take at most
 *
 * Where a cluster enforces its time limits no run goes past its own, and no
 * prediction may; some clusters do not, or only after a while of grace.  What
 * is far beyond every run and every limit that the cluster has seen is no
 * prediction either, however wide a distribution is.
 */
#pragma once

#include "predictor/models/query.h"

/* Clusters that are distinguished; those beyond count as enforcing. */
#define TIME_BOUNDS_CLUSTERS_MAX 64

/* No quantile is longer than the longest run or limit known, times this. */
#define TIME_BOUNDS_BEYOND 2.5

struct time_bounds {
	int count;
	struct time_bounds_cluster {
		uint64_t key;
		double late;      /* share of runs, the newer the heavier */
		double longest_s; /* of all runs and all finite limits */
		double needy;     /* see time_bounds_needy() */
	} clusters[TIME_BOUNDS_CLUSTERS_MAX];
};

/* Return the limit beyond which the job can't run; HUGE_VAL: none. */
double time_bounds_limit_s(const struct time_bounds *bounds,
			   const struct query *query);

/* Return the longest time that may be predicted for it; HUGE_VAL: nothing is
 * known of its cluster, and it has no limit. */
double time_bounds_most_s(const struct time_bounds *bounds,
			  const struct query *query);

/* Return the share of jobs that reached their limit, as similar runs made
 * expect; the newer the heavier, 1 at first. */
double time_bounds_needy(const struct time_bounds *bounds,
			 const struct query *query);
void time_bounds_note_needy(struct time_bounds *bounds,
			    const struct query *query, double runtime_s);

/* A run of that query has ended. */
void time_bounds_note(struct time_bounds *bounds, const struct query *query,
		      double runtime_s);
