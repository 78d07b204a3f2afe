/* SPDX-License-Identifier: GPL-2.0-or-later */
/* connections.c - a list of open connections and their deadlines
 *
 * The oldest first.  A connection is in the list as long as its descriptor is
 * open; its thread sees the end of a descriptor that is shut down, and
 * closes it.
 */
#include <math.h>
#include <sys/socket.h>

#include "predictor/http/gate/connections.h"
#include "predictor/http/gate/peer_counts.h"

void connections_init(struct connections *list)
{
	*list = (struct connections){ .count = 0 };
	ordered_lock_init(&list->lock, LOCK_CONNECTIONS);
}

void connections_clear(struct connections *list)
{
	ordered_lock_destroy(&list->lock);
}

size_t connections_append(struct connections *list, struct http_connection *c)
{
	ORDERED_LOCK_HOLD(&list->lock);
	c->older = list->newest;
	if (list->newest)
		list->newest->newer = c;
	else
		list->oldest = c;
	list->newest = c;
	return ++list->count;
}

void connections_remove(struct connections *list, struct http_connection *c)
{
	ORDERED_LOCK_HOLD(&list->lock);
	if (c->older)
		c->older->newer = c->newer;
	else
		list->oldest = c->newer;
	if (c->newer)
		c->newer->older = c->older;
	else
		list->newest = c->older;
	list->count--;
}

void connection_allow(struct http_connection *c, double deadline_s)
{
	ORDERED_LOCK_HOLD(&c->list->lock);
	c->deadline_s = deadline_s;
}

void connection_prove(struct http_connection *c, bool proved)
{
	ORDERED_LOCK_HOLD(&c->list->lock);
	c->proved = proved;
}

bool connection_count(struct http_connection *c, uint64_t peer, int limit)
{
	if (c->counted_as == peer)
		return true;
	if (c->counted_as)
		peer_counts_leave(c->counts, c->counted_as);
	c->counted_as = 0;
	if (!peer || !peer_counts_enter(c->counts, peer, limit))
		return !peer;
	c->counted_as = peer;
	return true;
}

/* Under the lock.  It is not shut down again. */
static void connection_end(struct http_connection *c)
{
	c->deadline_s = INFINITY;
	shutdown(c->fd, SHUT_RDWR);
}

size_t connections_sweep(struct connections *list, double now_s)
{
	size_t count = 0;

	ORDERED_LOCK_HOLD(&list->lock);
	for (struct http_connection *c = list->oldest; c; c = c->newer)
		if (c->deadline_s <= now_s) {
			connection_end(c);
			count++;
		}
	return count;
}

size_t connections_make_room(struct connections *list, uint64_t peer,
			     size_t crowded)
{
	ORDERED_LOCK_HOLD(&list->lock);
	struct http_connection *c =
		list->count >= crowded ? list->oldest : NULL;

	while (c &&
	       (c->proved || isinf(c->deadline_s) || (peer && c->peer != peer)))
		c = c->newer;
	if (c)
		connection_end(c);
	return c != NULL;
}
