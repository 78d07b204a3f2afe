/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_queue.c - when jobs in the queue will start and end
 *
 * Slurm's squeue knows which jobs there are, their predictions' ids, and for
 * how long they have run: the client sends these.  With its job id a running
 * job is found even if an administrator has overwritten AdminComment, which has
 * the id of the prediction.  A user sees the times of own jobs, and of others'
 * where Slurm lets him see these jobs.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/clock.h"
#include "predictor/engine/overrun.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"
#include "predictor/wire/json_queue.h"

#define REMAINING_HIGH 0.9

/* By the run of a job that has started. */
static int find_by_run(struct engine *engine, const char *cluster,
		       uint32_t job_id, struct prediction *ret)
{
	struct run run;

	if (!job_id || engine_job(engine, cluster, job_id, &run) ||
	    !isnan(run.ended_at_s))
		return -1;
	return engine_prediction_of_run(engine, &run, STAGE_START, ret) &&
			       engine_prediction_of_run(engine, &run,
							STAGE_SUBMISSION, ret)
		       ? -1
		       : 0;
}

/* Find the newest prediction of a job that the client may see; -1: there
 * is none. */
static int find_prediction(const struct request *r, const char *cluster,
			   const struct wire_queue_job *job,
			   struct prediction *ret)
{
	struct engine *engine = r->http->config.engine;
	bool started = !isnan(job->elapsed_s);

	if ((!started || find_by_run(engine, cluster, job->job_id, ret)) &&
	    (!started ||
	     engine_prediction(engine, job->prediction_id, STAGE_START, ret)) &&
	    engine_prediction_waiting(engine, job->prediction_id, ret))
		return -1;
	return request_sight(r, ret->user_id, ret->cluster, false) ? 0 : -1;
}

/* All NAN: not known to this client. */
static struct start_time find_start(const struct request *r,
				    const char *cluster,
				    const struct wire_queue_job *job,
				    struct start_reason *ret_why)
{
	struct engine *engine = r->http->config.engine;
	struct start_time start;
	uint32_t user_id;

	if (isnan(job->elapsed_s) && job->job_id &&
	    !engine_job_start(engine, cluster, job->job_id, clock_now_s(),
			      &start, ret_why, &user_id) &&
	    request_sight(r, user_id, cluster, false))
		return start;
	return (struct start_time){ NAN, NAN, NAN };
}

/* Add why it waits: what others do is for those who see the queue. */
static void add_reason(struct json_object *object,
		       const struct start_reason *why, bool *failed)
{
	json_add(object, "jobs_ahead", json_object_new_int64(why->ahead),
		 failed);
	if (*why->gres) {
		json_add(object, "gres", json_object_new_string(why->gres),
			 failed);
		json_add(object, "jobs_ahead_same_gres",
			 json_object_new_int64(why->same), failed);
	}
	json_add_number(object, "first_end_s", why->first_end_s, failed);
}

/* Estimates that rest on history; all others are not known.  `why` may
 * be NULL. */
static struct json_object *encode_job(const struct wire_queue_job *job,
				      const struct prediction *p,
				      const struct start_time *start,
				      const struct start_reason *why)
{
	struct json_object *object = json_object_new_object();
	bool known = p && p->basis == BASIS_HISTORY;
	bool guess = known && prediction_is_guess(p->basis, p->evidence_level);
	bool unbounded = known && p->unbounded;
	bool bounded = known && !guess && !unbounded;
	bool started = known && isfinite(job->elapsed_s);
	bool failed = false;

	if (!object)
		return NULL;
	if (p)
		json_add(
			object, "basis",
			json_object_new_string(prediction_basis_name(p->basis)),
			&failed);
	if (known)
		json_add(object, "guess", json_object_new_boolean(guess),
			 &failed);
	if (unbounded)
		json_add(object, "unbounded", json_object_new_boolean(true),
			 &failed);
	json_add_number(object, "median_s", known ? p->median_s : NAN, &failed);
	json_add_number(object, "quantile_s", bounded ? p->quantile_s : NAN,
			&failed);
	json_add_number(object, "remaining_s",
			started ? engine_remaining_s(p, job->elapsed_s, 0.5)
				: NAN,
			&failed);
	json_add_number(
		object, "remaining_high_s",
		started && bounded
			? engine_remaining_s(p, job->elapsed_s, REMAINING_HIGH)
			: NAN,
		&failed);
	json_add_number(object, "overrun",
			started ? engine_overrun_probability(p, job->elapsed_s,
							     p->limit_s)
				: NAN,
			&failed);
	json_add_number(object, "start_s", start->median_s, &failed);
	json_add_number(object, "start_low_s", start->low_s, &failed);
	json_add_number(object, "start_high_s", start->high_s, &failed);
	if (why)
		add_reason(object, why, &failed);
	return json_finish(object, failed);
}

static struct json_object *encode_queue(const struct request *r,
					const struct wire_queue *queue)
{
	struct json_object *array = json_object_new_array();
	bool sees = request_sees_queue(r, queue->cluster);
	struct start_reason why;
	struct prediction p;
	bool failed = !array;

	for (size_t i = 0; !failed && i < queue->count; i++) {
		const struct wire_queue_job *job = &queue->jobs[i];
		bool found = !find_prediction(r, queue->cluster, job, &p);
		struct start_time start =
			find_start(r, queue->cluster, job, &why);
		struct json_object *object = encode_job(
			job, found ? &p : NULL, &start,
			sees && !isnan(start.median_s) ? &why : NULL);

		failed = !object || json_object_array_add(array, object);
		if (failed)
			json_object_put(object);
	}
	return array ? json_finish(array, failed) : NULL;
}

int queue_show(struct request *r)
{
	struct wire_queue *queue = malloc(sizeof(*queue));
	struct sp_error err;
	int status;

	if (!queue)
		return request_out_of_memory(r);

	struct json_object *message =
		wire_request_parse(r->body ? r->body : "", r->body_size, &err);

	if (!message || wire_queue_decode(message, queue, &err))
		status = request_fail(r, 400, "%s", err.text);
	else
		status = request_reply(r, "jobs", encode_queue(r, queue));
	json_object_put(message);
	free(queue);
	return status;
}
