/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.h - one direction of a TCP connection, followed
 *
 * Told of the segments that the node sends, in the order in which it does.
 * What is sent again is not counted again; what was not captured is counted as
 * bytes, and messages in it are estimated; a connection whose ports are used
 * again begins anew.  Sequence numbers may wrap.
 */
#ifndef COLLECTORS_PROFILERS_STREAM_H
#define COLLECTORS_PROFILERS_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "collectors/profilers/framing.h"
#include "collectors/profilers/packet.h"

struct stream {
	bool known;        /* where it stands */
	bool begun;        /* something of it was seen */
	uint32_t next;     /* sequence number expected */
	uint32_t answered; /* what we had acknowledged with the last piece */
	uint32_t segment;  /* payload of a full segment; 0: not known */
	const struct framing *framing; /* NULL: nothing was sent yet */
	struct framing_state state;
	struct tally tally; /* over all connections of these ports */
	double followed;    /* bytes of the stream that it comes from */
	uint64_t missed;    /* bytes that were not captured */
	uint64_t again;     /* bytes that were sent more than once */
};

void stream_take(struct stream *stream, const struct packet *packet);

#endif
