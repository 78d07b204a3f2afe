/* SPDX-License-Identifier: GPL-2.0-or-later */
/* server.h - what the server's files share */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "predictor/http/gate/budget.h"
#include "predictor/http/gate/refusals.h"
#include "predictor/http/http.h"
#include "predictor/http/http_socket.h"
#include "predictor/http/kept_texts.h"
#include "predictor/http/routes.h"
#include "predictor/http/routes/trace_places.h"

/* How long requests take: each class to HTTP_BUCKET_RATIO times the one before
 * it, from HTTP_BUCKET_S on; the last one to any time. */
#define HTTP_BUCKETS      8
#define HTTP_BUCKET_S     0.0005
#define HTTP_BUCKET_RATIO 4

/* Requests of one row of the routes table. */
struct http_counts {
	atomic_uint_fast64_t good, refused, failed; /* 2xx and 3xx, 4xx, 5xx */
	atomic_uint_fast64_t buckets[HTTP_BUCKETS];
	atomic_uint_fast64_t busy_us; /* from the first line to the reply */
};

struct http {
	struct http_config config;
	struct identity *identity;
	struct roster *roster; /* nodes that probe links */
	struct http_socket
		sockets[2 * HTTP_LISTENERS_MAX]; /* the trusted ones, too */
	size_t sockets_count;

	pthread_rwlock_t access_lock;
	struct access_lists access;
	struct refusals refusals;
	struct http_limits limits;
	struct budget *budget;    /* of ordinary users */
	struct budget *addresses; /* without a credential, on TCP */
	/* Connections that these open. */
	struct budget *user_connects, *address_connects;

	struct trace_places trace_places, whatif_places, report_places;
	struct trace_places use_places; /* of a job's use */
	struct trace_places sooner_places;
	struct kept_texts kept_texts;
	struct ordered_lock metrics_lock; /* while metrics are printed */
	struct kept_texts metrics;
	double began_at_s;
	struct whatif_worker *whatif;
	struct order_table *orders;

	atomic_size_t body_bytes;
	atomic_uint_fast64_t late;    /* connections closed at a deadline */
	atomic_uint_fast64_t crowded; /* for want of places */
	struct http_counts counts[ROUTES_MAX]; /* by row; the last: no row */

	bool closing;            /* under the lock of pending.c */
	struct pending *pending; /* likewise */
};
