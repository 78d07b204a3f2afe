/* SPDX-License-Identifier: GPL-2.0-or-later */
/* errors.h - interval of a forecast, from its last errors
 *
 * An interval is two quantiles of the last errors.  Which quantiles is learned
 * as in [1]: if values fell below the lower end too often, a lower one is
 * taken, so that coverage is right in the long run however the series behaves.
 *
 * Series of few distinct values repeat themselves exactly.  A value with a
 * probability of its own counts as below a quantile by a fraction, as in the
 * nonrandomised transform of [2].
 *
 * [1] I. Gibbs, E. Candes: Adaptive Conformal Inference Under Distribution
 *     Shift, NeurIPS 2021.
 * [2] C. Czado, T. Gneiting, L. Held: Predictive Model Assessment for Count
 *     Data, Biometrics 65 (2009) 1254-1261.
 */
#pragma once

#define ERRORS_MAX   48
#define ERRORS_LEVEL 0.8 /* of the interval that is kept right */

/* All zero: no values yet. */
struct errors {
	int count, next;
	float below, above; /* learned, added to each tail */
	float ring[ERRORS_MAX];
};

/* Add a forecast's error: the value less the forecast.  `spread` is as in
 * errors_interval() when the forecast was made. */
void errors_add(struct errors *e, double error, double spread);

/* The same, for a forecast that was made several errors ago: whether the value
 * was below or above the interval of that time: 1 yes, -1 no, 0 just at its
 * end, when nothing is learned.  The interval of now has later errors in it. */
void errors_add_judged(struct errors *e, double error, int below, int above);

/* Find the interval of a level, 0 < level < 1, about a forecast.  `spread` >=
 * 0 is taken as one error more, larger than all others: with few errors it
 * counts much. */
void errors_interval(const struct errors *e, double level, double spread,
		     double *ret_low, double *ret_high);

/* Whether an error is within the interval of ERRORS_LEVEL, 0 or 1; a fraction,
 * if errors of just this size are so frequent that an end of the interval is
 * among them. */
double errors_covered(const struct errors *e, double error, double spread);
