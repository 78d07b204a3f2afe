/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crps.c - score of a predicted distribution, and its slope by the weights */
#include <math.h>

#include "predictor/stats/crps.h"

double crps(const float *z, const float *w, int n, double y, float *ret_slope)
{
	/* sum_j w_j |z_i - z_j| from sums over the atoms below and above. */
	double W = 0, Z = 0; /* over all: of w, of w z */

	for (int i = 0; i < n; i++) {
		W += (double)w[i];
		Z += (double)w[i] * (double)z[i];
	}

	double below_w = 0, below_z = 0, mean_e = 0, score = 0;

	for (int i = 0; i < n; i++) {
		double wi = (double)w[i], zi = (double)z[i];
		double spread = zi * below_w - below_z + (Z - below_z) -
				zi * (W - below_w);
		double off = fabs(zi - y);

		score += wi * (off - spread / 2);
		mean_e += wi * (off - spread);
		if (ret_slope)
			ret_slope[i] = (float)(off - spread);
		below_w += wi;
		below_z += wi * zi;
	}
	for (int i = 0; ret_slope && i < n; i++)
		ret_slope[i] = w[i] * (float)((double)ret_slope[i] - mean_e);
	return score;
}
