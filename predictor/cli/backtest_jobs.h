/* backtest_jobs.h - where the jobs of a backtest come from */
#ifndef PREDICTOR_CLI_BACKTEST_JOBS_H
#define PREDICTOR_CLI_BACKTEST_JOBS_H

#include <stdint.h>

#include "predictor/cli/cli.h"
#include "predictor/features/past_jobs.h"

/* A file; neither: the history of predictd. */
struct backtest_source {
	const char *swf, *sacct;
};

/* Its name, for people. */
const char *backtest_source_name(const struct backtest_source *source);

/* Read all jobs; *ret_cpus are those of the machine, 0: not told.  The caller
 * clears *ret.  Fails if there is no job. */
int backtest_read(struct cli *cli, const struct backtest_source *source,
		  struct past_jobs *ret, uint32_t *ret_cpus,
		  struct sp_error *err);

#endif
