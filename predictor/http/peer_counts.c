/* peer_counts.c - how many connections each local user holds
 *
 * A row per user who holds any: no more rows than connections.  A scan of so
 * few is quicker than hashing.
 */
#include <stdlib.h>

#include "predictor/http/http.h"
#include "predictor/http/peer_counts.h"

struct peers {
	size_t count;
	struct {
		uid_t uid;
		int connections;
	} of[HTTP_CONNECTIONS_MAX];
};

struct peers *peers_create(void)
{
	return calloc(1, sizeof(struct peers));
}

void peers_destroy(struct peers *peers)
{
	free(peers);
}

bool peers_enter(struct peers *peers, uid_t uid, int limit)
{
	size_t i = 0;

	while (i < peers->count && peers->of[i].uid != uid)
		i++;
	if (i == peers->count) {
		if (i == HTTP_CONNECTIONS_MAX)
			return false;
		peers->of[i].uid = uid;
		peers->of[i].connections = 0;
		peers->count++;
	}
	if (peers->of[i].connections >= limit)
		return false;
	peers->of[i].connections++;
	return true;
}

void peers_leave(struct peers *peers, uid_t uid)
{
	for (size_t i = 0; i < peers->count; i++) {
		if (peers->of[i].uid != uid)
			continue;
		if (--peers->of[i].connections == 0)
			peers->of[i] = peers->of[--peers->count];
		return;
	}
}
