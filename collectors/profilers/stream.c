/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.c - messages in one direction of a TCP connection */

#include "collectors/profilers/stream.h"

/* A larger step of the sequence number is not a gap, as no TCP window is
 * larger, but another connection whose beginning was not captured. */
#define GAP_MAX (1 << 30)

#define MANY_MESSAGES 10

static void stream_restart(struct stream *stream, uint32_t seq)
{
	stream->known = true;
	rounds_lose(&stream->rounds);
	stream->next = seq;
	stream->framing = NULL;
	stream->state = (struct framing_state){ .left = 0 };
}

static const struct framing *framing_choose(const struct piece *piece)
{
	int i = 0;

	while (!framings[i]->matches(piece))
		i++;
	return framings[i];
}

/* Add the bytes of the packet from the offset `from` on. */
static void piece_add(struct stream *stream, const struct packet *packet,
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
	double messages = stream->tally.messages;

	if (!stream->framing)
		stream->framing = framing_choose(&piece);
	stream->framing->add(&stream->state, &piece, &stream->tally);
	if (stream->tally.messages > messages)
		rounds_message(&stream->rounds, packet->at_s, packet->ack);
	stream->followed += piece.size;
	stream->answered = packet->ack;
	stream->begun = true;
}

/* Estimate the messages in a gap: a few from the last one, many from the mean
 * of all so far. */
static void gap_add(struct stream *stream, uint32_t size)
{
	struct tally all = stream->tally, estimated = { 0 };

	rounds_lose(&stream->rounds);
	stream->missed += size;
	if (!stream->framing) {
		stream->tally.bytes += size;
		return;
	}
	stream->framing->skip(&stream->state, size, &estimated);
	if (all.messages > MANY_MESSAGES &&
	    size * all.messages > MANY_MESSAGES * stream->followed) {
		estimated.messages = all.messages * size / stream->followed;
		estimated.bytes = all.bytes * size / stream->followed;
		estimated.long_messages =
			all.long_messages * size / stream->followed;
	}
	stream->tally.messages += estimated.messages;
	stream->tally.bytes += estimated.bytes;
	stream->tally.long_messages += estimated.long_messages;
	stream->followed += size;
}

void stream_add(struct stream *stream, const struct packet *packet)
{
	if (packet->syn) {
		/* A retransmitted SYN opens no other connection. */
		if (!stream->known || packet->seq != stream->next)
			stream_restart(stream, packet->seq);
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
		stream_restart(stream, packet->seq);

	int32_t ahead = (int32_t)(packet->seq - stream->next);

	if (ahead > GAP_MAX || ahead < -GAP_MAX) {
		stream_restart(stream, packet->seq);
		ahead = 0;
	}
	if (ahead > 0)
		gap_add(stream, (uint32_t)ahead);

	uint32_t from = ahead < 0 ? (uint32_t)-ahead : 0;

	stream->repeated += from < packet->size ? from : packet->size;
	if (from >= packet->size)
		return;
	piece_add(stream, packet, from);
	stream->next = packet->seq + packet->size;
}
