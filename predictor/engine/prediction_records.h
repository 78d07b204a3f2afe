/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prediction_records.h - the last predictions, by id and stage */
#pragma once

#include "predictor/engine/records.h"
#include "predictor/features/prediction.h"
#include "predictor/features/run.h"

/* The oldest are dropped beyond these. */
#define PREDICTIONS_MAX       65536
#define PREDICTIONS_BYTES_MAX (48u << 20)

struct records *predictions_create(void); /* NULL: out of memory */

/* Give `p`, whose time is known, an id that no other has: 16 hexadecimal
 * digits, of which the first 4 follow the time. */
void predictions_name(const struct records *predictions, struct prediction *p);

/* Keep a copy; one that is known is left as it is, but for an older one of a
 * waiting job.  -1: out of memory. */
int predictions_put(struct records *predictions, const struct prediction *p);

/* Keep a copy instead of what is known; out of memory: that stays. */
void predictions_replace(struct records *predictions,
			 const struct prediction *p);

/* Return -1 if there is none. */
int predictions_get(const struct records *predictions, const char *id,
		    enum prediction_stage stage, struct prediction *ret);

/* Return whether the prediction that the run names is known to be of another
 * user or cluster: somebody wrote its id into his own job. */
bool predictions_is_foreign(const struct records *predictions,
			    const struct run *run);

/* Find the prediction made for this run, at its submission.  An id is only a
 * text that the job carries: the prediction must be of the same user, on the
 * same cluster.  -1: there is none. */
int predictions_of_run(const struct records *predictions, const struct run *run,
		       struct prediction *ret);
