/* weights.h - how much each variable influences the run time
 *
 * The filter of [1] section 2.2 wants to know "the importance of each variable
 * with respect to the run time".  It is found from the runs themselves: in a
 * regression of logarithms, variables are taken one after the other, always
 * that which makes the leave-one-out error least, until none makes it less.
 * What is not taken has no weight.
 *
 * [1] B.-D. Lee, J. M. Schopf: Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#ifndef PREDICTOR_MODELS_WEIGHTS_H
#define PREDICTOR_MODELS_WEIGHTS_H

#include "predictor/models/lee_schopf/lee_schopf_points.h"
#include "predictor/stats/least_squares.h"

/* The value as the regression of logarithms has it: the logarithm (of 1 + the
 * value for loads) where all points are positive, else the share of the range.
 */
double weights_logarithm(const struct points *points, int slot, double value);

/* Find the variables that count, as a set of slots, and for each the factor by
 * which the run time changes over its range, as |ln|; 0 for the others.  The
 * greatest is 1.  `fits` is counted up by the regressions that were solved. */
uint32_t weights_learn(const struct points *points, struct regression *scratch,
		       float ret_weights[SLOTS], uint32_t *fits);

#endif
