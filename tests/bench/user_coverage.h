/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_coverage.h - whether the 90 % holds for each user of a job log */
#pragma once

#include "predictor/backtest/backtest.h"

#define BATCH 60

/* Find the coverage of the 0.9-quantile where each user weighs the same, and
 * the share of jobs that were submitted while BATCH or more of their user,
 * themselves among them, were in flight. */
void user_coverage(const struct backtest *b, double *ret_coverage,
		   double *ret_batches);
