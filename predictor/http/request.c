/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.c - one HTTP request, from its first line to the reply
 *
 * A request is allocated at its first line and freed at its end by
 * libmicrohttpd's callbacks; the body and the reply belong to it.  Roles are
 * read under the lock of the access list.  Refusals are counted, and logged
 * once in a while for each uid.
 */
#include <errno.h>
#include <math.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/features/secret.h"
#include "predictor/http/kept_texts.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/trace_places.h"
#include "predictor/http/server.h"

struct request *request_create(struct http *http,
			       struct MHD_Connection *connection,
			       const char *target)
{
	struct request *r = malloc(sizeof(*r));

	if (!r)
		return NULL;
	memset(r, 0, offsetof(struct request, target));
	r->target[0] = '\0';
	r->prediction.id[0] = '\0';
	r->http = http;
	r->connection = connection;
	r->began_s = clock_monotonic_s();
	r->uid = (uid_t)-1;
	if (strlen(target) < sizeof(r->target))
		strcpy(r->target, target);
	return r;
}

void request_destroy(struct request *request)
{
	if (!request)
		return;
	atomic_fetch_sub(&request->http->body_bytes,
			 request->body ? request->body_expected : 0);
	if (request->charged)
		budget_return(request->http->budget, request->uid,
			      request->body_expected);
	trace_place_return(request);
	free(request->body);
	json_object_put(request->message);
	json_object_put(request->reply);
	free(request->text);
	kept_text_release(request->kept);
	free(request);
}

bool request_has_role(const struct request *request, enum role role)
{
	struct http *http = request->http;

	pthread_rwlock_rdlock(&http->access_lock);
	bool yes = access_allows(&http->access, request->uid, role);
	pthread_rwlock_unlock(&http->access_lock);
	return yes;
}

bool request_is_operator(const struct request *request)
{
	return request_has_role(request, ROLE_OPERATOR) && !request->plain;
}

bool request_is_trusted(const struct request *request)
{
	return request_has_role(request, ROLE_OPERATOR) ||
	       request_has_role(request, ROLE_COLLECTOR);
}

bool request_sees_nodes(const struct request *request, const char *cluster)
{
	return !engine_hides_nodes(request->http->config.engine, cluster) ||
	       (request_is_trusted(request) && !request->plain);
}

int request_check_nodes(struct request *request, const char *cluster)
{
	if (request_sees_nodes(request, cluster))
		return 0;
	return request_fail(request, 403,
			    "PrivateData of slurm.conf hides nodes, or is "
			    "not known");
}

bool request_sees_queue(const struct request *request, const char *cluster)
{
	return request_is_operator(request) ||
	       engine_shows_jobs(request->http->config.engine, cluster);
}

enum sight request_sight(const struct request *request, uint32_t user_id,
			 const char *cluster, bool ended)
{
	if (user_id == request->uid || request_is_operator(request))
		return SEES_ALL;
	return !ended && request_sees_queue(request, cluster) ? SEES_TIMES
							      : SEES_NOTHING;
}

int request_whose(struct request *request, const char *fallback,
		  uint32_t *ret_user_id, char ret_user[RUN_NAME_SIZE])
{
	const char *user = request_query(request, "user");
	uint64_t uid;

	user = user ? user : fallback;
	*ret_user = '\0';
	*ret_user_id = request->uid;
	if (strcmp(user, "self") == 0 ||
	    (request_parse_number(user, UINT32_MAX - 1, &uid) == 0 &&
	     uid == request->uid))
		return 0;
	*ret_user_id = UINT32_MAX;
	if (!request_is_operator(request))
		return request_fail(request, 403, "forbidden");
	if (strlen(user) >= RUN_NAME_SIZE)
		return request_fail(request, 400, "user: too long");
	if (strcmp(user, "all") != 0)
		strcpy(ret_user, user);
	return 0;
}

uint32_t request_scope(const struct request *request)
{
	return request_is_operator(request) ? UINT32_MAX : request->uid;
}

int request_add(struct request *request, const char *key,
		struct json_object *value)
{
	if (!value)
		return -1;
	if (!request->reply)
		request->reply = wire_reply_create();
	if (!request->reply ||
	    json_object_object_add(request->reply, key, value)) {
		json_object_put(value);
		return -1;
	}
	return 0;
}

int request_reply(struct request *request, const char *key,
		  struct json_object *value)
{
	return request_add(request, key, value) ? request_out_of_memory(request)
						: 200;
}

/* A client that has no right to what it requests: an admin may have forgotten
 * to give it one. */
static void refusal_log(const struct request *r, int status, const char *why)
{
	const char *what = r->route ? r->route->pattern : "";
	uint64_t more;

	if (!refusals_note(&r->http->refusals, r->uid, clock_monotonic_s(),
			   &more))
		return;
	if (status == 401)
		log_warning(
			"request %s refused: no valid MUNGE credential; %llu "
			"more since the last such line",
			what, (unsigned long long)more);
	else
		log_warning("request %s of uid %u refused: %s; %llu more since "
			    "the last such line (see SlurmUser, Operators and "
			    "Collectors in predict.conf(5))",
			    what, (unsigned)r->uid, why,
			    (unsigned long long)more);
}

int request_decode(struct request *request, struct wire_request *ret,
		   struct sp_error *err)
{
	request->message = wire_request_parse(
		request->body ? request->body : "", request->body_size, err);
	if (!request->message)
		return -1;
	return wire_request_decode(request->message, ret, err);
}

/* Return the word for programs; openapi.json has all of them. */
static const char *status_code(int status)
{
	static const char *const codes[] = {
		[400] = "bad_request",        [401] = "unauthorized",
		[403] = "forbidden",          [404] = "not_found",
		[405] = "method_not_allowed", [411] = "length_required",
		[413] = "too_large",          [414] = "path_too_long",
		[421] = "wrong_connection",   [422] = "not_replayable",
		[429] = "too_many",           [500] = "internal",
		[503] = "unavailable",
	};

	return codes[status];
}

int request_fail(struct request *request, int status, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	secret_mask_text(text);

	if (status == 401 || status == 403)
		refusal_log(request, status, text);
	json_object_put(request->reply);
	request->reply = wire_reply_create();
	if (request->reply)
		wire_reply_add_error(request->reply, text, status_code(status));
	return status;
}

int request_out_of_memory(struct request *request)
{
	return request_fail(request, 500, "out of memory");
}

const char *request_header(const struct request *request, const char *name)
{
	return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
					   name);
}

const char *request_query(struct request *request, const char *name)
{
	return MHD_lookup_connection_value(request->connection,
					   MHD_GET_ARGUMENT_KIND, name);
}

int request_parse_number(const char *text, uint64_t max, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 10);
	return text[0] < '0' || text[0] > '9' || *end || errno || *ret > max
		       ? -1
		       : 0;
}

int request_query_number(struct request *request, const char *name,
			 uint32_t fallback, uint32_t *ret, struct sp_error *err)
{
	const char *text = request_query(request, name);
	uint64_t number = fallback;

	if (text && request_parse_number(text, UINT32_MAX, &number))
		return sp_error_set(err, "%s: not a number", name);
	*ret = (uint32_t)number;
	return 0;
}

int request_query_real(struct request *request, const char *name,
		       double fallback, double *ret, struct sp_error *err)
{
	const char *text = request_query(request, name);
	char *end;

	*ret = fallback;
	if (!text)
		return 0;
	*ret = strtod(text, &end);
	if (text[0] < '0' || text[0] > '9' || *end || !isfinite(*ret))
		return sp_error_set(err, "%s: not a number", name);
	return 0;
}

int request_query_text(struct request *request, const char *name, char *ret,
		       size_t size, struct sp_error *err)
{
	const char *text = request_query(request, name);

	if (text && strlen(text) >= size)
		return sp_error_set(err, "%s: too long", name);
	snprintf(ret, size, "%s", text ? text : "");
	return 0;
}

bool request_is_kept(struct request *request, uint64_t scope)
{
	request->keeps = true;
	request->scope = scope;
	request->kept =
		kept_texts_find(&request->http->kept_texts, request->target,
				scope, clock_monotonic_s());
	return request->kept;
}

void request_suspend(struct request *request)
{
	MHD_suspend_connection(request->connection);
}

void request_resume(struct request *request)
{
	MHD_resume_connection(request->connection);
}
