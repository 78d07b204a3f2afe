/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outside.h - how far a job is from all that its application has run
 *
 * A job is outside where its size or a parameter is beyond all runs, or where a
 * trait has a value that no run had.  How wrong models may be there, their
 * errors inside don't tell: the width grows with what the models disagree
 * about, with the distance, and with how little of a parameter's effect the
 * runs have shown.
 */
#pragma once

#include "predictor/features/prediction.h"
#include "predictor/models/history.h"
#include "predictor/models/query.h"

struct outside {
	/* So far that the runs are not like the job: size or parameters, or a
	 * new value of a trait. */
	bool extrapolated;
	uint32_t new_trait; /* its name's hash; 0: each value has run */
	bool new_size;      /* it has runs, none with as many nodes and tasks */

	/* These are of all runs with such parameters: */
	uint32_t runs;
	double shortest_s, longest_s; /* the newest of these */

	/* The parameters beyond them, and the tasks: by how much, and how much
	 * of these the runs span, as logarithms. */
	int count, parameters; /* these first, then the tasks */
	struct outside_variable {
		double distance, span;
	} of[PARAMETERS_MAX + 1];
	double farthest; /* distance of these; 0: none is outside */

	char text[PREDICTION_OUTSIDE_SIZE]; /* "steps 3000, 200 to 600 seen" */
};

/* On the path of each prediction: visits a bounded number of runs. */
void outside_find(const struct history *h, const struct subject *subject,
		  const struct query *query, struct outside *ret);

/* What another size does is known: the tasks are not outside. */
void outside_forget_size(struct outside *outside);

/* Widen the quantiles around median_s.  `least_s` and `most_s` are the models'
 * answers that differ most; `trait_sigma` is the standard deviation of ln(run
 * time) that a new value of the trait has had, NAN: not known.  False: nothing
 * bounds the run time, and no quantile is better than a guess. */
bool outside_widen(const struct outside *outside, double least_s, double most_s,
		   double trait_sigma, double median_s,
		   double knots_s[PREDICTION_KNOTS]);
