/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter.h - the runs of the history that are nearest to a query point
 *
 * The filter NP_PARM of [1] section 2.2: runs on the same number of processors,
 * the nearest by their parameters.
 *
 * [1] B.-D. Lee, J. M. Schopf: Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#pragma once

#include "predictor/models/history.h"
#include "predictor/models/query.h"

/* At most this many are scanned, the newest of each group: older ones are of
 * older versions of program and machine, and reading them takes time. */
#define FILTER_SCAN_MAX 2048
#define FILTER_KEPT_MAX 64

/* Which sizes of runs are accepted. */
enum filter_processors {
	FILTER_SAME_SIZE,  /* nodes, tasks and CPUs */
	FILTER_SAME_TASKS, /* tasks, on any nodes */
	FILTER_ANY_SIZE,
	FILTER_PROCESSORS_COUNT
};

struct filter_run {
	const struct history_run *run;
	const double *values; /* of its parameters */
	uint32_t processors;
	double distance;
	double runtime_s; /* with the query's traits; of those kept */
};

struct filter {
	uint32_t scanned_count;
	struct filter_run scanned[FILTER_SCAN_MAX];
	double distances[FILTER_SCAN_MAX];
	uint32_t kept_count;
	struct filter_run kept[FILTER_KEPT_MAX]; /* newer before older of
						    equal distance */
};

/* Processors of a run or job. */
uint32_t filter_processors(uint32_t tasks, uint32_t cpus);

/* [1] section 2.2, with all weights 1: the sum of |d_i - q_i| / range_i.  In a
 * dimension without range a different value counts 1. */
double filter_distance(const double d[], const double q[], const double range[],
		       int n);

/* Find runs of the query's application with parameters of the same names (and
 * known conditions before their start, if `with_conditions`), into `scanned`.
 * Returns their number. */
uint32_t filter_scan(struct filter *f, const struct history *h,
		     const struct query *q, enum filter_processors like,
		     bool with_conditions);

/* Keep the `k` nearest of those scanned, and those as near as the last of them;
 * at most FILTER_KEPT_MAX. */
void filter_keep(struct filter *f, const struct query *q, uint32_t k);
