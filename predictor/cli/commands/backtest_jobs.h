/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backtest_jobs.h - the jobs of a backtest, from a file or the history */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/features/past_jobs.h"

/* At most one is set; none: the history of predictd. */
struct backtest_source {
	const char *swf, *sacct;
};

/* Return its name for the report. */
const char *backtest_source_name(const struct backtest_source *source);

/* Read all jobs.  *ret_cpus: CPUs of the machine; 0: not known.  The caller
 * clears *ret.  Fails if there is no job. */
int backtest_read(struct cli *cli, const struct backtest_source *source,
		  struct past_jobs *ret, uint32_t *ret_cpus,
		  struct sp_error *err);
