/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peers.c - nodes that were probed: address, capacity, debt */
#include <math.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "collectors/probes/peers.h"

/* Share of the time in which transfers keep a link busy; the rest, up to 1 %,
 * is for headers and retransmissions. */
#define COST       0.007
#define BYTES_MAX  (8 << 20) /* enough for 100 Gbit/s, and costs little CPU */
#define DEBT_TURNS 20        /* turns without a transfer, at most */

struct probe_peer *probe_peers_find(struct probe_peers *peers, const char *name,
				    uint64_t slot)
{
	struct probe_peer *oldest = peers->of;

	for (size_t i = 0; i < PROBE_PEERS_MAX; i++) {
		struct probe_peer *p = &peers->of[i];

		if (!strcmp(p->name, name)) {
			p->slot = slot;
			return p;
		}
		if (p->slot < oldest->slot)
			oldest = p;
	}
	*oldest = (struct probe_peer){ .slot = slot,
				       .out_bps = NAN,
				       .back_bps = NAN };
	snprintf(oldest->name, sizeof(oldest->name), "%s", name);
	return oldest;
}

int probe_peer_resolve(struct probe_peer *peer, int port, struct sp_error *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char service[16];

	if (peer->address_size)
		return 0;
	snprintf(service, sizeof(service), "%d", port);

	int rc = getaddrinfo(peer->name, service, &hints, &found);

	if (rc)
		return sp_error_set(err, "%s: %s", peer->name,
				    gai_strerror(rc));
	memcpy(&peer->address, found->ai_addr, found->ai_addrlen);
	peer->address_size = found->ai_addrlen;
	freeaddrinfo(found);
	return 0;
}

/* As much as the link carries in the allowed time.  On a link of unknown
 * capacity the time alone is the limit. */
static struct transfer_limits limits_for(double capacity_bps, double allowed_s)
{
	double bytes =
		isnan(capacity_bps) ? BYTES_MAX : capacity_bps / 8 * allowed_s;

	return (struct transfer_limits){
		.bytes = (uint64_t)fmin(fmax(bytes, TRANSFER_BYTES_MIN),
					BYTES_MAX),
		.time_s = allowed_s,
	};
}

bool probe_peer_limits(struct probe_peer *peer, double interval_s,
		       struct transfer_limits *ret_out,
		       struct transfer_limits *ret_back)
{
	double allowed_s = COST * interval_s;

	/* A small debt may be paid by the next turns. */
	peer->debt_s = fmax(0, peer->debt_s - allowed_s);
	if (peer->debt_s > allowed_s / 2)
		return false;
	*ret_out = limits_for(peer->out_bps, allowed_s);
	*ret_back = limits_for(peer->back_bps, allowed_s);
	return true;
}

void probe_peer_spent(struct probe_peer *peer, double interval_s, double out_s,
		      double back_s)
{
	/* Each takes one direction only. */
	peer->debt_s = fmin(peer->debt_s + fmax(out_s, back_s),
			    DEBT_TURNS * COST * interval_s);
}
