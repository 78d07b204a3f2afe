/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curve.c - run time, efficiency and cost of a job over the number of nodes */
#include <math.h>

#include "predictor/stats/curve.h"

/* Standard deviations of a normal distribution below its 90 % quantile. */
#define Z_90 1.2816

/* If there are many numbers of nodes, show those that grow by at least
 * this factor. */
#define STEP    1.2
#define EACH_TO CURVE_POINTS_MAX

int curve_next(int from, int n, int to)
{
	int next = to - from < EACH_TO ? n + 1 : (int)ceil(n * STEP);

	return n < to && next > to ? to : next;
}

static double performance_index(const struct curve_point *point)
{
	return point->median_s / point->efficiency; /* (13) */
}

void curve_add(struct curve *curve, int n, double median_s, double p90_s,
	       double base)
{
	struct curve_point *point = &curve->points[curve->count];

	*point = (struct curve_point){
		.n = n,
		.median_s = median_s,
		.p90_s = p90_s,
		.efficiency = base / (n * median_s),
		.node_hours = n * median_s / 3600,
	};
	if (median_s < curve->points[curve->fastest].median_s)
		curve->fastest = curve->count;
	if (performance_index(point) <
	    performance_index(&curve->points[curve->worth]))
		curve->worth = curve->count;
	curve->count++;
}

int curve_make(const struct scaling *scaling, int n_min, int n_max,
	       struct curve *ret, struct sp_error *err)
{
	int reach = CURVE_REACH * scaling->n_max;
	int from = n_min > 0 ? n_min : 1;
	int to = n_max > 0 && n_max < reach ? n_max : reach;
	double base = scaling->n_min * scaling_time(scaling, scaling->n_min);

	if (from > to)
		return sp_error_set(err,
				    "the runs were on at most %d nodes: too "
				    "few to predict %d",
				    scaling->n_max, from);
	*ret = (struct curve){ 0 };
	for (int n = from; n <= to && ret->count < CURVE_POINTS_MAX;
	     n = curve_next(from, n, to))
		curve_add(ret, n, scaling_time(scaling, n),
			  scaling_bound(scaling, n, Z_90), base);
	return 0;
}
