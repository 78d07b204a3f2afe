/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_whatif.c - the run time of a traced job, had its ranks been elsewhere
 *
 * The request is checked here, the trace is read by the store, and a thread of
 * its own replays it (whatif_worker.h).
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/reply_traces.h"
#include "predictor/http/routes/trace_places.h"
#include "predictor/http/routes/whatif_worker.h"
#include "predictor/http/server.h"

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

static int parse_question(struct whatif_task *task,
			  struct store_trace_query *ret, struct sp_error *err)
{
	struct json_object *body = task->body;
	struct whatif_question *q = &task->question;
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
	task->now = !conditions || !strcmp(conditions, "now");
	if (!task->now && strcmp(conditions, "then") != 0)
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

/* In the store's thread. */
static void trace_loaded(void *context, int rc,
			 const struct store_trace *traces, size_t count,
			 const struct sp_error *why)
{
	struct whatif_task *task = context;
	struct sp_error err;
	struct pending *p = task->pending;

	if (rc == STORE_STORED)
		task->text = traces_reply_make(traces, count, true, &task->size,
					       &err);

	struct request *r = pending_lock(p);

	if (r && task->text) {
		/* The worker lives as long as requests that wait. */
		whatif_worker_put(r->http->whatif, task);
		pending_unlock();
		return;
	}
	if (r && rc == STORE_STORED)
		r->status = request_fail(r, 404, "%s", err.text);
	else if (r)
		r->status = pending_failed(r, rc, "not known", why);
	pending_end(p);
	whatif_task_free(task);
}

static int start_task(struct request *r, struct whatif_task *task,
		      const struct store_trace_query *query)
{
	const struct http_config *config = &r->http->config;
	struct sp_error err;
	int status = task->now ? request_check_nodes(r, query->cluster) : 0;

	if (!status)
		status = trace_place_take(r);
	if (!status)
		status = pending_begin(r, &task->pending);
	if (status) {
		whatif_task_free(task);
		return status;
	}
	if (config->store_ops->get_traces(config->store, query, trace_loaded,
					  task, &err)) {
		pending_refuse(task->pending, "not known", &err);
		whatif_task_free(task);
	}
	return REQUEST_LATER;
}

int whatif_make(struct request *r)
{
	struct store_trace_query query = { .user_id = request_scope(r) };
	struct whatif_task *task = calloc(1, sizeof(*task));
	struct sp_error err;

	if (!task)
		return request_out_of_memory(r);
	task->engine = r->http->config.engine;
	task->body =
		wire_request_parse(r->body ? r->body : "", r->body_size, &err);
	if (!task->body || check_names(task->body, &err) ||
	    parse_question(task, &query, &err)) {
		whatif_task_free(task);
		return request_fail(r, 400, "%s", err.text);
	}
	return start_task(r, task, &query);
}
