/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knots_mix.h - a prediction over several node sets of which one will
 * be given */
#pragma once

#include "predictor/features/prediction.h"

/* Replace the quantiles knots_s of a run time T by those of the mixture that is
 * ratios[i] * T with probability weights[i], which add up to 1, and none beyond
 * most_s, where the job is killed (HUGE_VAL: it is not).  Takes some
 * microseconds for each set; nothing is done where all ratios are nearly 1, or
 * nothing is known. */
void knots_mix(double knots_s[PREDICTION_KNOTS], int count,
	       const double weights[], const double ratios[], double most_s);
