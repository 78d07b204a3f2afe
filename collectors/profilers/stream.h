/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.h - messages in one direction of a TCP connection
 *
 * Gets the segments that the node sends, in that order.  Retransmitted bytes
 * are not counted again; bytes that were not captured are counted, and the
 * messages in them estimated; a connection whose ports are used again begins
 * anew.  Sequence numbers may wrap.
 */
#pragma once

#include "collectors/profilers/framing.h"
#include "collectors/profilers/packet.h"
#include "collectors/profilers/rounds.h"

struct stream {
	bool known;        /* `next` is set */
	bool begun;        /* data was captured */
	uint32_t next;     /* sequence number expected */
	uint32_t answered; /* acknowledgement number of the last piece */
	uint32_t segment;  /* payload of a full segment; 0: not known */
	const struct framing *framing; /* NULL: no data yet */
	struct framing_state state;
	struct tally tally;   /* over all connections of these ports */
	struct rounds rounds; /* likewise */
	double followed;      /* bytes of the stream in `tally` */
	uint64_t missed;      /* bytes that were not captured */
	uint64_t repeated;    /* bytes that were retransmitted */
};

void stream_add(struct stream *stream, const struct packet *packet);
