/* SPDX-License-Identifier: GPL-2.0-or-later */
/* streams.c - TCP connections of this node, their owners and messages
 *
 * A table with an index by remote address and both ports.  Packets of a
 * connection often follow each other, so the last one found is tried first.  A
 * connection gets an owner from sockets.c; the count of those with data but
 * without an owner says whether a search is due.  One thread.
 */
#include <stdlib.h>
#include <string.h>

#include "collectors/profilers/streams.h"
#include "predictor/base/index.h"

struct connection {
	struct stream_key key;
	pid_t owner; /* 0: not known */
	struct stream stream;
};

struct streams {
	struct index index;
	uint32_t count, capacity;
	uint32_t unowned; /* with data, but without an owner */
	struct connection *of;
	uint32_t last; /* found by the last search */
};

struct streams *streams_create(void)
{
	return calloc(1, sizeof(struct streams));
}

void streams_destroy(struct streams *streams)
{
	if (!streams)
		return;
	index_clear(&streams->index);
	free(streams->of);
	free(streams);
}

static bool keys_equal(const struct stream_key *a, const struct stream_key *b)
{
	return a->from_port == b->from_port && a->to_port == b->to_port &&
	       !memcmp(a->to, b->to, sizeof(a->to));
}

struct key_search {
	const struct streams *streams;
	const struct stream_key *key;
};

static bool key_matches(const void *context, uint32_t position)
{
	const struct key_search *search = context;

	return keys_equal(&search->streams->of[position].key, search->key);
}

static uint64_t key_hash(const struct stream_key *key)
{
	uint64_t chain = index_hash(0, key->to, sizeof(key->to));

	chain = index_hash(chain, &key->from_port, sizeof(key->from_port));
	return index_hash(chain, &key->to_port, sizeof(key->to_port));
}

/* NULL: not found, or with `add`: no room for it. */
static struct connection *
connection_find(struct streams *streams, const struct stream_key *key, bool add)
{
	struct key_search search = { streams, key };

	if (streams->last < streams->count &&
	    keys_equal(&streams->of[streams->last].key, key))
		return &streams->of[streams->last];

	uint64_t hashed = key_hash(key);
	uint32_t at = index_find(&streams->index, hashed, key_matches, &search);

	if (at == INDEX_NONE) {
		if (!add || streams->count == STREAMS_MAX ||
		    index_reserve(&streams->index) ||
		    index_grow(&streams->of, &streams->capacity, streams->count,
			       sizeof(*streams->of)))
			return NULL;
		at = streams->count++;
		streams->of[at] = (struct connection){ .key = *key };
		index_add(&streams->index, hashed, at);
	}
	streams->last = at;
	return &streams->of[at];
}

void streams_add(struct streams *streams, const struct packet *packet)
{
	struct stream_key key = { .from_port = packet->from_port,
				  .to_port = packet->to_port };

	memcpy(key.to, packet->to, sizeof(key.to));

	struct connection *c = connection_find(streams, &key, true);

	if (!c)
		return;

	bool begun = c->stream.begun;

	/* A new connection of the same ports may be another process's. */
	if (packet->syn && begun && c->owner && packet->seq != c->stream.next) {
		c->owner = 0;
		streams->unowned++;
	}
	stream_add(&c->stream, packet);
	if (!begun && c->stream.begun && !c->owner)
		streams->unowned++;
}

bool streams_unowned(const struct streams *streams)
{
	return streams->unowned > 0;
}

bool streams_next_unowned(const struct streams *streams, uint32_t *at,
			  struct stream_key *ret)
{
	for (; *at < streams->count; (*at)++) {
		const struct connection *c = &streams->of[*at];

		if (c->owner || !c->stream.begun)
			continue;
		*ret = c->key;
		(*at)++;
		return true;
	}
	return false;
}

void streams_own(struct streams *streams, const struct stream_key *key,
		 pid_t pid)
{
	struct connection *c = connection_find(streams, key, false);

	if (!c)
		return;
	if (!c->owner && c->stream.begun)
		streams->unowned--;
	c->owner = pid;
}

static bool is_of_task(const struct connection *c,
		       bool (*is_task)(const void *context, pid_t pid),
		       const void *context)
{
	if (c->owner)
		return is_task(context, c->owner);
	return c->stream.framing && c->stream.framing != &framing_plain;
}

void streams_sum(const struct streams *streams,
		 const uint8_t address[PACKET_ADDRESS_SIZE],
		 bool (*is_task)(const void *context, pid_t pid),
		 const void *context, struct tally *ret)
{
	struct tally sum = { 0 };

	for (uint32_t i = 0; i < streams->count; i++) {
		const struct connection *c = &streams->of[i];

		if (memcmp(c->key.to, address, sizeof(c->key.to)) != 0 ||
		    !is_of_task(c, is_task, context))
			continue;
		sum.messages += c->stream.tally.messages;
		sum.bytes += c->stream.tally.bytes;
		sum.long_messages += c->stream.tally.long_messages;
	}
	*ret = sum;
}

void streams_rounds(const struct streams *streams,
		    const uint8_t address[PACKET_ADDRESS_SIZE],
		    bool (*is_task)(const void *context, pid_t pid),
		    const void *context, struct rounds *ret,
		    uint32_t *ret_count)
{
	*ret = (struct rounds){ 0 };
	*ret_count = 0;
	for (uint32_t i = 0; i < streams->count; i++) {
		const struct connection *c = &streams->of[i];

		if (memcmp(c->key.to, address, sizeof(c->key.to)) != 0 ||
		    !(c->stream.rounds.count > 0) ||
		    !is_of_task(c, is_task, context))
			continue;
		rounds_add(ret, &c->stream.rounds);
		(*ret_count)++;
	}
}

uint64_t streams_missed(const struct streams *streams,
			bool (*is_task)(const void *context, pid_t pid),
			const void *context)
{
	uint64_t missed = 0;

	for (uint32_t i = 0; i < streams->count; i++)
		if (is_of_task(&streams->of[i], is_task, context))
			missed += streams->of[i].stream.missed;
	return missed;
}
