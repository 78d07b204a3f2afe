/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_curve.c - run time of a job over the number of nodes */
#include <stdatomic.h>

#include "predictor/engine/run_curve.h"
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"

static struct json_object *encode_point(const void *element)
{
	const struct curve_point *point = element;
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	json_add(object, "nodes", json_object_new_int(point->n), &failed);
	json_add_number(object, "median_s", point->median_s, &failed);
	json_add_number(object, "p90_s", point->p90_s, &failed);
	json_add_number(object, "efficiency", point->efficiency, &failed);
	json_add_number(object, "node_hours", point->node_hours, &failed);
	return json_finish(object, failed);
}

static struct json_object *encode_curve(const struct run_curve *found)
{
	const struct curve *curve = &found->curve;
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	json_add(object, "application",
		 json_object_new_string(found->application), &failed);
	json_add(object, "runs", json_object_new_int(found->runs), &failed);
	json_add(object, "nodes_min", json_object_new_int(found->n_min),
		 &failed);
	json_add(object, "nodes_max", json_object_new_int(found->n_max),
		 &failed);
	json_add(object, "from_messages",
		 json_object_new_boolean(found->from_messages), &failed);
	json_add(object, "from_farm", json_object_new_boolean(found->from_farm),
		 &failed);
	json_add(object, "fastest",
		 json_object_new_int(curve->points[curve->fastest].n), &failed);
	json_add(object, "best",
		 json_object_new_int(curve->points[curve->worth].n), &failed);
	json_add(object, "points",
		 json_array(curve->points, (size_t)curve->count,
			    sizeof(curve->points[0]), encode_point),
		 &failed);
	return json_finish(object, failed);
}

int curve_show(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct wire_request input;
	struct run_curve found;
	struct sp_error err;

	if (!atomic_load(config->ready))
		return request_fail(r, 503, "the history is not loaded yet");
	if (request_decode(r, &input, &err))
		return request_fail(r, 400, "%s", err.text);
	if (input.job.user_id != r->uid && !request_is_operator(r))
		return request_fail(r, 403, "forbidden");
	if (engine_run_curve(config->engine, &input.job, &found, &err))
		return request_fail(r, 404, "%s", err.text);
	if (request_add(r, "curve", encode_curve(&found)))
		return request_out_of_memory(r);
	return 200;
}
