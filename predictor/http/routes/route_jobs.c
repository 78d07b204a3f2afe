/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_jobs.c - a job's newest run, its predictions and the remaining time
 *
 * All this is in memory.  What a run used that has ended is in the store; while
 * that has no answer, or the user's other report is still being made, the reply
 * goes without.
 */
#include <math.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/http/json_build.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/reply_prediction.h"
#include "predictor/http/routes/reply_sets.h"
#include "predictor/http/routes/trace_places.h"
#include "predictor/http/server.h"
#include "predictor/http/use_json.h"
#include "predictor/wire/wire.h"

#define REMAINING_HIGH 0.9

#define RECENT_S (90 * 86400.0) /* the runs that advice rests on */

/* Return how long a run has run by now.  Slurm's queue, as it was read last,
 * knows of suspensions. */
static double elapsed_find(struct engine *engine, const struct run *run)
{
	struct queue_list *list = engine_queue(engine);
	double now_s = clock_now_s(), elapsed_s = now_s - run->started_at_s;

	for (size_t i = 0; list && i < list->count; i++) {
		const struct queue_entry *job = &list->rows[i].entry;
		bool goes_on = strcmp(job->state, "S") != 0;

		if (job->running && job->job_id == run->job_id &&
		    strcmp(list->cluster, run->cluster) == 0)
			elapsed_s =
				fmin(elapsed_s,
				     job->elapsed_s +
					     goes_on * (now_s - list->now_s));
	}
	queue_list_put(list);
	return fmax(0, elapsed_s);
}

/* Add elapsed and remaining times to the run's object.  Without a prediction
 * the remaining time of a running job is not known (null). */
static int add_progress(struct json_object *job, struct engine *engine,
			const struct run *run, const struct prediction *p)
{
	bool ended = isfinite(run->ended_at_s);
	double runtime_s = run_runtime_s(run);
	double elapsed_s = ended ? runtime_s : elapsed_find(engine, run);
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

/* --- What it used --------------------------------------------------------- */

static void use_loaded(void *context, int rc, const void *loaded, size_t count,
		       const struct sp_error *why)
{
	const struct store_use *rows = loaded;
	struct pending *p = context;
	struct request *r = pending_lock(p);

	(void)why;
	if (r) {
		r->status = 200;
		trace_place_return(r);
	}
	for (size_t i = 0; r && rows && rc == STORE_STORED && i < count; i++)
		if (rows[i].run.job_id == p->like.job_id &&
		    fabs(rows[i].started_at_s - p->started_at_s) < 1 &&
		    request_add(r, "use", use_encode_run(&rows[i].run)))
			r->status = request_out_of_memory(r);
	if (r && rc == STORE_STORED && r->status == 200 &&
	    request_add(r, "advice", use_encode_advice(&p->like, rows, count)))
		r->status = request_out_of_memory(r);
	pending_end(p);
}

/* Reply once it is known what the run used. */
static int add_use(struct request *r, const struct run *run,
		   const struct prediction *p)
{
	const struct http_config *config = &r->http->config;
	struct store_use_query query = {
		.user_id = run->user_id,
		.since_s = fmin(run->ended_at_s, clock_now_s() - RECENT_S),
		.until_s = NAN,
		.runs = NEXT_REQUEST_RUNS,
		.job_id = run->job_id,
		.limit = 1,
	};
	struct pending *pending;
	struct sp_error err;
	int status;

	if (!trace_place_try(r, &r->http->use_places))
		return 200;
	status = pending_begin(r, &pending);
	if (status)
		return status;
	strcpy(query.cluster, run->cluster);
	strcpy(query.application, run->application.name);
	pending->started_at_s = run->started_at_s;
	pending->like = (struct used_run){
		.job_id = run->job_id,
		.nodes = run->nodes,
		.tasks = run->tasks,
		.memory_mb = run->memory_mb,
		.parameters = run->application.parameters,
		.limit_s = run->limit_s,
		.memory_unadvised = !engine_advises_memory(
			r->http->config.engine, run->cluster),
		.quantile_s = p ? prediction_sure_quantile_s(p) : NAN,
	};
	if (config->store_ops->get_use(config->store, &query, use_loaded,
				       pending, &err))
		use_loaded(pending, STORE_AGAIN, NULL, 0, &err);
	return REQUEST_LATER;
}

/* --- The job -------------------------------------------------------------- */

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
	    request_sight(r, run.user_id, run.cluster, true) != SEES_ALL)
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

	if (job && add_progress(job, engine, &run, p)) {
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
	return isfinite(run.ended_at_s) ? add_use(r, &run, p) : 200;
}
