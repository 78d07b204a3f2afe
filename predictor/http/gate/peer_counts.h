/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_counts.h - how many connections each user or address has
 *
 * A limit keeps one from using all connections of a socket.  A peer is a uid at
 * a Unix socket, and an address on TCP (peer_address.h), of IPv6 the network: a
 * host may take any address of it.  Not thread-safe: for the one thread that
 * serves the socket.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define HTTP_CONNECTIONS_MAX 16384 /* of a socket, that may be configured */

struct peer_counts;

struct peer_counts *peer_counts_create(void); /* NULL: out of memory */
void peer_counts_destroy(struct peer_counts *counts);

/* Count one more connection of `peer`.  false: it has `limit` already. */
bool peer_counts_enter(struct peer_counts *counts, uint64_t peer, int limit);
void peer_counts_leave(struct peer_counts *counts, uint64_t peer);
