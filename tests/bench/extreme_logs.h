/* SPDX-License-Identifier: GPL-2.0-or-later */
/* extreme_logs.h - job logs that no archive has, generated
 *
 * They show how far quantiles reach where nothing holds them back: there are no
 * limits and a few runs take a thousand times as long as most; or there are
 * limits, and batches of equal jobs outlive them; or one user submits a
 * thousand jobs at once beside others who are steady.
 */
#pragma once

#include "predictor/features/past_jobs.h"

struct extreme_log {
	const char *name;
	/* The same jobs at each call; cleared by the caller. */
	int (*make)(struct past_jobs *ret, struct sp_error *err);
	/* NULL, or the same without the jobs of user 0. */
	int (*make_others)(struct past_jobs *ret, struct sp_error *err);
};

extern const struct extreme_log extreme_logs[]; /* ends without a name */

/* Raise *widest to how much wider the quantiles of the other users are beside
 * user 0, and print it.  A log with make_others; its first `skip` jobs are not
 * measured. */
int extreme_log_widening(const struct extreme_log *log, size_t skip,
			 double *widest, struct sp_error *err);
