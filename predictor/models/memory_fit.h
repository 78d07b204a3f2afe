/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory_fit.h - how the peaks of memory of runs follow their parameters */
#pragma once

#include "predictor/features/parameters.h"

#define MEMORY_FIT_RUNS 20

struct memory_fit_run {
	const struct parameters *parameters; /* lent, named as the job's */
	double peak_mb; /* > 0; NAN: it gets a scale alone */
};

struct memory_fit {
	/* The peak of each run times this is one of the job; the greatest of
	 * all times the margin is enough for 98 % of such jobs.  NAN: peaks do
	 * not follow the parameters, and there are no scales. */
	double scales[MEMORY_FIT_RUNS];
	double margin;
	/* By which factor a parameter of the job differs from what the samples
	 * had, among those that may count; 1: none is out of their range. */
	double beyond;
};

/* Find out how the peaks of runs[count], two known at least, follow the
 * parameters; count <= MEMORY_FIT_RUNS. */
void memory_fit_find(const struct parameters *job,
		     const struct memory_fit_run runs[], size_t count,
		     struct memory_fit *ret);
