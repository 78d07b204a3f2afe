/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fresh.h - models of jobs that are too new for a snapshot
 *
 * From the plugin job_submit/predict, if that is loaded in this process
 * (recent_models.h).
 */
#pragma once

#include "plugin/site/recent_models.h"
#include "predictor/snapshot/placement_model.h"

/* Search for it at this interval, in seconds, until it is found. */
#define FRESH_SEARCH_S 10.0

/* All zero: not searched yet.  For one thread at a time. */
struct fresh {
	recent_models_fn *lookup; /* stays in memory once it is found */
	double next_search_s;
};

/* Find the model of a prediction by the 16 hexadecimal digits of its id, which
 * need not be terminated.  No I/O.  -1: there is none. */
int fresh_model(struct fresh *fresh, const char *id,
		struct placement_model *ret);
