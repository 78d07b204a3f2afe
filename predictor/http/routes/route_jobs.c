/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_jobs.c - a job's newest run, its predictions and the remaining time */
#include <math.h>

#include "predictor/base/clock.h"
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/reply_prediction.h"
#include "predictor/http/routes/reply_sets.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

#define REMAINING_HIGH 0.9

/* Add elapsed and remaining times to the run's object.  Without a prediction
 * the remaining time of a running job is not known (null). */
static int add_progress(struct json_object *job, const struct run *run,
			const struct prediction *p)
{
	bool ended = isfinite(run->ended_at_s);
	double runtime_s = run_runtime_s(run);
	double elapsed_s =
		ended ? runtime_s : fmax(0, clock_now_s() - run->started_at_s);
	double remaining_s = ended ? 0 : NAN;
	double remaining_high_s = remaining_s;
	bool failed = false;

	if (!ended && p) {
		remaining_s = engine_remaining_s(p, elapsed_s, 0.5);
		remaining_high_s =
			engine_remaining_s(p, elapsed_s, REMAINING_HIGH);
	}

	json_add_number(job, "elapsed_s", elapsed_s, &failed);
	json_add_number(job, "runtime_s", runtime_s, &failed);
	json_add_number(job, "remaining_s", remaining_s, &failed);
	json_add_number(job, "remaining_high_s", remaining_high_s, &failed);
	return failed ? -1 : 0;
}

int jobs_show(struct request *r)
{
	struct engine *engine = r->http->config.engine;
	struct prediction of_stage[STAGE_COUNT];
	const struct prediction *known[STAGE_COUNT] = { NULL };
	struct run run;
	uint64_t id;

	if (request_parse_number(r->captured, UINT32_MAX - 1, &id) || !id ||
	    engine_job(engine, request_query(r, "cluster"), (uint32_t)id,
		       &run) ||
	    (run.user_id != r->uid && !request_is_operator(r)))
		return request_fail(r, 404, "no such job");
	for (int i = 0; i < STAGE_COUNT; i++)
		if (!engine_prediction_of_run(engine, &run,
					      (enum prediction_stage)i,
					      &of_stage[i]))
			known[i] = &of_stage[i];

	/* The later one was made for the nodes that the job got. */
	const struct prediction *p = known[STAGE_START]
					     ? known[STAGE_START]
					     : known[STAGE_SUBMISSION];
	struct json_object *job = wire_run_encode(&run);

	if (job && add_progress(job, &run, p)) {
		json_object_put(job);
		job = NULL;
	}
	if (request_add(r, "job", job) || prediction_add(r, "prediction", p) ||
	    prediction_add(r, "submission_prediction",
			   known[STAGE_SUBMISSION]) ||
	    prediction_add(r, "waiting_prediction", known[STAGE_WAITING]) ||
	    sets_add_rejected(r, run.cluster,
			      known[STAGE_START] ? run.prediction_id : ""))
		return request_out_of_memory(r);
	return 200;
}
