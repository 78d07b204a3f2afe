/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_traces.c - blocks of traces to be stored, and the traces of jobs */
#include <stdlib.h>

#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/reply_traces.h"
#include "predictor/http/routes/trace_places.h"
#include "predictor/http/server.h"
#include "predictor/wire/block/json_trace_block.h"
#include "predictor/wire/wire.h"

/* --- Blocks --------------------------------------------------------------- */

static void block_stored(void *context, int rc, bool kept,
			 const struct sp_error *why)
{
	struct pending *p = context;
	struct request *r = pending_lock(p);

	if (r && rc != STORE_STORED) {
		r->status = pending_failed(r, rc, "not stored", why);
	} else if (r) {
		r->status =
			request_reply(r, "kept", json_object_new_boolean(kept));
	}
	pending_end(p);
}

int traces_store(struct request *r)
{
	struct http_config *config = &r->http->config;
	struct trace_block block;
	struct pending *p;
	struct sp_error err;

	r->message = wire_parse(r->body ? r->body : "", r->body_size, &err);
	if (!r->message || wire_trace_block_decode(r->message, &block, &err))
		return request_fail(r, 400, "%s", err.text);

	int status = pending_begin(r, &p);

	if (status)
		return status;
	if (config->store_ops->put_trace(config->store, &block, block_stored, p,
					 &err))
		pending_refuse(p, "not stored", &err);
	return REQUEST_LATER;
}

/* --- Traces --------------------------------------------------------------- */

/* In the reader's thread: the text is made before the lock is taken. */
static void traces_loaded(void *context, int rc, struct store_trace *traces,
			  size_t count, const struct sp_error *why)
{
	struct pending *p = context;
	struct sp_error err;
	size_t size;
	char *text = rc == STORE_STORED
			     ? traces_reply_make(traces, count, p->records,
						 &size, &err)
			     : NULL;
	struct request *r = pending_lock(p);

	if (r && text) {
		r->text = text;
		r->text_size = size;
		r->text_type = REQUEST_JSON_TYPE;
		r->status = 200;
	} else if (r && rc == STORE_STORED) {
		r->status = request_fail(r, 404, "%s", err.text);
	} else if (r) {
		r->status = pending_failed(r, rc, "not known", why);
	}
	if (!r)
		free(text);
	pending_end(p);
}

static int parse_query(struct request *r, struct store_trace_query *ret,
		       struct sp_error *err)
{
	ret->user_id = request_scope(r);
	if (request_query_number(r, "job_id", 0, &ret->job_id, err) ||
	    request_query_number(r, "ranks", 0, &ret->ranks, err) ||
	    request_query_text(r, "cluster", ret->cluster, sizeof(ret->cluster),
			       err) ||
	    request_query_text(r, "application", ret->application,
			       sizeof(ret->application), err))
		return -1;
	if (!ret->job_id == !ret->application[0])
		return sp_error_set(err, "give one of job_id and application");
	return 0;
}

int traces_list(struct request *r)
{
	struct http_config *config = &r->http->config;
	struct store_trace_query query = { 0 };
	struct pending *p;
	struct sp_error err;

	if (parse_query(r, &query, &err))
		return request_fail(r, 400, "%s", err.text);

	int status = trace_place_take(r, &r->http->trace_places);

	if (!status)
		status = pending_begin(r, &p);
	if (status)
		return status;
	/* Whether what was measured of nodes may be seen. */
	p->records = request_sees_nodes(r, query.cluster);
	if (config->store_ops->get_traces(config->store, &query, traces_loaded,
					  p, &err))
		pending_refuse(p, "not known", &err);
	return REQUEST_LATER;
}
