/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_imports.c - import past runs from job logs
 *
 * The reply is sent once the runs are stored.  The client sends messages of
 * moderate size: decoding thousands of runs at once would delay predictions on
 * the same socket.
 */
#include "predictor/features/script/identify.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

static int reply_imported(struct request *r,
			  const struct store_imported *result)
{
	const struct {
		const char *name;
		size_t count;
	} counts[] = {
		{ "stored", result->stored },
		{ "doubles", result->doubles },
		{ "refused", result->refused },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (request_add(
			    r, counts[i].name,
			    json_object_new_int64((int64_t)counts[i].count)))
			return request_out_of_memory(r);
	if (result->refused &&
	    request_add(r, "refusal",
			json_object_new_string(result->refusal.text)))
		return request_out_of_memory(r);
	return 200;
}

static void import_stored(void *context, int rc,
			  const struct store_imported *result,
			  const struct sp_error *why)
{
	struct pending *p = context;
	struct request *r = pending_lock(p);

	if (r)
		r->status = rc == STORE_STORED
				    ? reply_imported(r, result)
				    : pending_failed(r, rc, "not stored", why);
	pending_end(p);
}

/* Give the runs to the store.  Returns REQUEST_LATER, or a status. */
static int store_runs(struct request *r, const struct wire_import *import)
{
	const struct http_config *config = &r->http->config;
	struct store_import batch = {
		.runs_count = import->runs_count,
		.runs = import->runs,
		.last = import->last,
	};
	struct pending *p;
	struct sp_error err;
	int status = pending_begin(r, &p);

	if (status)
		return status;
	if (config->store_ops->put_import(config->store, &batch, import_stored,
					  p, &err))
		pending_refuse(p, "not stored", &err);
	return REQUEST_LATER;
}

int imports_store(struct request *r)
{
	struct wire_import import;
	struct sp_error err;
	struct json_object *message =
		wire_parse(r->body ? r->body : "", r->body_size, &err);
	int rc = message ? wire_import_decode(message, &import, &err) : -1;

	json_object_put(message);
	if (rc)
		return request_fail(r, 400, "%s", err.text);

	for (size_t i = 0; i < import.runs_count; i++)
		if (!*import.runs[i].application.name)
			application_from_name(import.runs[i].job_name,
					      &import.runs[i].application);

	int status = import.runs_count || import.last
			     ? store_runs(r, &import)
			     : request_fail(r, 400, "no runs");

	wire_import_clear(&import);
	return status;
}
