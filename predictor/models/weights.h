/* SPDX-License-Identifier: GPL-2.0-or-later */
/* weights.h - how much each variable influences the run time
 *
 * The filter of [1] section 2.2 needs "the importance of each variable with
 * respect to the run time".  It is found from the runs by forward selection in
 * a regression of logarithms: the variable that makes the leave-one-out error
 * least is added, until none lowers it.  Others have weight 0.
 *
 * [1] B.-D. Lee, J. M. Schopf: Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#pragma once

#include "predictor/models/lee_schopf/lee_schopf_points.h"
#include "predictor/stats/least_squares.h"

/* Return the value in the regression of logarithms: the logarithm (of 1 + the
 * value for loads) if all points are positive, else its position in the range,
 * 0 to 1. */
double weights_logarithm(const struct points *points, int slot, double value);

/* Find the variables that matter, as a set of slots, and for each |ln| of the
 * factor by which the run time changes over its range, scaled so that the
 * greatest is 1; 0 for the others.  Adds the number of regressions solved to
 * `fits`. */
uint32_t weights_learn(const struct points *points, struct regression *scratch,
		       float ret_weights[SLOTS], uint32_t *fits);
