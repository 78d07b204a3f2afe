/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit_told.h - whether jobs reach their limits as often as was predicted */
#pragma once

#include "predictor/backtest/backtest.h"

#define LIMIT_TOLD_BINS 3 /* chances within .05 of .1, .3 and .5 */

struct limit_told {
	double jobs[LIMIT_TOLD_BINS];
	double told[LIMIT_TOLD_BINS];    /* sum of the chances */
	double reached[LIMIT_TOLD_BINS]; /* jobs */
	/* Over logs, the mean of -ln(probability of what happened); and of what
	 * the share of all jobs of the log that did would get. */
	double logs, score, score_share;
};

/* Add the measured jobs with a limit. */
void limit_told_add(const struct backtest *b, struct limit_told *sum);

/* Print the bars. */
void limit_told_print(const struct limit_told *sum);
