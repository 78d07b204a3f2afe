/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ratios.h - how far run times by a profile were off in past runs
 *
 * For past runs of a query's size and parameters, each under the conditions
 * that it had, the ratio of actual to predicted run time is taken.  The median
 * of the newest ratios corrects what is predicted for the query.
 */
#pragma once

#include "predictor/models/model.h"

#define RATIOS_MAX 9 /* the newest runs like the query */

struct ratios {
	int count;
	struct ratio {
		double ln; /* of actual over predicted run time */
		uint32_t job_id;
		float runtime_s;
	} of[RATIOS_MAX + 1]; /* in ascending order */
};

/* Return the run time of the query under a run's conditions, in seconds; NAN or
 * not above 0: it is not known. */
typedef double ratios_runtime(void *model, const struct query *query,
			      const struct history_run *run);

/* Find the ratios of the newest runs; *ret held none or others before. */
void ratios_find(struct ratios *ret, const struct history *h,
		 const struct query *q, ratios_runtime *runtime, void *model);

/* Add the run that the profile is of: it is predicted as it was. */
void ratios_add_own(struct ratios *r);

/* Multiply a run time by the median of the ratios, of which there is one at
 * least. */
double ratios_correct(const struct ratios *r, double runtime_s);

/* Set the spread of a result in ln(run time), if there are enough ratios. */
void ratios_spread(const struct ratios *r, struct model_result *ret);
