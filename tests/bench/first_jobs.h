/* SPDX-License-Identifier: GPL-2.0-or-later */
/* first_jobs.h - what is predicted of a site's first jobs, beside simple rules
 */
#pragma once

#include "predictor/backtest/backtest.h"

#define FIRST_JOBS      1000
#define FIRST_JOBS_LOGS 64

struct first_jobs {
	size_t logs;
	double ratio[FIRST_JOBS_LOGS];
};

/* Add the mean absolute error of the log's first jobs, as predicted, over that
 * of the better of two rows; each is compared over the jobs for which it has a
 * number.  Prints it. */
void first_jobs_add(const struct backtest *b, size_t limit, size_t avg2,
		    struct first_jobs *sum);

/* Print the bar: the median over logs. */
void first_jobs_print(struct first_jobs *sum);
