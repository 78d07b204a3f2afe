/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ensemble.h - all models together: which one is believed, and how sure it is
 *
 * Holds the history, the models with what they have learned, each model's
 * record, and the calibration of quantiles.  Knows nothing of nodes, stores,
 * wires or the clock: the caller gives the time.  predictd and the backtest
 * both predict through it, so that what a backtest shows is what a site gets.
 * It cannot look ahead: it only receives what has happened.
 *
 * One thread at a time.  Predicting allocates nothing.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/prediction.h"
#include "predictor/features/subject.h"
#include "predictor/ensemble/outside.h"
#include "predictor/ensemble/similar_runs.h"
#include "predictor/models/model.h"

struct ensemble;

struct ensemble *ensemble_create(void); /* NULL: out of memory */
void ensemble_destroy(struct ensemble *ensemble);

/* Before anything was learned: begin with what models have learned elsewhere,
 * as the second one gives it (mixture_start.h has the format), instead of
 * what comes with the program.  Fails on a text that is none; nothing was
 * changed then. */
int ensemble_set_start(struct ensemble *ensemble, const char *text, size_t size,
		       struct sp_error *err);
/* The caller frees; NULL: out of memory. */
char *ensemble_print_learned(const struct ensemble *ensemble, size_t *ret_size);

/* Return what the ensemble has seen; valid until the next ensemble_end(). */
const struct history *ensemble_history(const struct ensemble *ensemble);

/* Where models find the profile of a job (lent, NULL: nowhere). */
struct profiles;
void ensemble_set_profiles(struct ensemble *ensemble,
			   const struct profiles *profiles);

/* The result of one prediction. */
struct verdict {
	int model; /* position in models[], -1: nothing is known */
	enum prediction_basis basis;
	double median_s;
	uint32_t runs;
	double last_error; /* of the model on this application, as in struct
			      prediction */
	/* Calibrated quantiles at prediction_knots[]; NAN: nothing known. */
	double knots_s[PREDICTION_KNOTS];
	double levels[PREDICTION_LEVELS]; /* as in struct prediction */
	/* None is longer, wherever the job runs: its limit, or all that the
	 * cluster has seen (time_bounds.h). */
	double most_s;
	double limit_chance; /* that it reaches its limit; NAN: it has none */
	/* The estimate of each row of models[]; NAN: not evaluated, or without
	 * an estimate. */
	int candidates_count;
	double candidates_s[MODELS_MAX];
	struct similar_runs similar;
	struct outside outside;
	bool unbounded; /* the quantiles are no better than a guess */
	int evidence_count;
	struct evidence evidence[EVIDENCE_MAX];
};

/* Predict the run time of `subject` under `conditions` (assumed, or those of
 * its nodes), at now_s.  With a ticket that was not used before, this is the
 * job's submission: the prediction is kept until the job's end, and judged
 * then.  With a ticket in use, it is predicted again (as when the job starts).
 * Ticket 0: without consequence. */
void ensemble_predict(struct ensemble *ensemble, const struct subject *subject,
		      const struct conditions *conditions, double now_s,
		      uint64_t ticket, struct verdict *ret);

/* Why that verdict, the last one made, is far from all runs of the same
 * application and parameters, which are given in `ret_runs`: the change of the
 * query that brings the believed model near them. */
enum prediction_unlike ensemble_unlike(struct ensemble *ensemble,
				       const struct subject *subject,
				       const struct conditions *conditions,
				       double now_s,
				       const struct verdict *verdict,
				       struct runs_of_parameters *ret_runs);

/* The job of that ticket has started: its quantiles are watched from now. */
void ensemble_start(struct ensemble *ensemble, uint64_t ticket,
		    double started_at_s);

/* Nobody knows how the run of that ticket ended, if it has: it is not in flight
 * any more, nor are its quantiles watched.  Its end may still come. */
void ensemble_lose(struct ensemble *ensemble, uint64_t ticket);

/* A run has ended; ticket 0: nothing was predicted for it.  Called in the order
 * of ends.  Fails when memory ran out; nothing was changed then. */
int ensemble_end(struct ensemble *ensemble, uint64_t ticket,
		 const struct past_job *job, struct sp_error *err);

/* Return the p-quantile of the run time, 0 < p < 1, between the knots
 * interpolated; and of the time still to go after `elapsed_s`, given that it
 * has not ended by then.  NAN: nothing is known.  Up to its median the latter
 * is read off the distribution as it was before calibration, if `levels` (may
 * be NULL) say that: on whole logs the error is 1 % less. */
double verdict_quantile(const double knots_s[PREDICTION_KNOTS], double p);
double verdict_remaining(const double knots_s[PREDICTION_KNOTS],
			 const double levels[PREDICTION_LEVELS],
			 double elapsed_s, double p);

/* Return the probability that the run ends within elapsed_s; knots_s
 * are known. */
double verdict_probability(const double knots_s[PREDICTION_KNOTS],
			   double elapsed_s);
