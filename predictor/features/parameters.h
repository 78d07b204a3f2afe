/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parameters.h - the numbers that a user gave to an application
 *
 * A small set of named numbers, sorted by name, so that two sets with the same
 * names line up entry by entry.
 */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"

#define PARAMETERS_MAX      16
#define PARAMETER_NAME_SIZE 32

struct parameter {
	char name[PARAMETER_NAME_SIZE];
	double value; /* finite */
};

struct parameters {
	int count;
	struct parameter of[PARAMETERS_MAX];
};

/* Add a parameter, or give one that is there a new value.  Names are made of
 * letters, digits and "_.-", begin with a letter, digit or '_', and are cut at
 * their size.  A secret (secret.h), as a PIN, is left out.  Fails on a bad
 * name, a value that is not finite, or a full set. */
int parameters_set(struct parameters *set, const char *name, double value,
		   struct sp_error *err);

/* Does nothing if there is none of that name. */
void parameters_remove(struct parameters *set, const char *name);

/* Return NULL if there is none of that name. */
const double *parameters_get(const struct parameters *set, const char *name);

/* Return whether both sets have the same names. */
bool parameters_alike(const struct parameters *a, const struct parameters *b);

/* Return whether they have the same values, too. */
bool parameters_equal(const struct parameters *a, const struct parameters *b);
