/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_coverage.h - for which jobs of a log the 90 % holds */
#pragma once

#include "predictor/backtest/backtest.h"

#define BATCH      60
#define FIRST_RUNS 2
#define SHORT_S    60

struct user_coverage {
	double by_users; /* coverage where each user weighs the same */
	double batches;  /* share of jobs that were submitted while BATCH or
			    more of their user, themselves among them, were in
			    flight */
	/* Jobs that were submitted when less than FIRST_RUNS of their
	 * application had ended, and those within their 0.9-quantile. */
	double first, first_covered;
	/* The same of jobs that were predicted to run for less than SHORT_S;
	 * and the sum of ln(0.9-quantile / median). */
	double short_jobs, short_covered, short_ln_width;
};

/* Find these of the measured jobs. */
void user_coverage(const struct backtest *b, struct user_coverage *ret);
