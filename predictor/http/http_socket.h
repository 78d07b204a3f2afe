/* SPDX-License-Identifier: GPL-2.0-or-later */
/* http_socket.h - a listening socket, its connections and their deadlines */
#pragma once

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/http/gate/connections.h"
#include "predictor/http/gate/listen.h"

/* What callbacks return, an int before libmicrohttpd 0.9.71. */
#if MHD_VERSION >= 0x00097100
typedef enum MHD_Result mhd_result;
#else
typedef int mhd_result;
#endif

struct http_socket {
	struct http *http;
	struct listener listener;
	bool for_trusted;         /* a trusted socket: no others can connect */
	struct MHD_Daemon *users; /* serves all but the trusted */
	/* Operators and collectors; on TCP, those who claim to be. */
	struct MHD_Daemon *trusted;
	struct peer_counts *counts, *trusted_counts; /* of their threads */

	pthread_t acceptor;
	bool accepting;
	int stop_fds[2]; /* a pipe: a byte ends the acceptor */

	struct connections of_users, of_trusted;
	atomic_size_t waiting; /* accepted, not begun by `users` */
	atomic_uint begun;     /* by `users` */
	/* Only the acceptor uses these: when `begun` was seen to change. */
	unsigned begun_seen;
	double begun_s;
};

/* Serve s->listener for s->http.  On failure the listener stays open;
 * http_socket_close() must be called in any case. */
int http_socket_serve(struct http_socket *s, struct sp_error *err);

/* Accept no more connections. */
void http_socket_quiesce(struct http_socket *s);

/* Close all connections.  None may be suspended. */
void http_socket_close(struct http_socket *s);

/* The client has `seconds` from now to send the next part of a request whole;
 * INFINITY: it waits for us. */
void http_connection_allow(struct MHD_Connection *connection, double seconds);

/* The client's credential is good: it keeps its place, among those of its user
 * and no more among those of its address.  false: this user, who is not
 * trusted, has too many. */
bool http_connection_prove(struct MHD_Connection *connection, uid_t uid,
			   bool trusted);
/* It is not: the next one in need of a place may have its place. */
void http_connection_disprove(struct MHD_Connection *connection);

/* Return whether the client is on TCP, and is served with the collectors. */
bool http_connection_is_apart(struct MHD_Connection *connection);

/* Return the address of a client on TCP; 0: the socket is a Unix socket. */
uint64_t http_connection_address(struct MHD_Connection *connection);

/* What server.c does with requests; see libmicrohttpd. */
mhd_result server_handle(void *context, struct MHD_Connection *connection,
			 const char *url, const char *method,
			 const char *version, const char *upload_data,
			 size_t *upload_data_size, void **request);
void *server_begin(void *context, const char *target,
		   struct MHD_Connection *connection);
void server_end(void *context, struct MHD_Connection *connection,
		void **request, enum MHD_RequestTerminationCode code);
