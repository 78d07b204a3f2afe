/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calibration.h - quantiles that hold what they promise
 *
 * What a distribution calls its 0.9-quantile is passed by a tenth of the jobs
 * only if the distribution is right.  So the engine keeps, for each of a few
 * probabilities p, the level tau at which distributions must be read so that a
 * share p of all jobs ends within: it is lowered a little whenever a job did,
 * and raised whenever one did not [1].  Levels between are interpolated; the
 * median stays what it is.  Levels beyond 0.98, where a distribution of a
 * hundred atoms ends, stretch it.
 *
 * That a job went on is known when it passes the quantile, long before its end:
 * those under way are kept in a heap by the next time at which one does, so
 * that long jobs count in time.
 *
 * [1] I. Gibbs, E. Candes: Adaptive Conformal Inference Under Distribution
 *     Shift, NeurIPS 2021, eq. (2).
 */
#pragma once

#include "predictor/features/prediction.h"
#include "predictor/stats/distribution.h"

#define CALIBRATION_LEVELS PREDICTION_LEVELS /* probabilities watched */
#define CALIBRATION_GROUPS 32 /* of predictions with similar errors */
/* Added to the group of a job whose user has many runs, and of one in a batch:
 * until the first of these is watched, levels are those of the group without
 * it. */
#define CALIBRATION_KNOWN 8
#define CALIBRATION_BATCH 16

struct calibration;

/* For as many jobs under way, known by a number below it.  NULL: out of
 * memory. */
struct calibration *calibration_create(uint32_t jobs_max);
void calibration_destroy(struct calibration *c); /* NULL is allowed */

/* Quantiles at prediction_knots[] of a distribution of ln(seconds), whose atoms
 * ascend and have weights that sum to 1: ascending, none beyond `most_s`
 * (HUGE_VAL: no bound), and `median_s` in the middle. */
void calibration_read(const struct calibration *c, int group,
		      const struct distribution *ln_runtime, double median_s,
		      double most_s, double ret_knots_s[PREDICTION_KNOTS]);

/* Get the levels at which the watched quantiles of that group are read. */
void calibration_levels(const struct calibration *c, int group,
			double ret[CALIBRATION_LEVELS]);
/* Get the probabilities, ascending, of quantiles that were read at such levels:
 * above the median those of the distribution itself, as if it had not been
 * calibrated. */
void calibration_undo(const double levels[CALIBRATION_LEVELS],
		      double ret[PREDICTION_KNOTS]);

/* Judge that job by these quantiles from now on; those at `limit_s` can't be
 * passed (HUGE_VAL: all can).  It moves the levels at `pace`, 1 or less: a
 * batch of one user must not widen everybody's quantiles (query_pace()). */
void calibration_watch(struct calibration *c, uint32_t job, int group,
		       double pace, const double knots_s[PREDICTION_KNOTS],
		       double limit_s);
/* The job runs. */
void calibration_start(struct calibration *c, uint32_t job,
		       double started_at_s);
/* Go on to now_s: some jobs have passed their quantiles. */
void calibration_advance(struct calibration *c, double now_s);
/* The job has ended, or (`runtime_s` is NAN) its end will never be known. */
void calibration_end(struct calibration *c, uint32_t job, double runtime_s);
/* The job was cancelled, and would have run longer: lower quantiles that it
 * passed count, upper ones do not, passed or not, as it may have hung. */
void calibration_cancel(struct calibration *c, uint32_t job, double runtime_s);
