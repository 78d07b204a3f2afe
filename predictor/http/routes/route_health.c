/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_health.c - whether predictd runs, and is ready to predict */
#include <stdatomic.h>

#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"

static int add_bool(struct request *r, const char *key, bool value)
{
	return request_add(r, key, json_object_new_boolean(value));
}

int livez_show(struct request *r)
{
	return request_reply(r, "live", json_object_new_boolean(true));
}

/* Predictions do not need the store: it may be down. */
int readyz_show(struct request *r)
{
	const struct http_config *config = &r->http->config;
	bool ready = atomic_load(config->ready);
	int status = 200;
	struct store_status store;
	struct engine_counts counts;

	if (!ready)
		status = request_fail(r, 503, "the history is not loaded yet");
	config->store_ops->status(config->store, &store);
	engine_count(config->engine, &counts);
	if (add_bool(r, "ready", ready) || add_bool(r, "store_up", store.up) ||
	    request_add(r, "runs", json_object_new_int64((int64_t)counts.runs)))
		return request_out_of_memory(r);
	return status;
}
