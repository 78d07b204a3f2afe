/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_sooner.c - what a shorter limit or fewer nodes would gain a waiting job
 *
 * The queue is copied here, and simulated in the thread of what-ifs within
 * their limit, one request of a user at a time.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/clock.h"
#include "predictor/base/work_limit.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/engine/run_curve.h"
#include "predictor/http/json_build.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/trace_places.h"
#include "predictor/http/server.h"
#include "predictor/whatif/whatif_worker.h"

struct sooner_request {
	struct whatif_task task;
	struct pending *pending;
	struct sooner_pool pool;
	int count;
	struct sooner_change changes[SOONER_CHANGES]; /* limit_s, half */
	struct half_job half;
	double limit_s, began_s;
	struct work_limit limit;
	bool closed;
};

static const struct field sooner_fields[] = {
	FIELD_SENT(sooner, wait_s, NUMBER),
	FIELD_ROW(sooner, gain_s[0], NUMBER, .name = "gain_s"),
	FIELD_SENT(sooner, worth, BOOL),
	FIELD_END,
};

/* --- In the worker's thread ----------------------------------------------- */

static bool given_up(struct whatif_task *task)
{
	return pending_given_up(((struct sooner_request *)task)->pending);
}

static bool is_over(void *argument)
{
	struct sooner_request *s = argument;

	s->closed = given_up(&s->task);
	return s->closed || work_limit_over(&s->limit);
}

static int reply(struct request *r, struct sooner_request *s,
		 const struct sooner *sooner)
{
	s->half.gain_s = sooner->gain_s[1];
	if (s->count > 1 &&
	    request_add(r, "half", json_record(half_job_fields, &s->half)))
		return request_out_of_memory(r);
	return request_reply(r, "sooner", json_record(sooner_fields, sooner));
}

static void serve(struct whatif_task *task)
{
	struct sooner_request *s = (struct sooner_request *)task;
	bool late = clock_monotonic_s() - s->began_s > WHATIF_WAIT_S;
	struct sooner sooner;
	struct sp_error err;
	int rc = 0;

	s->limit = work_limit_begin(WHATIF_CPU_S, WHATIF_WALL_S);
	if (!late)
		rc = sooner_find(&s->pool, s->changes, s->count, is_over, s,
				 &sooner, &err);
	if (s->closed)
		return;

	struct request *r = pending_lock(s->pending);

	if (r && late)
		r->status = request_fail(r, 503,
					 "others' requests took too long; try "
					 "again later");
	else if (r && rc)
		r->status = request_out_of_memory(r);
	else if (r)
		r->status = reply(r, s, &sooner);
	pending_end(s->pending);
}

static void end(struct whatif_task *task)
{
	struct sooner_request *s = (struct sooner_request *)task;

	free(s->pool.jobs);
	free(s);
}

static const struct whatif_work work = {
	.given_up = given_up,
	.serve = serve,
	.end = end,
};

/* --- In the server's ------------------------------------------------------ */

static void changes_make(struct engine *engine, const struct queue_entry *entry,
			 struct sooner_request *s)
{
	struct start_job job = s->pool.jobs[s->pool.which];
	struct prediction p;

	s->changes[0].job = s->changes[1].job = job;
	s->changes[0].job.limit_s = fmin(s->limit_s, job.limit_s);
	s->count = 1;
	if (!engine_queue_prediction(engine, "", entry, &p) ||
	    p.nodes != entry->nodes || engine_half(engine, &p, &s->half))
		return;
	s->changes[1].longer_s = s->half.longer_s;
	s->changes[1].job.cpus /= 2;
	for (int i = 0; i < START_LEVELS; i++)
		s->changes[1].job.left_s[i] *= s->half.factor;
	s->count = 2;
}

/* The client may see all of the job, and it waits.  0, or a status. */
static int pool_find(struct request *r, struct sooner_request *ret)
{
	struct engine *engine = r->http->config.engine;
	struct queue_entry entry;
	struct start_reason why;
	struct start_time start;
	struct sp_error err;
	uint32_t job_id, user_id;
	char cluster[RUN_NAME_SIZE];
	int rc = 1;

	if (request_query_text(r, "cluster", cluster, RUN_NAME_SIZE, &err) ||
	    request_query_number(r, "job_id", 0, &job_id, &err))
		return request_fail(r, 400, "%s", err.text);
	if (!engine_job_start(engine, cluster, job_id, clock_now_s(), &start,
			      &why, &user_id) &&
	    request_sight(r, user_id, cluster, false) == SEES_ALL)
		rc = engine_job_pool(engine, job_id, &ret->pool, &entry, &err);
	if (rc == 0)
		changes_make(engine, &entry, ret);
	if (rc < 0)
		return request_out_of_memory(r);
	return rc ? request_fail(r, 404, "no such job waits") : 0;
}

int sooner_show(struct request *r)
{
	struct sooner_request *s = calloc(1, sizeof(*s));
	struct sp_error err;
	int status = 0;

	if (!s)
		return request_out_of_memory(r);
	s->task.work = &work;
	s->began_s = r->began_s;
	if (request_query_real(r, "limit_s", 0, &s->limit_s, &err) ||
	    !(s->limit_s > 0))
		status = request_fail(r, 400, "limit_s: not a number above 0");
	if (!status)
		status = trace_place_take(r, &r->http->sooner_places);
	if (!status)
		status = pool_find(r, s);
	if (!status)
		status = pending_begin(r, &s->pending);
	if (status) {
		end(&s->task);
		return status;
	}
	whatif_worker_put(r->http->whatif, &s->task);
	return REQUEST_LATER;
}
