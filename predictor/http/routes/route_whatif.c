/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_whatif.c - the run time of a traced job, had its ranks been elsewhere
 *
 * The request is checked here, the trace is read by the store, and a thread of
 * its own replays it (whatif_worker.h).
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/http/json_build.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/nodes_now.h"
#include "predictor/http/routes/stored_traces.h"
#include "predictor/http/routes/trace_places.h"
#include "predictor/http/server.h"
#include "predictor/whatif/whatif_answer.h"
#include "predictor/whatif/whatif_worker.h"

struct whatif_request {
	struct whatif_task task;
	struct pending *pending;
	struct whatif_question question; /* its texts are in `body` */
	struct json_object *body;
	struct run_trace *runs;
	int runs_count;
};

static void whatif_request_free(struct whatif_request *w)
{
	json_object_put(w->body);
	run_traces_free(w->runs, w->runs_count);
	free(w);
}

/* --- The request ---------------------------------------------------------- */

static const char *find_text(struct json_object *body, const char *name)
{
	struct json_object *value;

	return json_object_object_get_ex(body, name, &value) &&
			       json_object_is_type(value, json_type_string)
		       ? json_object_get_string(value)
		       : NULL;
}

static int64_t find_number(struct json_object *body, const char *name)
{
	struct json_object *value;

	return json_object_object_get_ex(body, name, &value) &&
			       json_object_is_type(value, json_type_int)
		       ? json_object_get_int64(value)
		       : 0;
}

static bool find_bool(struct json_object *body, const char *name)
{
	struct json_object *value;

	return json_object_object_get_ex(body, name, &value) &&
	       json_object_get_boolean(value);
}

/* All that a body may hold. */
static int check_names(struct json_object *body, struct sp_error *err)
{
	static const struct {
		const char *name;
		enum json_type type;
	} known[] = {
		{ "job_id", json_type_int },
		{ "application", json_type_string },
		{ "ranks", json_type_int },
		{ "cluster", json_type_string },
		{ "place", json_type_string },
		{ "nodes", json_type_string },
		{ "swap", json_type_boolean },
		{ "best", json_type_boolean },
		{ "best_nodes", json_type_int },
		{ "conditions", json_type_string },
	};
	size_t count = sizeof(known) / sizeof(known[0]);

	if (!json_object_is_type(body, json_type_object))
		return sp_error_set(err, "the body must be an object");
	json_object_object_foreach(body, name, value) {
		size_t i = 0;

		while (i < count && strcmp(known[i].name, name) != 0)
			i++;
		if (i == count)
			return sp_error_set(err, "%.32s: not known", name);
		if (!json_object_is_type(value, known[i].type))
			return sp_error_set(err, "%s: must be of type %s", name,
					    json_type_to_name(known[i].type));
	}
	return 0;
}

static int parse_question(struct json_object *body, struct engine *engine,
			  struct whatif_question *q,
			  struct store_trace_query *ret, struct sp_error *err)
{
	const char *conditions = find_text(body, "conditions");
	const char *cluster = find_text(body, "cluster");
	const char *application = find_text(body, "application");
	int64_t job_id = find_number(body, "job_id");
	int64_t ranks = find_number(body, "ranks");
	int64_t best_nodes = find_number(body, "best_nodes");

	q->place = find_text(body, "place");
	q->nodes = find_text(body, "nodes");
	q->swap = find_bool(body, "swap");
	q->best = find_bool(body, "best") || best_nodes;
	q->best_nodes = (int)best_nodes;
	q->deadline_s = WHATIF_DEADLINE_S;
	q->context = engine;
	if (!conditions || !strcmp(conditions, "now"))
		q->conditions = nodes_now;
	else if (strcmp(conditions, "then") != 0)
		return sp_error_set(err, "conditions: neither now nor then");
	if (job_id < !application || job_id > UINT32_MAX)
		return sp_error_set(err, "job_id: is missing, or none");
	if (application && (job_id || !*application))
		return sp_error_set(err, "give one of job_id and application");
	if (ranks < 0 || ranks > TRACE_RANKS_MAX || (ranks && !application))
		return sp_error_set(err, "ranks: 1 to %d, of an application",
				    TRACE_RANKS_MAX);
	if (best_nodes < 0 || best_nodes > RUN_TRACE_NODES_MAX)
		return sp_error_set(err, "best_nodes: not 1 to %d",
				    RUN_TRACE_NODES_MAX);
	if ((q->place != NULL) + q->swap + (q->best || q->nodes) != 1)
		return sp_error_set(err, "give one of place, nodes, swap and "
					 "best");
	if (cluster && strlen(cluster) >= sizeof(ret->cluster))
		return sp_error_set(err, "cluster: is too long");
	if (application && strlen(application) >= sizeof(ret->application))
		return sp_error_set(err, "application: is too long");
	ret->job_id = (uint32_t)job_id;
	if (cluster)
		strcpy(ret->cluster, cluster);
	if (application)
		strcpy(ret->application, application);
	ret->ranks = (uint32_t)ranks;
	return 0;
}

/* --- In the worker's thread ----------------------------------------------- */

static struct json_object *encode_answer(const struct run_trace *run,
					 const struct whatif_answer *answer)
{
	struct json_object *object = json_object_new_object();
	struct json_object *ranks = json_object_new_array();
	bool failed = !object || !ranks;

	for (int r = 0; !failed && r < answer->ranks; r++)
		json_object_array_add(ranks,
				      json_object_new_string(answer->names[r]));
	if (failed) {
		json_object_put(ranks);
		return json_finish(object, true);
	}
	json_add(object, "job_id", json_object_new_int64(run->job_id), &failed);
	if (*run->user)
		json_add(object, "user", json_object_new_string(run->user),
			 &failed);
	if (*run->program)
		json_add(object, "program",
			 json_object_new_string(run->program), &failed);
	json_add(object, "programs", json_object_new_int(run->programs),
		 &failed);
	json_add_number(object, "job_s", run->job_s, &failed);
	json_add_number(object, "measured_s", run->runtime_s, &failed);
	json_add_number(object, "here_s", answer->here_s, &failed);
	json_add_number(object, "there_s", answer->there_s, &failed);
	json_add_number(object, "gain", answer->here_s / answer->there_s,
			&failed);
	json_add(object, "farm", json_object_new_boolean(answer->is_farm),
		 &failed);
	json_add(object, "whole", json_object_new_boolean(run->whole), &failed);
	json_add_number(object, "seen", run->seen, &failed);
	json_add(object, "ranks", ranks, &failed);
	return json_finish(object, failed);
}

static struct json_object *find_answer(struct whatif_request *w,
				       struct sp_error *err)
{
	struct json_object *object = NULL;
	struct whatif_answer answer;
	struct run_trace run;

	if (run_traces_choose(w->runs, w->runs_count, &run, err))
		return NULL;
	if (!whatif_answer_find(&run, &w->question, &answer, err)) {
		object = encode_answer(&run, &answer);
		if (!object)
			sp_error_set(err, "out of memory");
		whatif_answer_clear(&answer);
	}
	run_trace_clear(&run);
	return object;
}

static void serve(struct whatif_task *task)
{
	struct whatif_request *w = (struct whatif_request *)task;
	struct sp_error err;
	struct json_object *object = find_answer(w, &err);
	struct request *r = pending_lock(w->pending);

	if (r && object)
		r->status = request_add(r, "whatif", object)
				    ? request_out_of_memory(r)
				    : 200;
	else if (r)
		r->status = request_fail(r, 422, "%s", err.text);
	else
		json_object_put(object);
	pending_end(w->pending);
}

static bool given_up(struct whatif_task *task)
{
	struct pending *pending = ((struct whatif_request *)task)->pending;

	if (pending_lock(pending)) {
		pending_unlock();
		return false;
	}
	pending_end(pending);
	return true;
}

static void end(struct whatif_task *task)
{
	whatif_request_free((struct whatif_request *)task);
}

static const struct whatif_work work = { given_up, serve, end };

/* --- In the store's thread ------------------------------------------------ */

static void trace_loaded(void *context, int rc, struct store_trace *traces,
			 size_t count, const struct sp_error *why)
{
	struct whatif_request *w = context;
	struct sp_error err;

	if (rc == STORE_STORED)
		w->runs_count =
			stored_traces_take(traces, count, &w->runs, &err);

	struct request *r = pending_lock(w->pending);

	if (r && w->runs) {
		/* The worker lives as long as requests that wait. */
		whatif_worker_put(r->http->whatif, &w->task);
		pending_unlock();
		return;
	}
	if (r && rc == STORE_STORED)
		r->status = request_fail(r, 404, "%s", err.text);
	else if (r)
		r->status = pending_failed(r, rc, "not known", why);
	pending_end(w->pending);
	whatif_request_free(w);
}

/* --- In the server's ------------------------------------------------------ */

static int start_task(struct request *r, struct whatif_request *w,
		      const struct store_trace_query *query)
{
	const struct http_config *config = &r->http->config;
	struct sp_error err;
	int status = w->question.conditions
			     ? request_check_nodes(r, query->cluster)
			     : 0;

	if (!status)
		status = trace_place_take(r);
	if (!status)
		status = pending_begin(r, &w->pending);
	if (status) {
		whatif_request_free(w);
		return status;
	}
	if (config->store_ops->get_traces(config->store, query, trace_loaded, w,
					  &err)) {
		pending_refuse(w->pending, "not known", &err);
		whatif_request_free(w);
	}
	return REQUEST_LATER;
}

int whatif_make(struct request *r)
{
	struct store_trace_query query = { .user_id = request_scope(r) };
	struct whatif_request *w = calloc(1, sizeof(*w));
	struct sp_error err;

	if (!w)
		return request_out_of_memory(r);
	w->task.work = &work;
	w->body =
		wire_request_parse(r->body ? r->body : "", r->body_size, &err);
	if (!w->body || check_names(w->body, &err) ||
	    parse_question(w->body, r->http->config.engine, &w->question,
			   &query, &err)) {
		whatif_request_free(w);
		return request_fail(r, 400, "%s", err.text);
	}
	return start_task(r, w, &query);
}
