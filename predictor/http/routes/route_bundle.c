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

static const struct field bundle_fields[] = {
	FIELD_SENT(bundle, application, TEXT),
	FIELD_SENT(bundle, tasks, INT),
	FIELD_SENT(bundle, per_job, INT),
	FIELD_SENT(bundle, jobs, INT),
	FIELD_SENT(bundle, runs, INT),
	FIELD_SENT(bundle, task_s, NUMBER),
	FIELD_SENT(bundle, quantile, NUMBER),
	FIELD_SENT(bundle, task_quantile_s, NUMBER),
	FIELD_ROW(bundle, cost_s, NUMBER, .name = "start_cost_s"),
	FIELD_SENT(bundle, starts, INT),
	FIELD_SENT(bundle, saved_s, NUMBER),
	FIELD_SENT(bundle, plain, BOOL),
	FIELD_END,
};

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
	return request_reply(r, "bundle", json_record(bundle_fields, &found));
}
