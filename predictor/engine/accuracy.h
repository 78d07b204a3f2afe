/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accuracy.h - how right each model has been, user by user
 *
 * Sums over the runs that are in memory, for people; the choice among models
 * has its own record.  Models are known by their position in models[].
 */
#pragma once

#include "predictor/models/model.h"

#define ACCURACY_CHOSEN (-1) /* instead of a model: what predictd chose */

struct accuracy;

struct accuracy *accuracy_create(void);    /* NULL: out of memory */
void accuracy_destroy(struct accuracy *a); /* NULL is allowed */

/* `model` had predicted predicted_s, and a quantile that the run was within
 * (`covered`, which counts only for ACCURACY_CHOSEN).  Both times > 0.  -1: out
 * of memory, nothing changed. */
int accuracy_note(struct accuracy *a, int model, uint32_t user_id,
		  double predicted_s, bool covered, double actual_s);

struct accuracy_sums {
	uint32_t runs, covered;
	double error_s; /* of |predicted - actual| */
	double actual_s;
};

/* Over the runs of that user; UINT32_MAX: all. */
void accuracy_sum(const struct accuracy *a, int model, uint32_t user_id,
		  struct accuracy_sums *ret);
