/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_counts.c - how many connections each local user has
 *
 * A row for each user who has any; there are so few that a scan is faster than
 * a hash table.
 */
#include <stdlib.h>

#include "predictor/http/http.h"
#include "predictor/http/peer_counts.h"

struct peer_counts {
	size_t count;
	struct {
		uid_t uid;
		int connections;
	} users[HTTP_CONNECTIONS_MAX];
};

struct peer_counts *peer_counts_create(void)
{
	return calloc(1, sizeof(struct peer_counts));
}

void peer_counts_destroy(struct peer_counts *counts)
{
	free(counts);
}

bool peer_counts_enter(struct peer_counts *counts, uid_t uid, int limit)
{
	size_t i = 0;

	while (i < counts->count && counts->users[i].uid != uid)
		i++;
	if (i == counts->count) {
		if (i == HTTP_CONNECTIONS_MAX)
			return false;
		counts->users[i].uid = uid;
		counts->users[i].connections = 0;
		counts->count++;
	}
	if (counts->users[i].connections >= limit)
		return false;
	counts->users[i].connections++;
	return true;
}

void peer_counts_leave(struct peer_counts *counts, uid_t uid)
{
	for (size_t i = 0; i < counts->count; i++) {
		if (counts->users[i].uid != uid)
			continue;
		if (--counts->users[i].connections == 0)
			counts->users[i] = counts->users[--counts->count];
		return;
	}
}
