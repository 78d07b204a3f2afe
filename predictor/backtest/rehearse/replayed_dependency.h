/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replayed_dependency.h - jobs of a log that wait for other ones */
#pragma once

#include "predictor/backtest/rehearse/replayed_jobs.h"

#define REPLAYED_DEPENDENCY_SIZE 4096 /* in Slurm's ids */

/* Return whether a job's user submits it when another job of the window has
 * ended; `context` are the struct replayed_jobs.  For job_order_create(). */
bool replayed_hold(const void *context, size_t job);

/* Submit those of them whose time has come. */
void replayed_release(struct replayed_jobs *r, double now_s);

/* Return the latest submission that this next job has to wait for; -1:
 * of none. */
double replayed_wait_s(const struct replayed_jobs *r, size_t job);

/* Print what is left of a job's dependency, in Slurm's ids; empty: nothing. */
void replayed_dependency(struct replayed_jobs *r, size_t job,
			 char ret[REPLAYED_DEPENDENCY_SIZE]);
