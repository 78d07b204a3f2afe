/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_history.c - finished runs from the store, a page at a time */
#include <math.h>

#include "predictor/http/json_build.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

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

static struct json_object *encode_run(const void *element)
{
	return wire_run_encode(element);
}

static int reply_runs(struct request *r, const struct run *runs, size_t count)
{
	struct json_object *list =
		json_array(runs, count, sizeof(*runs), encode_run);

	return request_reply(r, "runs", list);
}

static void runs_loaded(void *context, int rc, const struct run *runs,
			size_t count, const struct sp_error *why)
{
	struct pending *p = context;
	struct request *r = pending_lock(p);

	if (r)
		r->status = rc == STORE_STORED
				    ? reply_runs(r, runs, count)
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
	status = pending_begin(r, &p);
	if (status)
		return status;
	if (config->store_ops->get_runs(config->store, &query, runs_loaded, p,
					&err))
		pending_refuse(p, "not known", &err);
	return REQUEST_LATER;
}
