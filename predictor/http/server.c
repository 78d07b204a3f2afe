/* SPDX-License-Identifier: GPL-2.0-or-later */
/* server.c - predictd's HTTP server
 *
 * libmicrohttpd calls server_handle() several times for a request, always in
 * the thread of its connection: after the headers, for each piece of the body,
 * at its end, and after a suspended connection was resumed.  request->stage
 * says which step is next: find the route, check the identity and the role,
 * receive the body, call the route's function, reply.
 *
 * No byte of a body is kept before the identity is known.  Other threads touch
 * a request only while its connection is suspended.
 */
#include <math.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/unused.h"
#include "predictor/conditions/roster.h"
#include "predictor/http/charge.h"
#include "predictor/http/gate/identity.h"
#include "predictor/http/pending.h"
#include "predictor/http/proof.h"
#include "predictor/http/request.h"
#include "predictor/http/response.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/whatif/whatif_worker.h"
#include "predictor/http/server.h"
#include "predictor/whatif/order_table.h"

/* Enough for people, for programs that poll, and for a node behind whose
 * address a few of them are. */
const struct http_limits http_limits_default = {
	.user = { .requests_per_s = 50,
		  .predictions_per_s = 10,
		  .bodies_kib = 1024 },
	.address_requests_per_s = 50,
	.connections = 2048,
	.peer_connections = 64,
	.headers_s = 10,
	.body_s = 30,
};

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
	double bucket_us = HTTP_BUCKET_S * 1e6;
	int bucket = 0;

	for (; bucket < HTTP_BUCKETS - 1 && busy_us > bucket_us; bucket++)
		bucket_us *= HTTP_BUCKET_RATIO;
	atomic_fetch_add(&counts->buckets[bucket], 1);
	atomic_fetch_add(r->status < 400   ? &counts->good
			 : r->status < 500 ? &counts->refused
					   : &counts->failed,
			 1);
	atomic_fetch_add(&counts->busy_us, (uint_fast64_t)busy_us);
	log_debug("%s %s from uid %d: %d after %.0f us", method, r->target,
		  (int)r->uid, r->status, busy_us);
}

static mhd_result send_reply(struct request *r, const char *method, int status)
{
	static const struct {
		int status;
		const char *header, *value;
	} added[] = {
		{ 421, MHD_HTTP_HEADER_CONNECTION, "close" },
		{ 429, MHD_HTTP_HEADER_RETRY_AFTER, "1" },
		/* Each further try costs a new connection. */
		{ 429, MHD_HTTP_HEADER_CONNECTION, "close" },
		{ 503, MHD_HTTP_HEADER_RETRY_AFTER, "5" },
	};

	r->stage = STAGE_REPLIED;
	r->status = status;

	struct MHD_Response *response = response_make(r, method);

	if (!response)
		return MHD_NO; /* out of memory: the connection is closed */
	status = r->status;
	if (status == 401)
		MHD_add_response_header(
			response, MHD_HTTP_HEADER_WWW_AUTHENTICATE,
			r->http->config.token_key ? "MUNGE, Bearer" : "MUNGE");
	if (status == 405)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW,
					r->allow);
	for (size_t i = 0; i < sizeof(added) / sizeof(added[0]); i++)
		if (added[i].status == status)
			MHD_add_response_header(response, added[i].header,
						added[i].value);

	mhd_result rc = MHD_queue_response(r->connection, (unsigned int)status,
					   response);

	MHD_destroy_response(response);
	count_request(r, method);
	return rc;
}

/* A browser says which site's page a request is of.  Behind a proxy that names
 * the user, another site could act as that user. */
static bool is_from_elsewhere(const struct request *r)
{
	const char *site = request_header(r, "Sec-Fetch-Site");

	return site && strcmp(site, "same-origin") && strcmp(site, "none");
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
	if (takes_body && is_from_elsewhere(r))
		return request_fail(r, 403, "sent by the page of another site");
	r->body_expected = (size_t)expected;
	r->plain = request_header(r, "X-Predict-Role");
	return 0;
}

/* The client is known: check its role and its budget, and reserve memory for
 * the body. */
static int admit_request(struct request *r)
{
	struct http *http = r->http;
	bool trusted = r->uid != (uid_t)-1 && request_is_trusted(r);
	/* What is forbidden is paid, too. */
	int status = r->uid != (uid_t)-1 && !trusted ? charge_user(r) : 0;

	if (!request_has_role(r, r->route->role) && status != 429)
		return request_fail(r, 403, "forbidden");
	if (!status && !trusted && http_connection_is_apart(r->connection))
		return request_fail(r, 421,
				    "this connection is for collectors and "
				    "operators");
	if (status)
		return status;
	r->stage = STAGE_BODY;
	if (r->body_expected == 0)
		return 0;
	http_connection_allow(r->connection, http->limits.body_s);
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

	if (!status && (r->route->role != ROLE_ANYBODY ||
			(!is_unix && r->route->function == metrics_show &&
			 proof_is_sent(r))))
		status = proof_check(r, method, is_unix);
	else if (!status && is_unix)
		status = proof_of_peer(r); /* for the budget */

	/* Who proves nothing, or not yet, is charged to the address. */
	int refused = r->stage == STAGE_IDENTITY ? 0 : charge_address(r);

	status = refused ? refused : status;
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
	double began_s = r->charged ? clock_read_s(CLOCK_THREAD_CPUTIME_ID) : 0;

	r->stage = STAGE_LATER;
	http_connection_allow(r->connection, INFINITY);

	int status = r->route->function(r);

	/* Another thread may have it now. */
	if (status == REQUEST_LATER)
		return MHD_YES;

	mhd_result rc = send_reply(r, method, status);

	if (r->charged)
		budget_charge(r->http->budget, r->uid,
			      clock_read_s(CLOCK_THREAD_CPUTIME_ID) - began_s);
	return rc;
}

mhd_result server_handle(void *context,
			 struct MHD_Connection *connection UNUSED,
			 const char *url UNUSED, const char *method,
			 const char *version UNUSED, const char *upload_data,
			 size_t *upload_data_size, void **request)
{
	struct http_socket *s = context;
	struct request *r = *request;
	int status;

	if (!r)
		return MHD_NO; /* out of memory */
	switch (r->stage) {
	case STAGE_HEADERS:
		return handle_headers(r, method, s->listener.is_unix);
	case STAGE_IDENTITY:
		status = proof_checked(r);
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

void *server_begin(void *context, const char *target,
		   struct MHD_Connection *connection)
{
	struct http_socket *s = context;

	http_connection_allow(connection, s->http->limits.headers_s);
	return request_create(s->http, connection, target);
}

void server_end(void *context, struct MHD_Connection *connection,
		void **request, enum MHD_RequestTerminationCode code UNUSED)
{
	struct http_socket *s = context;
	struct request *r = *request;

	http_connection_allow(connection,
			      HTTP_IDLE_S + s->http->limits.headers_s);
	/* slurmctld waits for the reply, not for this. */
	if (r && r->prediction.id[0])
		predictions_sent(r);
	request_destroy(r);
	*request = NULL;
}

static int socket_add(struct http *http, const struct listener *listener,
		      bool for_trusted, struct sp_error *err)
{
	struct http_socket *s = &http->sockets[http->sockets_count++];

	s->http = http;
	s->listener = *listener;
	s->for_trusted = for_trusted;
	s->stop_fds[0] = s->stop_fds[1] = -1;
	return http_socket_serve(s, err);
}

/* A trusted socket is closed apart, the paths of both with the public one. */
static int listener_serve(struct http *http, const struct listener *listener,
			  struct sp_error *err)
{
	struct listener open = *listener, trusted = *listener;

	trusted.fd = listener->trusted_fd;
	trusted.lock_fd = trusted.trusted_fd = open.trusted_fd = -1;
	if (trusted.fd >= 0) {
		listener_trust(listener->address, &http->access);
		if (socket_add(http, &trusted, true, err))
			return -1;
	}
	return socket_add(http, &open, false, err);
}

static void listener_disown(struct listener *listener)
{
	listener->fd = listener->lock_fd = listener->trusted_fd = -1;
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
	http->began_at_s = clock_now_s();
	http->limits = config->limits ? *config->limits : http_limits_default;
	if (!http->config.routes)
		http->config.routes = routes;
	http->access = config->access;
	pthread_rwlock_init(&http->access_lock, NULL);
	refusals_init(&http->refusals);
	kept_texts_init(&http->kept_texts);
	kept_texts_init(&http->metrics);
	ordered_lock_init(&http->metrics_lock, LOCK_METRICS);
	trace_places_init(&http->trace_places, TRACE_PLACES);
	trace_places_init(&http->whatif_places, WHATIF_PLACES);
	trace_places_init(&http->report_places, REPORT_PLACES);
	trace_places_init(&http->use_places, REPORT_PLACES);
	trace_places_init(&http->sooner_places, SOONER_PLACES);
	http->identity =
		identity_create(config->munge_socket, config->token_key, err);
	if (!http->identity)
		goto fail;
	http->whatif = whatif_worker_create(err);
	if (!http->whatif)
		goto fail;
	http->orders = order_table_create();
	http->roster = roster_create(config->topology);
	if (!http->orders || !http->roster || charges_create(http)) {
		sp_error_set(err, "http: out of memory");
		goto fail;
	}
	for (size_t i = 0; i < listeners_count; i++)
		if (listener_serve(http, &listeners[i], err))
			goto fail;
	for (size_t i = 0; i < listeners_count; i++)
		listener_disown(&listeners[i]);
	return http;
fail:
	/* The listeners stay the caller's. */
	for (size_t i = 0; i < http->sockets_count; i++) {
		http_socket_quiesce(&http->sockets[i]);
		listener_disown(&http->sockets[i].listener);
	}
	http_destroy(http);
	return NULL;
}

void http_set_access(struct http *http, const struct access_lists *access)
{
	pthread_rwlock_wrlock(&http->access_lock);
	http->access = *access;
	pthread_rwlock_unlock(&http->access_lock);
	for (size_t i = 0; i < http->sockets_count; i++)
		if (http->sockets[i].for_trusted)
			listener_trust(http->sockets[i].listener.address,
				       access);
}

void http_destroy(struct http *http)
{
	if (!http)
		return;
	for (size_t i = 0; i < http->sockets_count; i++)
		http_socket_quiesce(&http->sockets[i]);

	/* libmicrohttpd must not be stopped while connections are suspended:
	 * reply to all of them first. */
	if (http->identity)
		identity_stop(http->identity);
	pending_abandon(http);
	if (http->orders)
		order_table_close(http->orders);
	whatif_worker_destroy(http->whatif);
	for (size_t i = 0; i < http->sockets_count; i++)
		http_socket_close(&http->sockets[i]);
	identity_destroy(http->identity);
	roster_destroy(http->roster);
	charges_destroy(http);
	pthread_rwlock_destroy(&http->access_lock);
	refusals_destroy(&http->refusals);
	kept_texts_clear(&http->kept_texts);
	kept_texts_clear(&http->metrics);
	ordered_lock_destroy(&http->metrics_lock);
	trace_places_destroy(&http->trace_places);
	trace_places_destroy(&http->whatif_places);
	trace_places_destroy(&http->report_places);
	trace_places_destroy(&http->use_places);
	trace_places_destroy(&http->sooner_places);
	order_table_release(http->orders);
	free(http);
}
