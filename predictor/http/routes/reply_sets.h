/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_sets.h - node sets in replies */
#pragma once

#include "predictor/engine/nodes/node_sets.h"
#include "predictor/http/request.h"

/* Add "sets", the best node sets for the job of a new prediction; null: not
 * known yet, the client may try again soon; none if the client may not see the
 * state of nodes.  Returns a status. */
int sets_add_best(struct request *r, const struct prediction *p,
		  const struct submission *job, uint32_t max);

/* Add "rejected_set", the best set that the scheduler did not use when the job
 * of that prediction started; null: not known.  0, or a status. */
int sets_add_rejected(struct request *r, const char *cluster,
		      const char *prediction_id);
