/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_counts.c - how many connections each user or address has
 *
 * A row for each that has any; there are so few that a scan is faster than
 * a hash table.
 */
#include <stdlib.h>

#include "predictor/http/gate/peer_counts.h"

struct peer_counts {
	size_t count;
	struct {
		uint64_t peer;
		int connections;
	} peers[HTTP_CONNECTIONS_MAX];
};

struct peer_counts *peer_counts_create(void)
{
	return calloc(1, sizeof(struct peer_counts));
}

void peer_counts_destroy(struct peer_counts *counts)
{
	free(counts);
}

bool peer_counts_enter(struct peer_counts *counts, uint64_t peer, int limit)
{
	size_t i = 0;

	while (i < counts->count && counts->peers[i].peer != peer)
		i++;
	if (i == counts->count) {
		if (i == HTTP_CONNECTIONS_MAX)
			return false;
		counts->peers[i].peer = peer;
		counts->peers[i].connections = 0;
		counts->count++;
	}
	if (counts->peers[i].connections >= limit)
		return false;
	counts->peers[i].connections++;
	return true;
}

void peer_counts_leave(struct peer_counts *counts, uint64_t peer)
{
	for (size_t i = 0; i < counts->count; i++) {
		if (counts->peers[i].peer != peer)
			continue;
		if (--counts->peers[i].connections == 0)
			counts->peers[i] = counts->peers[--counts->count];
		return;
	}
}
