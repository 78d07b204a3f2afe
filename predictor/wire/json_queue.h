/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_queue.h - jobs of a queue whose ends are asked for, as a message
 *
 * As wire.h describes: the body of POST /v1/queue,
 * {"cluster": "...", "jobs": [{"prediction_id": "...", "job_id": 7,
 * "elapsed_s": 12.5}, ...]}.
 */
#pragma once

#include <json-c/json.h>

#include "predictor/base/error.h"
#include "predictor/features/run.h"

/* Jobs in a message: as many as WIRE_REQUEST_VALUES_MAX has room for. */
#define WIRE_QUEUE_MAX 250

/* At least one of the first two is known. */
struct wire_queue_job {
	char prediction_id[PREDICTION_ID_SIZE]; /* empty: not known */
	uint32_t job_id;                        /* 0: not known */
	double elapsed_s;                       /* NAN: it has not started */
};

struct wire_queue {
	char cluster[RUN_NAME_SIZE]; /* of the job ids; empty: not known */
	size_t count;
	struct wire_queue_job jobs[WIRE_QUEUE_MAX];
};

struct json_object *wire_queue_encode(const struct wire_queue *queue);
int wire_queue_decode(struct json_object *message, struct wire_queue *ret,
		      struct sp_error *err);
