/* reply_sets.h - node sets in replies */
#ifndef PREDICTOR_HTTP_REPLY_SETS_H
#define PREDICTOR_HTTP_REPLY_SETS_H

#include "predictor/engine/snapshots.h"
#include "predictor/http/request.h"

/* Add the best sets for the job of a prediction just made below "sets"; null:
 * they are not known yet, ask again in a moment.  A status. */
int sets_add_best(struct request *r, const struct prediction *p,
		  const struct submission *job, uint32_t max);

/* Add what was rejected when the job of that prediction started below
 * "rejected_set"; null: it is not known.  0, or a status. */
int sets_add_rejected(struct request *r, const char *prediction_id);

#endif
