/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_queue.c - jobs of a queue whose ends are asked for, as a message */
#include <math.h>
#include <string.h>

#include "predictor/wire/fields.h"
#include "predictor/wire/json_queue.h"

static const struct field job_fields[] = {
	FIELD(wire_queue_job, prediction_id, ID, .sparse = true),
	FIELD(wire_queue_job, job_id, UINT, .sparse = true),
	FIELD(wire_queue_job, elapsed_s, NUMBER),
	{ .name = NULL },
};

static const struct field queue_fields[] = {
	FIELD(wire_queue, cluster, TEXT, .sparse = true),
	{ .name = NULL },
};

struct json_object *wire_queue_encode(const struct wire_queue *queue)
{
	struct json_object *message = fields_encode(queue_fields, queue);
	struct json_object *jobs = json_object_new_array();
	bool failed = !message || !jobs ||
		      json_object_object_add(message, "jobs", jobs);

	for (size_t i = 0; !failed && i < queue->count; i++) {
		struct json_object *job =
			fields_encode(job_fields, &queue->jobs[i]);

		failed = !job || json_object_array_add(jobs, job);
		if (failed)
			json_object_put(job);
	}
	if (!failed)
		return message;
	json_object_put(message);
	return NULL;
}

static int job_decode(struct json_object *message, struct wire_queue_job *ret,
		      struct sp_error *err)
{
	*ret = (struct wire_queue_job){ .elapsed_s = NAN };
	if (fields_decode(job_fields, message, ret, err))
		return -1;
	if (!*ret->prediction_id && !ret->job_id)
		return sp_error_set(err, "prediction_id: is missing, and so is "
					 "job_id");
	return 0;
}

int wire_queue_decode(struct json_object *message, struct wire_queue *ret,
		      struct sp_error *err)
{
	struct json_object *jobs = NULL;
	struct sp_error why;

	if (!json_object_is_type(message, json_type_object) ||
	    !json_object_object_get_ex(message, "jobs", &jobs) ||
	    !json_object_is_type(jobs, json_type_array))
		return sp_error_set(err, "jobs: must be an array");

	size_t count = json_object_array_length(jobs);

	if (count > WIRE_QUEUE_MAX)
		return sp_error_set(err, "jobs: more than %d", WIRE_QUEUE_MAX);
	memset(ret->cluster, 0, sizeof(ret->cluster));
	if (fields_decode(queue_fields, message, ret, err))
		return -1;
	for (size_t i = 0; i < count; i++)
		if (job_decode(json_object_array_get_idx(jobs, i),
			       &ret->jobs[i], &why))
			return sp_error_set(err, "jobs[%zu].%s", i, why.text);
	ret->count = count;
	return 0;
}
