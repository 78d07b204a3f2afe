/* SPDX-License-Identifier: GPL-2.0-or-later */
/* server.c - predictd's HTTP server
 *
 * libmicrohttpd calls handle_request() several times for a request, always in
 * the thread of its socket: after the headers, for each piece of the body, at
 * its end, and after a suspended connection was resumed.  request->stage says
 * which step is next: find the route, check the identity and the role, receive
 * the body, call the route's function, reply.
 *
 * No byte of a body is kept before the identity is known.  Other threads touch a
 * request only while its connection is suspended.
 */
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/priority.h"
#include "predictor/http/handlers.h"
#include "predictor/http/identity.h"
#include "predictor/http/peer_counts.h"
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/roster.h"
#include "predictor/http/server.h"

/* What callbacks return, an int before libmicrohttpd 0.9.71. */
#if MHD_VERSION >= 0x00097100
typedef enum MHD_Result mhd_result;
#else
typedef int mhd_result;
#endif

/* For headers and a piece of the body.  Larger pools cost time: they are cleared
 * for each request. */
#define CONNECTION_BYTES (16 * 1024)

/* Of the thread of a Unix socket: slurmctld waits for its replies with locks
 * held. */
#define NICE (-10)

static struct http_counts *counts_of(struct request *r)
{
	size_t row = ROUTES_MAX - 1;

	if (r->route)
		row = (size_t)(r->route - r->http->config.routes);
	return &r->http->counts[row];
}

static void count_request(struct request *r, const char *method)
{
	struct http_counts *counts = counts_of(r);
	double busy_us = (clock_monotonic_s() - r->began_s) * 1e6;

	atomic_fetch_add(r->status < 400   ? &counts->good
			 : r->status < 500 ? &counts->refused
					   : &counts->failed,
			 1);
	atomic_fetch_add(&counts->busy_us, (uint_fast64_t)busy_us);
	log_debug("%s %s from uid %d: %d after %.0f us", method, r->target,
		  (int)r->uid, r->status, busy_us);
}

static struct MHD_Response *make_response(struct request *r)
{
	/* The text lives as long as the request, longer than the reply. */
	if (r->text)
		return MHD_create_response_from_buffer(r->text_size, r->text,
						       MHD_RESPMEM_PERSISTENT);

	static const char fallback[] =
		"{\"errors\":[{\"error\":\"out of memory\"}],\"warnings\":[]}";
	struct json_object *meta = json_object_new_object();

	if (meta)
		json_object_object_add(meta, "version",
				       json_object_new_string(SP_VERSION));
	request_add(r, "meta", meta);

	size_t size = sizeof(fallback) - 1;
	const char *text = NULL;

	if (r->reply)
		text = json_object_to_json_string_length(
			r->reply,
			JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE,
			&size);
	return MHD_create_response_from_buffer(
		size, (void *)(uintptr_t)(text ? text : fallback),
		MHD_RESPMEM_MUST_COPY);
}

static mhd_result send_reply(struct request *r, const char *method, int status)
{
	struct MHD_Response *response = make_response(r);
	const char *type = r->text ? r->text_type : REQUEST_JSON_TYPE;

	r->stage = STAGE_REPLIED;
	r->status = status;
	if (!response)
		return MHD_NO; /* out of memory: the connection is closed */
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL,
				"no-store");
	if (status == 401)
		MHD_add_response_header(
			response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "MUNGE");
	if (status == 405)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW,
					r->allow);

	mhd_result rc = MHD_queue_response(r->connection, (unsigned int)status,
					   response);

	MHD_destroy_response(response);
	count_request(r, method);
	return rc;
}

static const char *request_header(struct request *r, const char *name)
{
	return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND,
					   name);
}

/* Find the route.  Returns 0, or the 4xx of a request that is refused without
 * knowing the client. */
static int check_headers(struct request *r, const char *method)
{
	if (!r->target[0])
		return request_fail(r, 414, "the path is too long");
	switch (route_find(r->http->config.routes, method, r->target, &r->route,
			   r->captured, r->allow)) {
	case ROUTE_NO_PATH:
		return request_fail(r, 404, "no such path");
	case ROUTE_NO_METHOD:
		return request_fail(r, 405, "method not allowed");
	case ROUTE_FOUND:
		break;
	}

	const char *length = request_header(r, MHD_HTTP_HEADER_CONTENT_LENGTH);

	if (request_header(r, MHD_HTTP_HEADER_TRANSFER_ENCODING))
		return request_fail(r, 411, "Content-Length is missing");

	unsigned long long expected = length ? strtoull(length, NULL, 10) : 0;
	bool takes_body = !strcmp(method, "POST");

	if (expected > (takes_body ? HTTP_BODY_MAX : 0))
		return request_fail(r, 413, "the body is too large");
	r->body_expected = (size_t)expected;
	return 0;
}

static void identity_checked(struct credential_check *check)
{
	struct request *r = (struct request *)((char *)check -
					       offsetof(struct request, check));

	request_resume(r);
}

/* Find out the uid of the client.  Returns 0, a 4xx or a 5xx.  A credential takes
 * time: the stage is STAGE_IDENTITY then, the connection suspended. */
static int check_identity(struct request *r, const char *method, bool is_unix)
{
	static const char scheme[] = "MUNGE ";
	const char *proof = request_header(r, MHD_HTTP_HEADER_AUTHORIZATION);

	if (!proof && !is_unix)
		return request_fail(r, 401, "unauthorized");
	if (!proof) {
		const union MHD_ConnectionInfo *info = MHD_get_connection_info(
			r->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
		struct sp_error err;

		if (info && !identity_of_peer(info->connect_fd, &r->uid, &err))
			return 0;
		return request_fail(r, 401, "unauthorized");
	}
	if (strncmp(proof, scheme, sizeof(scheme) - 1) ||
	    strlen(proof) > IDENTITY_CREDENTIAL_MAX)
		return request_fail(r, 401, "unauthorized");
	if (snprintf(r->payload, sizeof(r->payload), "%s %s", method,
		     r->target) >= (int)sizeof(r->payload))
		return request_fail(r, 414, "the path is too long");
	r->check.credential = proof + sizeof(scheme) - 1;
	r->check.payload = r->payload;
	r->check.done = identity_checked;
	r->stage = STAGE_IDENTITY;
	request_suspend(r);
	if (identity_check(r->http->identity, &r->check)) {
		r->check.verdict = IDENTITY_UNAVAILABLE;
		request_resume(r);
	}
	return 0;
}

static int apply_verdict(struct request *r)
{
	switch (r->check.verdict) {
	case IDENTITY_KNOWN:
		r->uid = r->check.uid;
		return 0;
	case IDENTITY_UNAVAILABLE:
		return request_fail(r, 503, "cannot check credentials now");
	case IDENTITY_REFUSED:
		break;
	}
	return request_fail(r, 401, "unauthorized");
}

static bool role_allowed(struct request *r)
{
	struct http *http = r->http;

	pthread_rwlock_rdlock(&http->access_lock);
	bool yes = access_allows(&http->access, r->uid, r->route->role);
	pthread_rwlock_unlock(&http->access_lock);
	return yes;
}

/* The client is known: check its role, and reserve memory for the body. */
static int admit_request(struct request *r)
{
	struct http *http = r->http;

	if (!role_allowed(r))
		return request_fail(r, 403, "forbidden");
	r->stage = STAGE_BODY;
	if (r->body_expected == 0)
		return 0;
	if (atomic_fetch_add(&http->body_bytes, r->body_expected) +
			    r->body_expected >
		    HTTP_BODIES_MAX ||
	    !(r->body = malloc(r->body_expected))) {
		atomic_fetch_sub(&http->body_bytes, r->body_expected);
		return request_fail(r, 503, "too many large requests at once");
	}
	return 0;
}

static mhd_result handle_headers(struct request *r, const char *method,
				 bool is_unix)
{
	int status = check_headers(r, method);

	if (!status && r->route->role != ROLE_ANYBODY)
		status = check_identity(r, method, is_unix);
	if (!status && r->stage != STAGE_IDENTITY)
		status = admit_request(r);
	return status ? send_reply(r, method, status) : MHD_YES;
}

static mhd_result append_body(struct request *r, const char *data, size_t *size)
{
	if (*size > r->body_expected - r->body_size)
		return MHD_NO; /* libmicrohttpd checks this, too */
	memcpy(r->body + r->body_size, data, *size);
	r->body_size += *size;
	*size = 0;
	return MHD_YES;
}

static mhd_result call_route(struct request *r, const char *method)
{
	r->stage = STAGE_LATER;

	int status = r->route->function(r);

	return status == REQUEST_LATER ? MHD_YES
				       : send_reply(r, method, status);
}

static mhd_result handle_request(void *context,
				 struct MHD_Connection *connection,
				 const char *url, const char *method,
				 const char *version, const char *upload_data,
				 size_t *upload_data_size, void **request)
{
	struct http_socket *s = context;
	struct request *r = *request;
	int status;

	(void)connection;
	(void)url;
	(void)version;
	if (!r)
		return MHD_NO; /* out of memory */
	switch (r->stage) {
	case STAGE_HEADERS:
		return handle_headers(r, method, s->listener.is_unix);
	case STAGE_IDENTITY:
		status = apply_verdict(r);
		if (!status)
			status = admit_request(r);
		return status ? send_reply(r, method, status) : MHD_YES;
	case STAGE_BODY:
		if (*upload_data_size)
			return append_body(r, upload_data, upload_data_size);
		return call_route(r, method);
	case STAGE_LATER:
		return send_reply(r, method, r->status);
	case STAGE_REPLIED:
		break;
	}
	return MHD_NO;
}

static void *request_begins(void *context, const char *target,
			    struct MHD_Connection *connection)
{
	struct http_socket *s = context;

	return request_create(s->http, connection, target);
}

static void request_ended(void *context, struct MHD_Connection *connection,
			  void **request, enum MHD_RequestTerminationCode code)
{
	struct request *r = *request;

	(void)context;
	(void)connection;
	(void)code;
	/* slurmctld waits for the reply, not for this. */
	if (r && r->prediction.id[0])
		predictions_sent(r);
	request_destroy(r);
	*request = NULL;
}

/* A connection begins or ends.  *counted: it is counted in s->counts. */
static void connection_changed(void *context, struct MHD_Connection *connection,
			       void **counted,
			       enum MHD_ConnectionNotificationCode code)
{
	struct http_socket *s = context;
	struct sp_error err;
	uid_t uid;
	int fd = MHD_get_connection_info(connection,
					 MHD_CONNECTION_INFO_CONNECTION_FD)
			 ->connect_fd;

	if (!s->counts || identity_of_peer(fd, &uid, &err))
		return;
	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (*counted)
			peer_counts_leave(s->counts, uid);
		return;
	}
	pthread_rwlock_rdlock(&s->http->access_lock);
	bool trusted = access_allows(&s->http->access, uid, ROLE_OPERATOR);
	pthread_rwlock_unlock(&s->http->access_lock);
	if (peer_counts_enter(s->counts, uid,
			      trusted ? HTTP_CONNECTIONS_MAX : HTTP_PEER_MAX)) {
		*counted = s;
	} else {
		log_debug("uid %u has too many connections", (unsigned)uid);
		shutdown(fd, SHUT_RDWR); /* libmicrohttpd closes it then */
	}
}

static void library_log(void *context, const char *format, va_list arguments)
{
	char text[512];

	(void)context;
	vsnprintf(text, sizeof(text), format, arguments);
	text[strcspn(text, "\n")] = '\0';
	log_debug("libmicrohttpd: %s", text);
}

/* With epoll libmicrohttpd waits for writability at all times, so on a Unix
 * socket each read by a client would wake the thread, at the cost of the client.
 * So that socket uses poll; thousands of nodes come over TCP. */
static int socket_serve(struct http_socket *s, struct sp_error *err)
{
	struct MHD_OptionItem limits[] = {
		{ MHD_OPTION_LISTEN_SOCKET, s->listener.fd, NULL },
		{ MHD_OPTION_CONNECTION_LIMIT, HTTP_CONNECTIONS_MAX, NULL },
		{ MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES, NULL },
		{ MHD_OPTION_CONNECTION_TIMEOUT, HTTP_IDLE_S, NULL },
		/* The kernel has no address for counts on a Unix socket. */
		{ s->listener.is_unix ? MHD_OPTION_END
				      : MHD_OPTION_PER_IP_CONNECTION_LIMIT,
		  HTTP_PEER_MAX, NULL },
		{ MHD_OPTION_END, 0, NULL },
	};

	if (s->listener.is_unix && !(s->counts = peer_counts_create()))
		return sp_error_set(err, "out of memory");

	/* The new thread inherits the nice value. */
	int nice = priority_of_process();

	if (s->listener.is_unix)
		priority_set(nice + NICE);
	s->daemon = MHD_start_daemon(
		(s->listener.is_unix ? MHD_USE_POLL_INTERNAL_THREAD
				     : MHD_USE_EPOLL_INTERNAL_THREAD) |
			MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME |
			MHD_USE_ERROR_LOG,
		0, NULL, NULL, handle_request, s, MHD_OPTION_EXTERNAL_LOGGER,
		library_log, NULL, MHD_OPTION_URI_LOG_CALLBACK, request_begins,
		s, MHD_OPTION_NOTIFY_COMPLETED, request_ended, s,
		MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s,
		MHD_OPTION_ARRAY, limits, MHD_OPTION_END);
	priority_set(nice);
	if (!s->daemon)
		return sp_error_set(err, "cannot serve %s",
				    s->listener.address);
	return 0;
}

struct http *http_create(const struct http_config *config,
			 struct listener listeners[], size_t listeners_count,
			 struct sp_error *err)
{
	struct http *http = calloc(1, sizeof(*http));

	if (!http || listeners_count > HTTP_LISTENERS_MAX) {
		sp_error_set(err, "http: %s",
			     http ? "too many sockets" : "out of memory");
		free(http);
		return NULL;
	}
	http->config = *config;
	if (!http->config.routes)
		http->config.routes = routes;
	http->access = config->access;
	pthread_rwlock_init(&http->access_lock, NULL);
	refusals_init(&http->refusals);
	http->identity = identity_create(config->munge_socket, err);
	if (!http->identity)
		goto fail;
	http->roster = roster_create(config->topology);
	if (!http->roster) {
		sp_error_set(err, "http: out of memory");
		goto fail;
	}
	for (size_t i = 0; i < listeners_count; i++) {
		struct http_socket *s = &http->sockets[http->sockets_count++];

		s->http = http;
		s->listener = listeners[i];
		if (socket_serve(s, err))
			goto fail;
	}
	for (size_t i = 0; i < listeners_count; i++)
		listeners[i].fd = listeners[i].lock_fd = -1;
	return http;
fail:
	/* The listeners stay the caller's. */
	for (size_t i = 0; i < http->sockets_count; i++) {
		struct http_socket *s = &http->sockets[i];

		if (s->daemon)
			MHD_quiesce_daemon(s->daemon);
		s->listener.fd = s->listener.lock_fd = -1;
	}
	http_destroy(http);
	return NULL;
}

void http_set_access(struct http *http, const struct access *access)
{
	pthread_rwlock_wrlock(&http->access_lock);
	http->access = *access;
	pthread_rwlock_unlock(&http->access_lock);
}

void http_destroy(struct http *http)
{
	if (!http)
		return;
	for (size_t i = 0; i < http->sockets_count; i++)
		if (http->sockets[i].daemon &&
		    http->sockets[i].listener.fd >= 0)
			MHD_quiesce_daemon(http->sockets[i].daemon);

	/* libmicrohttpd must not be stopped while connections are suspended:
	 * reply to all of them first. */
	if (http->identity)
		identity_stop(http->identity);
	pending_abandon(http);
	for (size_t i = 0; i < http->sockets_count; i++) {
		struct http_socket *s = &http->sockets[i];

		if (s->daemon)
			MHD_stop_daemon(s->daemon);
		peer_counts_destroy(s->counts);
		listener_close(&s->listener);
	}
	identity_destroy(http->identity);
	roster_destroy(http->roster);
	pthread_rwlock_destroy(&http->access_lock);
	refusals_destroy(&http->refusals);
	free(http);
}
