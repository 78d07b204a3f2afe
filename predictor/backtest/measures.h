/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measures.h - errors of predicted run times
 *
 * As in the literature on these logs: errors in seconds, accuracy as a share of
 * one [1], and the pinball loss for quantiles [2].
 *
 * [1] D. Tsafrir, Y. Etsion, D. G. Feitelson: Backfilling Using
 *     System-Generated Predictions Rather than User Runtime Estimates, IEEE
 *     TPDS 18 (2007) 789-803, section 2.
 * [2] R. Koenker, G. Bassett: Regression Quantiles, Econometrica 46 (1978)
 *     33-50.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define MEASURES_HIGH 0.9 /* the quantile that is measured */

/* A job and its prediction. */
struct measures_sample {
	double runtime_s;   /* as it ran, > 0 */
	double limit_s;     /* NAN or HUGE_VAL: none */
	double predicted_s; /* predicted; NAN: it was not */
	double high_s;      /* the quantile; NAN: not predicted */
};

/* NAN: no sample. */
struct measures {
	size_t asked;          /* jobs in all */
	size_t jobs;           /* with a prediction; the rest is on these */
	double runtime_s;      /* mean */
	double mae_s;          /* mean absolute error */
	double mae;            /* the same, over the mean run time */
	double median_error_s; /* of the absolute errors */
	double accuracy;       /* mean of min(p, r) / max(p, r) */
	double underestimates; /* share of jobs that ran too long */

	/* These are of the quantile. */
	double coverage; /* share of jobs that ran no longer, or whose limit it
			    was: more cannot be said */
	double width;    /* mean, over the mean run time */
	double pinball;  /* mean loss, over the mean run time */
};

/* Return whether the job stayed within the quantile, or that was its limit. */
bool measures_covers(const struct measures_sample *sample);

/* Measure samples[count]; `room` is for as many numbers. */
void measures_of(const struct measures_sample *samples, size_t count,
		 double *room, struct measures *ret);
