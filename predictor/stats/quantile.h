/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quantile.h - quantiles of samples, and of Student's t */
#pragma once

#include <stddef.h>

/* Return the p-quantile of `values` (finite; sorted in place), 0 <= p <= 1,
 * linearly interpolated between order statistics as [1] type 7.  NAN if there
 * is none.
 *
 * [1] R. J. Hyndman, Y. Fan: Sample Quantiles in Statistical Packages, The
 *     American Statistician 50 (1996) 361-365. */
double quantile_sample(double *values, size_t count, double p);

/* Return an upper bound of one more value of the same source, with probability
 * p: the order statistic of rank ceil((count + 1) p), or the largest value if
 * there are too few.  `values` are sorted in place.
 *
 * [2] V. Vovk, A. Gammerman, G. Shafer: Algorithmic Learning in a Random
 *     World, 2005: with exchangeable values the probability is p at least. */
double quantile_conformal(double *values, size_t count, double p);

/* Return the quantile of Student's t that belongs to the quantile z of the
 * normal distribution: [3] eq. 26.7.5, two terms.  Fewer degrees than 2 take
 * terms that are not there; no wider one is used.
 *
 * [3] M. Abramowitz, I. Stegun: Handbook of Mathematical Functions, 1964. */
double quantile_student(double z, double degrees);
