/* SPDX-License-Identifier: GPL-2.0-or-later */
/* server.h - what the server's files share */
#ifndef PREDICTOR_HTTP_SERVER_H
#define PREDICTOR_HTTP_SERVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "predictor/http/http.h"
#include "predictor/http/refusals.h"
#include "predictor/http/routes.h"

struct MHD_Daemon;
struct pending;
struct identity;
struct roster;

struct peer_counts;

/* Requests of one row of the routes table. */
struct http_counts {
	atomic_uint_fast64_t good, refused, failed; /* 2xx and 3xx, 4xx, 5xx */
	atomic_uint_fast64_t busy_us; /* from the first line to the reply */
};

/* A listening socket, served by one thread. */
struct http_socket {
	struct http *http;
	struct listener listener;
	struct MHD_Daemon *daemon;
	struct peer_counts *counts; /* NULL on TCP */
};

struct http {
	struct http_config config;
	struct identity *identity;
	struct roster *roster; /* nodes that probe links */
	struct http_socket sockets[HTTP_LISTENERS_MAX];
	size_t sockets_count;

	pthread_rwlock_t access_lock;
	struct access access;
	struct refusals refusals;

	atomic_size_t body_bytes;
	struct http_counts counts[ROUTES_MAX]; /* by row; the last: no row */

	bool closing;            /* under the lock of pending.c */
	struct pending *pending; /* likewise */
};

#endif
