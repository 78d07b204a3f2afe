/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.c - one direction of a TCP connection, followed */
#include <stddef.h>

#include "collectors/profilers/stream.h"

/* A larger step of the sequence number is no gap but another connection whose
 * beginning was missed: a window can't be larger. */
#define GAP_MAX (1 << 30)

#define MANY 10 /* messages */

static void start(struct stream *stream, uint32_t seq)
{
	stream->known = true;
	stream->next = seq;
	stream->framing = NULL;
	stream->state = (struct framing_state){ .left = 0 };
}

static const struct framing *choose(const struct piece *piece)
{
	int i = 0;

	while (!framings[i]->knows(piece))
		i++;
	return framings[i];
}

/* `from`: the first byte of the packet that is new. */
static void give(struct stream *stream, const struct packet *packet,
		 uint32_t from)
{
	struct piece piece = {
		.size = packet->size - from,
		.captured =
			packet->captured > from ? packet->captured - from : 0,
		.data = packet->data +
			(from < packet->captured ? from : packet->captured),
		.segment = stream->segment,
		.push = packet->push,
		.answered = stream->begun && packet->ack != stream->answered,
	};

	if (!stream->framing)
		stream->framing = choose(&piece);
	stream->framing->take(&stream->state, &piece, &stream->tally);
	stream->followed += piece.size;
	stream->answered = packet->ack;
	stream->begun = true;
}

/* Few messages are guessed from the last one, many from all so far. */
static void miss(struct stream *stream, uint32_t size)
{
	struct tally all = stream->tally, guessed = { 0 };

	stream->missed += size;
	if (!stream->framing) { /* the first piece will tell */
		stream->tally.bytes += size;
		return;
	}
	stream->framing->miss(&stream->state, size, &guessed);
	if (all.messages > MANY &&
	    size * all.messages > MANY * stream->followed) {
		guessed.messages = all.messages * size / stream->followed;
		guessed.bytes = all.bytes * size / stream->followed;
		guessed.long_messages =
			all.long_messages * size / stream->followed;
	}
	stream->tally.messages += guessed.messages;
	stream->tally.bytes += guessed.bytes;
	stream->tally.long_messages += guessed.long_messages;
	stream->followed += size;
}

void stream_take(struct stream *stream, const struct packet *packet)
{
	if (packet->syn) {
		/* Sent again, it is no other connection. */
		if (!stream->known || packet->seq != stream->next)
			start(stream, packet->seq);
		if (packet->segment)
			stream->segment = packet->segment;
		if (!packet->size)
			stream->answered = packet->ack;
	}
	if (packet->reset)
		stream->known = false;
	if (!packet->size || packet->reset)
		return;
	if (!stream->known)
		start(stream, packet->seq);

	int32_t ahead = (int32_t)(packet->seq - stream->next);

	if (ahead > GAP_MAX || ahead < -GAP_MAX) {
		start(stream, packet->seq);
		ahead = 0;
	}
	if (ahead > 0)
		miss(stream, (uint32_t)ahead);

	uint32_t from = ahead < 0 ? (uint32_t)-ahead : 0;

	stream->again += from < packet->size ? from : packet->size;
	if (from >= packet->size)
		return;
	give(stream, packet, from);
	stream->next = packet->seq + packet->size;
}
