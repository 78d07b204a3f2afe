/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curve.c - run time, efficiency and cost of a job over the number of nodes */
#include <math.h>
#include <stdbool.h>

#include "predictor/curve/curve.h"

/* Standard deviations of a normal distribution below its 90 % quantile. */
#define Z_90 1.2816

/* Of many numbers of nodes, those that grow by at least this factor. */
#define STEP    1.2
#define EACH_TO CURVE_POINTS_MAX

static int next_number(int n, int n_max, bool each)
{
	int next = each ? n + 1 : (int)ceil(n * STEP);

	return n < n_max && next > n_max ? n_max : next;
}

static double performance_index(const struct curve_point *point)
{
	return point->median_s / point->efficiency; /* (13) */
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
	     n = next_number(n, to, to - from < EACH_TO)) {
		struct curve_point *point = &ret->points[ret->count];

		point->n = n;
		point->median_s = scaling_time(scaling, n);
		point->p90_s = scaling_bound(scaling, n, Z_90);
		point->efficiency = base / (n * point->median_s);
		point->node_hours = n * point->median_s / 3600;
		if (point->median_s < ret->points[ret->fastest].median_s)
			ret->fastest = ret->count;
		if (performance_index(point) <
		    performance_index(&ret->points[ret->worth]))
			ret->worth = ret->count;
		ret->count++;
	}
	return 0;
}
