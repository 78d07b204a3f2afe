/* backtest.h - what would have been said of jobs that have ended
 *
 * Replays a log through the very ensemble that predictd asks: each prediction
 * is made from what had ended before the submission, since nothing else has
 * been told by then.
 */
#ifndef PREDICTOR_BACKTEST_BACKTEST_H
#define PREDICTOR_BACKTEST_BACKTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "predictor/backtest/measures.h"
#include "predictor/base/error.h"
#include "predictor/features/prediction.h"
#include "predictor/features/subject.h"

#define BACKTEST_IN_RUN_S 600 /* a running job is asked about after these */

struct backtest_options {
	/* Jobs are measured if this many had ended at their submission: what
	 * nobody could know anything about says little about a model. */
	size_t skip;
	bool in_run; /* ask again at the start, too */
	void *context;
	/* Now and then; NULL: none wanted. */
	void (*progress)(void *context, size_t ended, size_t count);
};

/* Rows of what was said: what was told, then each of models[]. */
#define BACKTEST_TOLD 0

struct backtest {
	const struct past_job *jobs; /* the caller's */
	size_t count;
	size_t rows;

	/* By job; NAN: nothing was known. */
	bool *measured;
	float **said_s; /* of each row */
	float *high_s;  /* the quantile MEASURES_HIGH of what was told */
	float *left_s;  /* told after BACKTEST_IN_RUN_S: how long still; NAN
			   also: it had ended, or in_run was not wanted */

	/* Of measured jobs: how many stayed within prediction_knots[] as told
	 * (or within a limit that it was), of how many. */
	size_t within[PREDICTION_KNOTS], knots_told;

	double cpu_s; /* of the replay, by this thread */
};

/* Name of a row: "told", or as models[] says. */
const char *backtest_row_name(size_t row);

/* How many to skip in a log of that many jobs, if nobody says. */
size_t backtest_skip(size_t count);

/* Replay jobs[count], which are lent until backtest_clear(). */
int backtest_run(const struct past_job *jobs, size_t count,
		 const struct backtest_options *options, struct backtest *ret,
		 struct sp_error *err);
void backtest_clear(struct backtest *backtest); /* frees */

double backtest_runtime_s(const struct past_job *job);

/* What was said of a job in a row, to be measured. */
struct measures_sample backtest_sample(const struct backtest *backtest,
				       size_t row, size_t job);

/* Measure a row on those of positions[count] (NULL: on all jobs) that are to
 * be measured. */
int backtest_measure(const struct backtest *backtest, size_t row,
		     const size_t *positions, size_t count,
		     struct measures *ret, struct sp_error *err);

/* Mean absolute error of the time left after BACKTEST_IN_RUN_S, over its mean,
 * of the measured jobs that ran longer: as told, and by `row` less the time
 * gone.  NAN: no such job. */
void backtest_in_run(const struct backtest *backtest, size_t row,
		     double *ret_told, double *ret_row);

#endif
