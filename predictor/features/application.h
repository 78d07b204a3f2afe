/* SPDX-License-Identifier: GPL-2.0-or-later */
/* application.h - what makes runs similar, and what distinguishes them
 *
 * Found in what was submitted by script/identify.h.
 */
#pragma once

#include "predictor/features/parameters.h"
#include "predictor/features/traits.h"

#define APPLICATION_NAME_SIZE 96

struct application {
	char name[APPLICATION_NAME_SIZE]; /* never empty */
	struct parameters parameters;
	char traits[TRAITS_SIZE];
};

/* Put marks for secrets (secret.h); a number that is one becomes 0.  What is
 * stored may be older than the gate. */
void application_mask(struct application *application);

/* Add the parameters and traits of `weak` that are not there; those that do not
 * fit are left out. */
void application_merge(struct application *strong,
		       const struct application *weak);

/* Add those of another program of the job: those whose names are there with
 * another value as NAME.2. */
void application_join(struct application *to, const struct application *other);
