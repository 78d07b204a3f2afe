/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_prediction.h - predictions in replies, as far as the client may
 * see them
 *
 * The runs that a prediction rests on ("evidence": job ids and run times) may
 * be of other users.  Operators see all of them, others their own only; how
 * many there are ("runs") everybody sees.
 */
#pragma once

#include "predictor/features/prediction.h"
#include "predictor/http/request.h"
#include "predictor/wire/wire.h"

/* Return the prediction as JSON; NULL: out of memory. */
struct json_object *prediction_encode(const struct request *r,
				      const struct prediction *p);

/* Add the prediction to the reply, or null if there is none (NULL); -1: out of
 * memory. */
int prediction_add(struct request *r, const char *name,
		   const struct prediction *p);

/* The whole reply, as wire_prediction_reply() writes it. */
void prediction_print(const struct request *r, const struct prediction *p,
		      struct wire_text *ret);
