/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curve.h - run time, efficiency and cost of a job over the number of nodes
 *
 * The number of nodes that is worth having is that of the least performance
 * index, run time over efficiency: E. Cesar et al., Modeling Master/Worker
 * applications for automatic performance tuning, 2006, expression (13).
 */
#pragma once

#include "predictor/stats/scaling.h"

#define CURVE_POINTS_MAX 64

/* Nothing is predicted beyond this multiple of the most nodes that
 * were seen. */
#define CURVE_REACH 2

struct curve_point {
	int n; /* nodes */
	double median_s, p90_s;
	double efficiency; /* 1 on the fewest nodes that were seen */
	double node_hours;
};

struct curve {
	int count; /* at least 1 */
	struct curve_point points[CURVE_POINTS_MAX];
	int fastest; /* position of the least run time */
	int worth;   /* and of the least performance index */
};

/* From n_min to n_max nodes (0: from one to as far as CURVE_REACH), each number
 * or, of many, some.  Fails if all of them are out of reach. */
int curve_make(const struct scaling *scaling, int n_min, int n_max,
	       struct curve *ret, struct sp_error *err);

/* Add a point; `base`: nodes times seconds where the efficiency is 1. */
void curve_add(struct curve *curve, int n, double median_s, double p90_s,
	       double base);

/* The number of nodes after n, of those in [from, to]: each, or some. */
int curve_next(int from, int n, int to);
