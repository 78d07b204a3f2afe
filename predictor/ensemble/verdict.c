/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict.c - what can be read off the quantiles of a prediction
 *
 * Between knots ln(run time) goes straight with the probability.  Above the
 * last knot the tail goes on as a power law (a straight line in the logarithms
 * of time and of the probability to be longer), as steep as between the last
 * two knots; this is where jobs that have outrun everything known are.
 */
#include <math.h>

#include "predictor/ensemble/calibration.h"
#include "predictor/ensemble/ensemble.h"

#define LAST (PREDICTION_KNOTS - 1)

/* The tail's least steepness: after outrunning all, a job goes on for this
 * share of its time, in the median, times ln 2. */
#define STEEPNESS_MIN 0.02
#define STEEPNESS_MAX 1.0

/* k: the probabilities of the quantiles, ascending. */
static double steepness(const double knots_s[PREDICTION_KNOTS], const double *k)
{
	double rise = log(knots_s[LAST]) - log(knots_s[LAST - 1]);
	double fall = log1p(-k[LAST - 1]) - log1p(-k[LAST]);

	return fmin(fmax(rise / fall, STEEPNESS_MIN), STEEPNESS_MAX);
}

static double quantile_of(const double knots_s[PREDICTION_KNOTS],
			  const double *k, double p)
{
	int i = 1;

	if (!(knots_s[0] > 0) || !(p > 0) || !(p < 1))
		return NAN;
	if (p <= k[0])
		return knots_s[0];
	if (p > k[LAST])
		return knots_s[LAST] *
		       pow((1 - k[LAST]) / (1 - p), steepness(knots_s, k));
	while (p > k[i])
		i++;

	double share = (p - k[i - 1]) / (k[i] - k[i - 1]);

	if (share >= 1)
		return knots_s[i];
	return knots_s[i - 1] * pow(knots_s[i] / knots_s[i - 1], share);
}

static double probability_of(const double knots_s[PREDICTION_KNOTS],
			     const double *k, double elapsed_s)
{
	int i = 1;

	if (elapsed_s < knots_s[0])
		return 0;
	if (elapsed_s >= knots_s[LAST])
		return 1 - (1 - k[LAST]) * pow(knots_s[LAST] / elapsed_s,
					       1 / steepness(knots_s, k));
	while (elapsed_s >= knots_s[i])
		i++;
	return k[i - 1] + (k[i] - k[i - 1]) * log(elapsed_s / knots_s[i - 1]) /
				  log(knots_s[i] / knots_s[i - 1]);
}

static double remaining_of(const double knots_s[PREDICTION_KNOTS],
			   const double *k, double elapsed_s, double p)
{
	if (!(knots_s[0] > 0) || !isfinite(elapsed_s) || !(p > 0) || !(p < 1))
		return NAN;
	if (elapsed_s <= 0)
		return quantile_of(knots_s, k, p);

	/* Far out no double is left between the probability and 1. */
	if (elapsed_s >= knots_s[LAST])
		return elapsed_s * (pow(1 - p, -steepness(knots_s, k)) - 1);

	double over = probability_of(knots_s, k, elapsed_s);

	return fmax(0,
		    quantile_of(knots_s, k, over + p * (1 - over)) - elapsed_s);
}

double verdict_quantile(const double knots_s[PREDICTION_KNOTS], double p)
{
	return quantile_of(knots_s, prediction_knots, p);
}

double verdict_probability(const double knots_s[PREDICTION_KNOTS],
			   double elapsed_s)
{
	return probability_of(knots_s, prediction_knots, elapsed_s);
}

double verdict_remaining(const double knots_s[PREDICTION_KNOTS],
			 const double levels[PREDICTION_LEVELS],
			 double elapsed_s, double p)
{
	double k[PREDICTION_KNOTS];
	double left_s = remaining_of(knots_s, prediction_knots, elapsed_s, p);

	if (!levels || isnan(levels[0]))
		return left_s;
	calibration_undo(levels, k);
	if (p <= 0.5)
		return remaining_of(knots_s, k, elapsed_s, p);
	return fmax(left_s, remaining_of(knots_s, k, elapsed_s, 0.5));
}
