/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peers.h - nodes that were probed: address, capacity, debt
 *
 * Bounded: of many peers those probed last are kept.
 */
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include "collectors/probes/transfer.h"
#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"

#define PROBE_PEERS_MAX 128

struct probe_peer {
	char name[HOSTLIST_NAME_SIZE]; /* empty: this place is free */
	uint64_t slot;                 /* of its last probe */
	struct sockaddr_storage address;
	socklen_t address_size; /* 0: not resolved yet */
	/* There and back, in bits of payload per second; NAN: not known. */
	double out_bps, back_bps;
	/* Seconds that transfers took beyond their limit. */
	double debt_s;
	int failures; /* since the last success */
};

struct probe_peers {
	struct probe_peer of[PROBE_PEERS_MAX];
};

/* Return its place, or a new one, which may replace the peer probed
 * longest ago. */
struct probe_peer *probe_peers_find(struct probe_peers *peers, const char *name,
				    uint64_t slot);

/* Resolve its address, unless it is known.  Blocks as long as the resolver
 * does. */
int probe_peer_resolve(struct probe_peer *peer, int port, struct sp_error *err);

/* To be called once in each of its turns: whether its debt allows for
 * transfers, and how large they may be.  `interval_s` is the slot's length. */
bool probe_peer_limits(struct probe_peer *peer, double interval_s,
		       struct transfer_limits *ret_out,
		       struct transfer_limits *ret_back);

/* Add the time of transfers to its debt. */
void probe_peer_spent(struct probe_peer *peer, double interval_s, double out_s,
		      double back_s);
