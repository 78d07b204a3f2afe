/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spread.h - the distribution of run times around a model's median
 *
 * An error is ln(actual / predicted): twice too long and twice too short weigh
 * the same.  The last errors of a model on an application stand for what the
 * next one may be; as long as they are few, those of the model on all others,
 * or what the model says of itself.
 */
#ifndef PREDICTOR_ENSEMBLE_SPREAD_H
#define PREDICTOR_ENSEMBLE_SPREAD_H

#include "predictor/models/model.h"

struct spread;

struct spread *spread_create(void);    /* NULL: out of memory */
void spread_destroy(struct spread *s); /* NULL is allowed */

/* That row of models[] predicted median_s for a run of the query's application
 * that took runtime_s.  Both > 0.  That memory is missing only makes later
 * answers worse. */
void spread_note(struct spread *s, int model, const struct query *query,
		 double median_s, double runtime_s);

/* The distribution of ln(run time) around the answer of that row: atoms ascend,
 * weights sum to 1. */
void spread_around(const struct spread *s, int model, const struct query *query,
		   const struct model_result *answer, struct distribution *ret);

#endif
