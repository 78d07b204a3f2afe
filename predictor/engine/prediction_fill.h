/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prediction_fill.h - what a prediction says of the job, and of the
 * models' verdict */
#pragma once

#include "predictor/ensemble/ensemble.h"
#include "predictor/features/prediction.h"
#include "predictor/features/submission.h"

/* Cut where there is too much: these are names for people and for matching.
 * `from` may be NULL. */
void prediction_text(char *to, size_t size, const char *from);

/* All that it says of the job itself; nothing is predicted yet.  cpus_per_node
 * 0: not known. */
void prediction_begin(const struct submission *job, uint32_t cpus_per_node,
		      struct prediction *ret);

/* Take what the models say, by p->quantile; who ran before, whose evidence it
 * is, is not in it (evidence_level.h). */
void prediction_take(struct prediction *p, const struct verdict *verdict);

/* Fill in why the prediction is unlike the runs of the same parameters, if it
 * is.  Called with the verdict that was made last. */
void prediction_take_unlike(struct ensemble *ensemble,
			    const struct subject *subject,
			    const struct verdict *verdict,
			    struct prediction *p);
