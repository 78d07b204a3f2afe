/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_accuracy.c - how accurate the predictions have been
 *
 * Without `by`, the accuracy of each model, from the engine.  With it, groups
 * of runs by cluster, partition, user, application, model or month, from the
 * whole history in the store, for predictions at submission and at the start,
 * beside the users' own limits.  While the store is not available, the reply
 * has the figures of the engine and a warning.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/http/json_build.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

/* --- The reply ------------------------------------------------------------ */

static int reply_groups(struct request *r, const struct store_accuracy *rows,
			size_t count)
{
	int64_t total = count ? (int64_t)rows[0].total : 0;

	if (request_add(r, "accuracy",
			json_records(store_accuracy_fields, rows, count,
				     sizeof(*rows))))
		return request_out_of_memory(r);
	return request_reply(r, "total", json_object_new_int64(total));
}

/* --- The request ---------------------------------------------------------- */

static int flag_parse(struct request *r, const char *name, bool *ret,
		      struct sp_error *err)
{
	const char *text = request_query(r, name);

	*ret = text && strcmp(text, "true") == 0;
	return text && !*ret && strcmp(text, "false") != 0
		       ? sp_error_set(err, "%s: not true or false", name)
		       : 0;
}

static int accuracy_query_parse(struct request *r,
				struct store_accuracy_query *ret,
				struct sp_error *err)
{
	uint32_t offset, limit;

	*ret = (struct store_accuracy_query){ .user_id = request_scope(r) };
	if (enum_words_parse(&store_accuracy_by_words, request_query(r, "by"),
			     &ret->by))
		return sp_error_set(err,
				    "by: not all, cluster, partition, user, "
				    "application, model or month");
	if (request_query_text(r, "cluster", ret->cluster, RUN_NAME_SIZE,
			       err) ||
	    request_query_text(r, "partition", ret->partition, RUN_NAME_SIZE,
			       err) ||
	    request_query_text(r, "user", ret->user, RUN_NAME_SIZE, err) ||
	    request_query_text(r, "application", ret->application,
			       APPLICATION_NAME_SIZE, err) ||
	    request_query_text(r, "model", ret->model,
			       PREDICTION_MODEL_NAME_SIZE, err) ||
	    flag_parse(r, "completed", &ret->completed, err) ||
	    flag_parse(r, "advice", &ret->advice, err) ||
	    request_query_real(r, "since", NAN, &ret->since_s, err) ||
	    request_query_real(r, "until", NAN, &ret->until_s, err) ||
	    request_query_number(r, "offset", 0, &offset, err) ||
	    request_query_number(r, "limit", STORE_ACCURACY_MAX, &limit, err))
		return -1;
	if (limit == 0 || limit > STORE_ACCURACY_MAX)
		return sp_error_set(err, "limit: not 1 to %d",
				    STORE_ACCURACY_MAX);
	ret->offset = offset;
	ret->limit = limit;
	return 0;
}

static int reply_from_memory(struct request *r, const struct sp_error *why)
{
	char text[sizeof(why->text) + 64];
	int status = accuracy_from_memory(r);

	snprintf(text, sizeof(text),
		 "these are figures from memory, by model: %s", why->text);
	if (status == 200)
		wire_reply_add_warning(r->reply, text);
	return status;
}

static void accuracy_loaded(void *context, int rc, const void *rows,
			    size_t count, const struct sp_error *why)
{
	struct pending *p = context;
	struct request *r = pending_lock(p);

	if (r)
		r->status = rc == STORE_STORED ? reply_groups(r, rows, count)
					       : reply_from_memory(r, why);
	pending_end(p);
}

int accuracy_list(struct request *r)
{
	const struct http_config *config = &r->http->config;
	struct store_accuracy_query query;
	struct pending *p;
	struct sp_error err;

	if (!request_query(r, "by"))
		return accuracy_from_memory(r);
	if (accuracy_query_parse(r, &query, &err))
		return request_fail(r, 400, "%s", err.text);

	int status = pending_begin(r, &p);

	if (status)
		return status;
	if (config->store_ops->get_accuracy(config->store, &query,
					    accuracy_loaded, p, &err))
		accuracy_loaded(p, STORE_AGAIN, NULL, 0, &err);
	return REQUEST_LATER;
}
