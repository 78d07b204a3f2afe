/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_record.h - how well predicted starts have held, and what follows
 *
 * Simulated starts are too early where jobs are submitted that overtake, and
 * too late or too sure in other ways.  The record has, for the last jobs that
 * have started, by how many widths of the interval the start missed each of its
 * ends; the interval that is predicted is moved so that START_INTERVAL of
 * these would have been inside: Y. Romano, E. Patterson, E. Candes,
 * Conformalized Quantile Regression, NeurIPS 2019, with both ends apart.  As
 * the latest starts come last into the record, it is too sure at first: how
 * much of the record an end is to cover follows what was missed: I. Gibbs, E.
 * Candes, Adaptive Conformal Inference Under Distribution Shift, NeurIPS 2021.
 * It begins with what was missed at other sites, which later starts of the site
 * itself replace.
 *
 * Plain data without pointers; zeroed, it knows nothing.  One thread at a time.
 */
#pragma once

#include "predictor/scheduler/start_times.h"

#define START_RECORD_SIZE 400

/* Classes by the simulated median: up to 5 min, 1 h, 6 h, and over. */
#define START_CLASSES 4

struct start_misses {
	int count, next; /* a ring */
	/* In widths: above high, below low. */
	double high[START_RECORD_SIZE], low[START_RECORD_SIZE];
};

struct start_record {
	struct start_misses classes[START_CLASSES];
	/* What the ends are to cover beyond the half of START_INTERVAL. */
	double more_high, more_low;
	uint64_t judged, within; /* predicted intervals, and those that held */
};

/* Misses of each class: quantiles at (i + 0.5) / START_PRIOR_LEVELS. */
#define START_PRIOR_LEVELS 20

struct start_prior {
	double high[START_CLASSES][START_PRIOR_LEVELS];
	double low[START_CLASSES][START_PRIOR_LEVELS];
};

/* Begin with that; NULL: with what comes with the program. */
void start_record_init(struct start_record *record,
		       const struct start_prior *prior);

/* Find by how many widths a start missed the ends, and its class. */
int start_record_miss(const struct start_time *simulated, double actual_s,
		      double *ret_high, double *ret_low);

/* A job started `actual_s` after the simulation that gave *simulated, and
 * the interval that was shown from it. */
void start_record_add(struct start_record *record,
		      const struct start_time *simulated,
		      const struct start_time *told, double actual_s);

/* Return the interval to show: as simulated where little is known yet. */
struct start_time start_record_apply(const struct start_record *record,
				     const struct start_time *simulated);
