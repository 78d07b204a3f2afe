/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_history.c - finished runs from the store, and what they used */
#include <math.h>
#include <string.h>

#include "predictor/features/script/user_parameters.h"
#include "predictor/http/json_build.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/trace_places.h"
#include "predictor/http/server.h"
#include "predictor/http/use_json.h"
#include "predictor/wire/wire.h"

/* --- Pages of runs -------------------------------------------------------- */

/* That many of the longest runs fit into a reply that clients accept. */
#define PAGE_MAX 250

static int query_id_parse(struct request *r, int64_t *ret, struct sp_error *err)
{
	const char *text = request_query(r, "after_id");
	uint64_t id = 0;

	if (text && request_parse_number(text, INT64_MAX, &id))
		return sp_error_set(err, "after_id: not a number");
	*ret = (int64_t)id;
	return 0;
}

static int runs_query_parse(struct request *r, struct store_runs_query *ret,
			    struct sp_error *err)
{
	uint32_t limit;

	*ret = (struct store_runs_query){ .limit = 0 };
	if (request_query_text(r, "cluster", ret->cluster, RUN_NAME_SIZE,
			       err) ||
	    request_query_real(r, "since", NAN, &ret->since_s, err) ||
	    request_query_real(r, "until", NAN, &ret->until_s, err) ||
	    request_query_real(r, "after_ended_at_s", 0, &ret->after_ended_at_s,
			       err) ||
	    query_id_parse(r, &ret->after_id, err) ||
	    request_query_number(r, "limit", PAGE_MAX, &limit, err))
		return -1;
	if (limit == 0 || limit > PAGE_MAX)
		return sp_error_set(err, "limit: not 1 to %d", PAGE_MAX);
	ret->limit = limit;
	return 0;
}

static struct json_object *encode_run(const void *run)
{
	return wire_run_encode(run);
}

static void runs_loaded(void *context, int rc, const void *runs, size_t count,
			const struct sp_error *why)
{
	struct pending *p = context;
	struct request *r = pending_lock(p);

	if (r)
		r->status =
			rc == STORE_STORED
				? request_reply(r, "runs",
						json_array(runs, count,
							   sizeof(struct run),
							   encode_run))
				: pending_failed(r, rc, "not known", why);
	pending_end(p);
}

int runs_list(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct store_runs_query query;
	struct pending *p;
	struct sp_error err;
	int status;

	if (runs_query_parse(r, &query, &err))
		return request_fail(r, 400, "%s", err.text);
	status = request_whose(r, "all", &query.user_id, query.user);
	if (!status)
		status = pending_begin(r, &p);
	if (status)
		return status;
	if (config->store_ops->get_runs(config->store, &query, runs_loaded, p,
					&err))
		pending_refuse(p, "not known", &err);
	return REQUEST_LATER;
}

/* --- What runs used ------------------------------------------------------- */

/* In the reader's thread.  pending->like is the job that advice is for, if
 * pending->records says so; without a size it is like the newest run. */
static void use_loaded(void *context, int rc, const void *loaded, size_t count,
		       const struct sp_error *why)
{
	const struct store_use *rows = loaded;
	struct pending *p = context;
	struct json_object *groups =
		rc == STORE_STORED
			? use_encode_groups(rows, count, p->records, &p->like)
			: NULL;
	struct request *r = pending_lock(p);

	if (!r) {
		json_object_put(groups);
	} else if (rc != STORE_STORED) {
		r->status = pending_failed(r, rc, "not known", why);
	} else if (request_add(r, "report", groups)) {
		r->status = request_out_of_memory(r);
	} else {
		r->status = request_reply(
			r, "total",
			json_object_new_int64(count ? (int64_t)rows[0].groups
						    : 0));
	}
	pending_end(p);
}

/* As --predict-param has them. */
static void parameters_parse(struct request *r, struct parameters *ret)
{
	struct application found = { .name = "" };
	const struct submission given = {
		.settings_count = 1,
		.settings = { { "param", request_query(r, "parameters") } },
	};

	if (given.settings[0].value)
		user_parameters_options(&given, &found);
	*ret = found.parameters;
}

static int use_query_parse(struct request *r, struct store_use_query *ret,
			   struct used_run *ret_like, struct sp_error *err)
{
	const char *by = request_query(r, "by");
	uint32_t limit;
	int which;

	*ret = (struct store_use_query){ .runs = 1 };
	if (enum_words_parse(&store_use_by_words, by ? by : "application",
			     &which))
		return sp_error_set(
			err, "by: not application, day, user or account");
	ret->by = (enum store_use_by)which;
	*ret_like = (struct used_run){ .nodes = 0 };
	parameters_parse(r, &ret_like->parameters);
	if (request_query_text(r, "cluster", ret->cluster, RUN_NAME_SIZE,
			       err) ||
	    request_query_text(r, "application", ret->application,
			       APPLICATION_NAME_SIZE, err) ||
	    request_query_real(r, "since", NAN, &ret->since_s, err) ||
	    request_query_real(r, "until", NAN, &ret->until_s, err) ||
	    request_query_number(r, "nodes", 0, &ret_like->nodes, err) ||
	    request_query_number(r, "tasks", 0, &ret_like->tasks, err) ||
	    request_query_real(r, "memory_mb", NAN, &ret_like->memory_mb,
			       err) ||
	    request_query_number(r, "node_cpus", 0, &ret_like->node_cpus,
				 err) ||
	    request_query_real(r, "quantile_s", NAN, &ret_like->quantile_s,
			       err) ||
	    request_query_real(r, "limit_s", NAN, &ret_like->limit_s, err) ||
	    request_query_number(r, "limit", STORE_USE_MAX, &limit, err))
		return -1;
	if (limit == 0 || limit > STORE_USE_MAX)
		return sp_error_set(err, "limit: not 1 to %d", STORE_USE_MAX);
	ret->limit = limit;
	return 0;
}

int report_show(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct store_use_query query;
	struct used_run like;
	struct pending *p;
	struct sp_error err;

	if (use_query_parse(r, &query, &like, &err))
		return request_fail(r, 400, "%s", err.text);

	int status = request_whose(r, "self", &query.user_id, query.user);
	bool advised = query.by == USE_BY_APPLICATION &&
		       (query.user_id != UINT32_MAX || *query.user);

	if (!status)
		status = trace_place_take(r, &r->http->report_places);
	if (!status)
		status = pending_begin(r, &p);
	if (status)
		return status;
	p->records = advised;
	p->like = like;
	p->like.memory_unadvised =
		!engine_advises_memory(config->engine, query.cluster);
	query.runs = advised ? NEXT_REQUEST_RUNS : 1;
	if (config->store_ops->get_use(config->store, &query, use_loaded, p,
				       &err))
		pending_refuse(p, "not known", &err);
	return REQUEST_LATER;
}
