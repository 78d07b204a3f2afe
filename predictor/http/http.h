/* SPDX-License-Identifier: GPL-2.0-or-later */
/* http.h - predictd's HTTP server
 *
 * Translates between HTTP and the engine and the store.  The routes are in
 * routes.c, their messages in openapi.json.  One thread of libmicrohttpd serves
 * each listening socket; at a Unix socket, operators and collectors have one of
 * their own, and a socket of their own beside it (trusted_socket.h), so that
 * many users do not delay slurmctld.
 *
 * Everything that a client can make grow is bounded: connections (also those of
 * one peer), header bytes, body bytes of one request and of all, the time for
 * each, and what one user may request (budget.h).
 */
#pragma once

#include <stdatomic.h>

#include "predictor/base/error.h"
#include "predictor/engine/engine.h"
#include "predictor/engine/store.h"
#include "predictor/http/gate/access.h"
#include "predictor/http/gate/budget.h"
#include "predictor/http/gate/listen.h"
#include "predictor/http/gate/peer_counts.h"
#include "predictor/http/gate/proxies.h"

#define HTTP_LISTENERS_MAX 8
#define HTTP_BODY_MAX      (1 << 20)  /* bytes of one request */
#define HTTP_BODIES_MAX    (64 << 20) /* bytes of all requests together */
#define HTTP_IDLE_S        60         /* a connection may be idle */
#define HTTP_USER_BODY_MAX (96 << 10) /* bytes of a user's request */
/* On TCP, this part of the connections is for clients with a credential. */
#define HTTP_PLACES_KEPT 8

struct http;

/* What clients may use.  At least 1 each. */
struct http_limits {
	struct budget_limits user;  /* an ordinary one */
	int address_requests_per_s; /* without a credential, from one address */
	int connections;            /* on each listening socket */
	int peer_connections;       /* of these, of one user or address */
	int headers_s;              /* for the headers as a whole */
	int body_s;                 /* for a body as a whole */
};

extern const struct http_limits http_limits_default;

struct http_config {
	struct engine *engine;
	const struct store_ops *store_ops;
	void *store;
	const atomic_bool *answers; /* jobs can be predicted */
	const atomic_bool *ready;   /* all of the history is loaded */
	const char *munge_socket;   /* NULL: MUNGE's default; copied */
	const char *token_key; /* file of Slurm's JWT key; NULL: no tokens */
	const struct proxies *proxies; /* NULL: none */
	const char *proxy_header;      /* that has the user's name */
	const char *topology; /* topology.conf; NULL or empty: none; copied */
	/* One in this many of the jobs that have a profile is
	 * profiled again. */
	uint32_t profile_every;
	uint32_t trace_every;  /* of all with several tasks; 0: none */
	int metrics_guarded;   /* those of partitions are for operators */
	int metrics_old_names; /* those before 0.2.0 */
	struct access_lists access;
	const struct http_limits *limits; /* NULL: the default; copied */
	const struct route *routes;       /* NULL: those of routes.h */
};

/* Serve the open `listeners`; on success it owns their fds and sets them to -1.
 * Copies `config`; what that points to must outlive the server. */
struct http *http_create(const struct http_config *config,
			 struct listener listeners[], size_t listeners_count,
			 struct sp_error *err);

/* Replace the list of operators and collectors. */
void http_set_access(struct http *http, const struct access_lists *access);

/* Close all connections.  Requests that wait for a commit get a 503 first:
 * their reports may be committed or not, as after any lost reply. */
void http_destroy(struct http *http);
