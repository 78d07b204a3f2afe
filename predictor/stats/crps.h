/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crps.h - score of a predicted distribution, and its slope by the weights
 *
 * The continuous ranked probability score of weighted atoms z_i, w_i (the
 * weights sum to 1) for an outcome y [1, eq. (20)]:
 *
 *	CRPS = sum_i w_i |z_i - y| - 1/2 sum_ij w_i w_j |z_i - z_j|
 *
 * It is 0 for a single atom at y, |z - y| for one elsewhere, and least in
 * expectation for the true distribution.
 *
 * [1] T. Gneiting, A. E. Raftery: Strictly Proper Scoring Rules, Prediction,
 *     and Estimation, J. Amer. Stat. Assoc. 102 (2007) 359-378.
 */
#pragma once

/* The score of z[n], ascending, w[n]; and, unless ret_slope is NULL, its slope
 * in s_i where w = softmax(s):
 *	ret_slope[i] = w_i (e_i - sum_j w_j e_j),
 *	e_i = |z_i - y| - sum_j w_j |z_i - z_j| */
double crps(const float *z, const float *w, int n, double y, float *ret_slope);
