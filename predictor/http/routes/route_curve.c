/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_curve.c - run time of a job over the number of nodes */
#include <stdatomic.h>

#include "predictor/base/clock.h"
#include "predictor/engine/run_curve.h"
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"

static const struct field point_fields[] = {
	FIELD_ROW(curve_point, n, INT, .name = "nodes"),
	FIELD_SENT(curve_point, median_s, NUMBER),
	FIELD_SENT(curve_point, p90_s, NUMBER),
	FIELD_SENT(curve_point, efficiency, NUMBER),
	FIELD_SENT(curve_point, node_hours, NUMBER),
	FIELD_END,
};

static const struct field curve_fields[] = {
	FIELD_SENT(run_curve, application, TEXT),
	FIELD_SENT(run_curve, runs, INT),
	FIELD_ROW(run_curve, n_min, INT, .name = "nodes_min"),
	FIELD_ROW(run_curve, n_max, INT, .name = "nodes_max"),
	FIELD_SENT(run_curve, from_messages, BOOL),
	FIELD_SENT(run_curve, from_farm, BOOL),
	FIELD_ROW(run_curve, fed, INT, .name = "saturated_beyond"),
	FIELD_END,
};

static struct json_object *encode_curve(const struct run_curve *found)
{
	const struct curve *curve = &found->curve;
	struct json_object *object = json_record(curve_fields, found);
	bool failed = false;

	json_add(object, "fastest",
		 json_object_new_int(curve->points[curve->fastest].n), &failed);
	json_add(object, "best",
		 json_object_new_int(curve->points[curve->worth].n), &failed);
	json_add(object, "points",
		 json_records(point_fields, curve->points, (size_t)curve->count,
			      sizeof(curve->points[0])),
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
	if (engine_run_curve(config->engine, &input.job, input.mode,
			     clock_now_s(), &found, &err))
		return request_fail(r, 404, "%s", err.text);
	return request_reply(r, "curve", encode_curve(&found));
}
