/* SPDX-License-Identifier: GPL-2.0-or-later */
/* connections.h - a list of open connections and their deadlines
 *
 * Each daemon of libmicrohttpd has a list of its own: the thread that serves
 * slurmctld never waits for a lock that the thread of ordinary users holds.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "predictor/base/ordered_lock.h"

struct http_connection {
	struct http_socket *socket;
	struct connections *list;
	int fd;
	uint64_t peer;              /* uid at a Unix socket, address on TCP */
	struct peer_counts *counts; /* of the thread that serves it */
	uint64_t counted_as;        /* there; 0: it is not */

	/* Under the list's lock. */
	bool proved;       /* it has shown a good credential */
	double deadline_s; /* of the monotonic clock */
	struct http_connection *older, *newer;
};

struct connections {
	struct ordered_lock lock; /* of all below */
	struct http_connection *oldest, *newest;
	size_t count;
};

void connections_init(struct connections *list);
void connections_clear(struct connections *list); /* it must be empty */

/* `c` must stay until it is removed, its descriptor open.  Gives the number of
 * connections. */
size_t connections_append(struct connections *list, struct http_connection *c);
void connections_remove(struct connections *list, struct http_connection *c);

/* The client has until `deadline_s`; INFINITY: it waits for us. */
void connection_allow(struct http_connection *c, double deadline_s);
void connection_prove(struct http_connection *c, bool proved);

/* Count it as one of `peer` from now on, 0: of none; in the thread that serves
 * it.  false: there are `limit` already, and it is of none. */
bool connection_count(struct http_connection *c, uint64_t peer, int limit);

/* Shut those down that are late; gives how many. */
size_t connections_sweep(struct connections *list, double now_s);

/* Shut the oldest connection down that has shown no credential, if there are
 * `crowded` or more in the list.  `peer`: one of this peer; 0: of any.  Gives
 * how many. */
size_t connections_make_room(struct connections *list, uint64_t peer,
			     size_t crowded);
