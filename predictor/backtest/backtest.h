/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backtest.h - predictions for the jobs of a log, as they would have been made
 *
 * Replays a log through the ensemble that predictd uses: each prediction is
 * made from the jobs that had ended before the submission.
 */
#pragma once

#include "predictor/backtest/measures.h"
#include "predictor/base/error.h"
#include "predictor/features/prediction.h"
#include "predictor/features/subject.h"

#define BACKTEST_IN_RUN_S 600 /* a running job is predicted again after these */

struct backtest_options {
	/* Jobs are measured if this many had ended at their submission: the
	 * first jobs of a log say little about a model. */
	size_t skip;
	bool in_run; /* predict again at the start, too */
	/* What models begin with, as of ensemble_set_start(); NULL: what comes
	 * with the program. */
	const char *start;
	void *context;
	/* Called now and then; NULL: not called. */
	void (*show_progress)(void *context, size_t ended, size_t count);
};

/* Rows of predictions: what predictd chooses, then each of models[]. */
#define BACKTEST_CHOSEN 0

struct backtest {
	const struct past_job *jobs; /* the caller's */
	size_t count;
	size_t rows;

	/* By job; NAN: no prediction. */
	bool *measured;
	float **predicted_s; /* of each row */
	float *high_s;       /* the quantile MEASURES_HIGH of the prediction */
	float *limit_chance; /* that the job reaches its limit */
	float *again_s; /* of predicted_s of BACKTEST_CHOSEN, predicted again at
			   the start; NAN without in_run */
	float *left_s;  /* the time left, predicted after BACKTEST_IN_RUN_S;
			   NAN also if it had ended, or without in_run */

	/* Measured jobs that stayed within each predicted quantile of
	 * prediction_knots[] (or within a limit equal to it), of
	 * knots_count. */
	size_t within[PREDICTION_KNOTS], knots_count;

	char *learned; /* as of ensemble_print_learned(); NULL: no memory */
	double cpu_s;  /* of the replay, by this thread */
};

/* Name of a row: "predicted" (what users were shown), or that of the model. */
const char *backtest_row_name(size_t row);

/* Return the default of `skip` for a log of that many jobs. */
size_t backtest_skip(size_t count);

/* Replay jobs[count], which are lent until backtest_clear(). */
int backtest_run(const struct past_job *jobs, size_t count,
		 const struct backtest_options *options, struct backtest *ret,
		 struct sp_error *err);
void backtest_clear(struct backtest *backtest); /* frees */

double backtest_runtime_s(const struct past_job *job);

/* Return what a row predicted for a job, to be measured. */
struct measures_sample backtest_sample(const struct backtest *backtest,
				       size_t row, size_t job);

/* Measure a row on those of positions[count] (NULL: on all jobs) that are to
 * be measured. */
int backtest_measure(const struct backtest *backtest, size_t row,
		     const size_t *positions, size_t count,
		     struct measures *ret, struct sp_error *err);
