/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_queue.h - jobs of a queue whose ends are asked for, as a message
 *
 * As wire.h describes: the body of POST /v1/queue,
 * {"jobs": [{"prediction_id": "...", "elapsed_s": 12.5}, ...]}.
 */
#ifndef PREDICTOR_WIRE_JSON_QUEUE_H
#define PREDICTOR_WIRE_JSON_QUEUE_H

#include <json-c/json.h>
#include <stddef.h>

#include "predictor/base/error.h"
#include "predictor/features/run.h"

#define WIRE_QUEUE_MAX 1024 /* jobs in a message */

struct wire_queue_job {
	char prediction_id[PREDICTION_ID_SIZE];
	double elapsed_s; /* NAN: it has not started */
};

struct wire_queue {
	size_t count;
	struct wire_queue_job jobs[WIRE_QUEUE_MAX];
};

struct json_object *wire_queue_encode(const struct wire_queue *queue);
int wire_queue_decode(struct json_object *message, struct wire_queue *ret,
		      struct sp_error *err);

#endif
