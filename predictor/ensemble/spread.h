/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spread.h - the distribution of run times around a model's median
 *
 * An error is ln(actual / predicted): twice too long and twice too short weigh
 * the same.  The last errors of a model on an application stand for what the
 * next one may be; as long as they are few, those of the model on all others,
 * or what the model says of itself.
 */
#pragma once

#include "predictor/models/model.h"

struct spread;

struct spread *spread_create(void);    /* NULL: out of memory */
void spread_destroy(struct spread *s); /* NULL is allowed */

/* Note that a row of models[] predicted median_s for a run that took
 * runtime_s, both > 0.  `key`: its application, or what else runs have
 * in common; 0: nothing.  That memory is missing only makes later
 * answers worse. */
void spread_note(struct spread *s, int model, uint64_t key, double median_s,
		 double runtime_s);

/* Find the distribution of ln(run time) around the answer of that row: atoms
 * ascend, weights sum to 1. */
void spread_around(const struct spread *s, int model, uint64_t key,
		   const struct model_result *answer, struct distribution *ret);

/* Return the standard deviation of the row's errors; NAN: too few
 * are known. */
double spread_sigma(const struct spread *s, int model, uint64_t key);
