/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_counts.h - how many connections each local user has
 *
 * A limit keeps one user from using all connections of the socket on which
 * slurmctld requests predictions.  Not thread-safe: for the one thread that
 * serves the socket.
 */
#ifndef PREDICTOR_HTTP_PEER_COUNTS_H
#define PREDICTOR_HTTP_PEER_COUNTS_H

#include <stdbool.h>
#include <sys/types.h>

struct peer_counts;

struct peer_counts *peer_counts_create(void); /* NULL: out of memory */
void peer_counts_destroy(struct peer_counts *counts);

/* Count one more connection of `uid`.  false: it has `limit` already. */
bool peer_counts_enter(struct peer_counts *counts, uid_t uid, int limit);
void peer_counts_leave(struct peer_counts *counts, uid_t uid);

#endif
