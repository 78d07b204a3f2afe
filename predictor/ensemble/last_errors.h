/* SPDX-License-Identifier: GPL-2.0-or-later */
/* last_errors.h - the last errors of applications, and of models on them
 *
 * An error is ln(actual / predicted).  Has no lock of its own.
 */
#pragma once

#include "predictor/base/index.h"

/* Errors that are remembered of a key. */
#define LAST_ERRORS 16

struct errors {
	uint64_t key; /* of the application */
	int model;
	uint32_t count; /* ever: the next one is last[count % LAST_ERRORS] */
	float last[LAST_ERRORS];
};

/* All zero: empty. */
struct last_errors {
	uint32_t count, capacity;
	struct errors *of; /* positions stay */
	struct index index;
};

void last_errors_clear(struct last_errors *errors);

/* Find the errors of a model on an application; NULL: there are none, or the
 * key is 0. */
struct errors *last_errors_find(const struct last_errors *errors, int model,
				uint64_t key);

/* Likewise, but begin where there are none.  NULL: out of memory, or the key
 * is 0. */
struct errors *last_errors_get(struct last_errors *errors, int model,
			       uint64_t key);
