/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_whatif.c - the run time of a traced job, had its ranks been elsewhere
 *
 * The request is checked here and waits, without its trace, for its turn in a
 * thread of its own (whatif_worker.h).  That reads the trace, and that of the
 * run of the application before, and replays both within one limit, so that
 * there are those of one request in memory at a time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
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
	struct store_trace_query query;
	const struct http_config *config;
	double began_s;
	bool sees_nodes; /* and what was measured of them */
};

static void whatif_request_free(struct whatif_request *w)
{
	json_object_put(w->body);
	free(w);
}

/* --- The request ---------------------------------------------------------- */

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
	const char *conditions = wire_find_text(body, "conditions", NULL);
	const char *cluster = wire_find_text(body, "cluster", NULL);
	const char *application = wire_find_text(body, "application", NULL);
	int64_t job_id = find_number(body, "job_id");
	int64_t ranks = find_number(body, "ranks");
	int64_t best_nodes = find_number(body, "best_nodes");

	q->place = wire_find_text(body, "place", NULL);
	q->nodes = wire_find_text(body, "nodes", NULL);
	q->swap = find_bool(body, "swap");
	q->best = find_bool(body, "best") || best_nodes;
	q->best_nodes = (int)best_nodes;
	q->deadline_s = WHATIF_WALL_S;
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

static struct json_object *encode_node(const struct traced_place *place, int n,
				       bool sees)
{
	struct json_object *object = json_object_new_object();
	bool failed = false;

	json_add(object, "node", json_object_new_string(place->nodes[n].name),
		 &failed);
	json_add_number(object, "cores", place->nodes[n].cores, &failed);
	if (sees)
		json_add_number(object, "speed", place->replay[n].speed,
				&failed);
	return json_finish(object, failed);
}

/* Where the ranks were and would be, and the nodes that there are. */
static void encode_places(struct json_object *object,
			  const struct run_trace *run,
			  const struct whatif_answer *answer, bool sees,
			  bool *failed)
{
	struct json_object *before = json_object_new_array();
	struct json_object *ranks = json_object_new_array();
	struct json_object *nodes = json_object_new_array();

	for (int r = 0; before && ranks && r < answer->ranks; r++) {
		json_object_array_add(
			before,
			json_object_new_string(run->nodes[run->node[r]].name));
		json_object_array_add(ranks,
				      json_object_new_string(answer->names[r]));
	}
	for (int n = 0; nodes && n < answer->place.count; n++)
		json_object_array_add(nodes,
				      encode_node(&answer->place, n, sees));
	json_add(object, "ranks", ranks, failed);
	json_add(object, "ranks_before", before, failed);
	json_add(object, "nodes", nodes, failed);
	if (answer->swap[0] < 0)
		return;

	struct json_object *swap = json_object_new_array();

	for (int i = 0; swap && i < 2; i++)
		json_object_array_add(swap,
				      json_object_new_int(answer->swap[i]));
	json_add(object, "swap", swap, failed);
}

static struct json_object *encode_answer(const struct run_trace *run,
					 const struct whatif_answer *answer,
					 bool sees)
{
	struct json_object *object = fields_encode(whatif_run_fields, run);
	bool failed = false;

	if (isfinite(run->begun_at))
		json_add_number(object, "begun_at", run->begun_at, &failed);
	json_add_fields(object, whatif_answer_fields, answer, &failed);
	json_add_number(object, "gain", answer->here_s / answer->there_s,
			&failed);
	encode_places(object, run, answer, sees, &failed);
	return json_finish(object, failed);
}

static struct json_object *find_answer(struct whatif_request *w,
				       struct run_trace runs[], int count,
				       const struct work_limit *limit,
				       struct sp_error *err)
{
	struct json_object *object = NULL;
	struct whatif_answer answer;
	struct run_trace run;

	if (run_traces_choose(runs, count, limit, &run, err))
		return NULL;
	if (!whatif_answer_find(&run, &w->question, &answer, err)) {
		object = encode_answer(&run, &answer, w->sees_nodes);
		if (!object)
			sp_error_set(err, "out of memory");
		whatif_answer_clear(&answer);
	}
	run_trace_clear(&run);
	return object;
}

static bool given_up(struct whatif_task *task)
{
	return pending_given_up(((struct whatif_request *)task)->pending);
}

static bool load_given_up(void *context)
{
	return given_up(context);
}

static void reply(struct whatif_request *w, int status,
		  struct json_object *object, const struct sp_error *err)
{
	struct request *r = pending_lock(w->pending);

	if (r && object)
		r->status = request_add(r, "whatif", object)
				    ? request_out_of_memory(r)
				    : 200;
	else if (r)
		r->status = request_fail(r, status, "%s", err->text);
	else
		json_object_put(object);
	pending_end(w->pending);
}

static void serve(struct whatif_task *task)
{
	struct whatif_request *w = (struct whatif_request *)task;
	const struct work_limit limit =
		work_limit_begin(WHATIF_CPU_S, WHATIF_WALL_S);
	struct json_object *object = NULL;
	struct run_trace *runs;
	struct sp_error err;
	int status, count;

	if (clock_monotonic_s() - w->began_s > WHATIF_WAIT_S) {
		sp_error_set(&err, "others' traces were replayed for too long; "
				   "try again later");
		reply(w, 503, NULL, &err);
		return;
	}
	count = stored_traces_load(w->config, &w->query, load_given_up, task,
				   &runs, &status, &err);
	if (!count)
		return;
	if (count > 0) {
		status = 422;
		object = find_answer(w, runs, count, &limit, &err);
		run_traces_free(runs, count);
	}
	reply(w, status, object, &err);
}

static void end(struct whatif_task *task)
{
	whatif_request_free((struct whatif_request *)task);
}

static const struct whatif_work work = {
	.given_up = given_up,
	.serve = serve,
	.end = end,
};

/* --- In the server's ------------------------------------------------------ */

static int start_task(struct request *r, struct whatif_request *w)
{
	int status = w->question.conditions
			     ? request_check_nodes(r, w->query.cluster)
			     : 0;

	if (!status)
		status = trace_place_take(r, &r->http->whatif_places);
	if (!status)
		status = pending_begin(r, &w->pending);
	if (status) {
		whatif_request_free(w);
		return status;
	}
	w->config = &r->http->config;
	w->began_s = r->began_s;
	w->sees_nodes = request_sees_nodes(r, w->query.cluster);
	whatif_worker_put(r->http->whatif, &w->task);
	return REQUEST_LATER;
}

int whatif_make(struct request *r)
{
	struct whatif_request *w = calloc(1, sizeof(*w));
	struct sp_error err;

	if (!w)
		return request_out_of_memory(r);
	w->task.work = &work;
	w->query.user_id = request_scope(r);
	w->body =
		wire_request_parse(r->body ? r->body : "", r->body_size, &err);
	if (!w->body || check_names(w->body, &err) ||
	    parse_question(w->body, r->http->config.engine, &w->question,
			   &w->query, &err)) {
		whatif_request_free(w);
		return request_fail(r, 400, "%s", err.text);
	}
	return start_task(r, w);
}
