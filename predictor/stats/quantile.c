/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quantile.c - quantiles of samples, and of Student's t */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/compare.h"
#include "predictor/stats/quantile.h"

COMPARE_NUMBERS(ascending, double)

double quantile_sample(double *values, size_t count, double p)
{
	if (!count)
		return NAN;
	qsort(values, count, sizeof(*values), ascending);

	double h = (double)(count - 1) * p;
	size_t below = (size_t)h;

	if (below + 1 >= count)
		return values[count - 1];
	return values[below] +
	       (h - (double)below) * (values[below + 1] - values[below]);
}

double quantile_conformal(double *values, size_t count, double p)
{
	/* 10 (1 + 9) p of p = 0.9 must be rank 9, not 10 for a rounding. */
	static const double rounding = 1e-9;

	if (!count)
		return NAN;
	qsort(values, count, sizeof(*values), ascending);

	double rank = ceil((double)(count + 1) * p - rounding);

	if (rank < 1)
		rank = 1;
	if (rank > (double)count)
		rank = (double)count;
	return values[(size_t)rank - 1];
}

double quantile_student(double z, double degrees)
{
	double n = fmax(degrees, 2);
	double z3 = z * z * z;

	return z + (z3 + z) / (4 * n) +
	       (5 * z3 * z * z + 16 * z3 + 3 * z) / (96 * n * n);
}
