/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_bundle.c - how many tasks of an array one job should run */
#include <stdatomic.h>

#include "predictor/base/clock.h"
#include "predictor/engine/bundle.h"
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"

#define TASKS_MAX 4000000 /* Slurm's arrays are smaller */

static struct json_object *encode_bundle(const struct bundle *b)
{
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	json_add(object, "application", json_object_new_string(b->application),
		 &failed);
	json_add(object, "tasks", json_object_new_int(b->tasks), &failed);
	json_add(object, "per_job", json_object_new_int(b->per_job), &failed);
	json_add(object, "jobs", json_object_new_int(b->jobs), &failed);
	json_add(object, "runs", json_object_new_int(b->runs), &failed);
	json_add_number(object, "task_s", b->task_s, &failed);
	json_add_number(object, "quantile", b->quantile, &failed);
	json_add_number(object, "task_quantile_s", b->task_quantile_s, &failed);
	json_add_number(object, "start_cost_s", b->cost_s, &failed);
	json_add(object, "starts", json_object_new_int(b->starts), &failed);
	json_add_number(object, "saved_s", b->saved_s, &failed);
	json_add(object, "plain", json_object_new_boolean(b->plain), &failed);
	return json_finish(object, failed);
}

int bundle_show(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct wire_request input;
	struct bundle found;
	uint32_t tasks;
	struct sp_error err;

	if (!atomic_load(config->ready))
		return request_fail(r, 503, "the history is not loaded yet");
	if (request_query_number(r, "tasks", 0, &tasks, &err) ||
	    request_decode(r, &input, &err))
		return request_fail(r, 400, "%s", err.text);
	if (tasks < 1 || tasks > TASKS_MAX)
		return request_fail(r, 400, "tasks: not 1 to %d", TASKS_MAX);
	if (input.job.user_id != r->uid && !request_is_operator(r))
		return request_fail(r, 403, "forbidden");
	if (engine_bundle(config->engine, &input.job, input.quantile,
			  (int)tasks, clock_now_s(), &found, &err))
		return request_fail(r, 404, "%s", err.text);
	if (request_add(r, "bundle", encode_bundle(&found)))
		return request_out_of_memory(r);
	return 200;
}
