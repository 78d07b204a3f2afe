/* SPDX-License-Identifier: GPL-2.0-or-later */
/* framing.h - message boundaries in a stream of bytes
 *
 * A framing gets every new piece of one direction of a TCP connection, in order
 * and once, and counts the application's messages in it.  It sees the length
 * and the first bytes of each piece.
 *
 * Framings are tried in the order of the table until one recognises the stream
 * by its first bytes; the last one matches everything.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A piece of a stream: the new bytes of a captured segment. */
struct piece {
	uint32_t size;
	uint32_t captured;   /* bytes at `data` */
	const uint8_t *data; /* the first of the piece */
	uint32_t segment;    /* payload of a full segment on this connection */
	bool push;           /* PSH: the sender had no more data */
	bool answered;       /* data arrived since the last piece was sent */
};

struct tally {
	double messages;
	double bytes;         /* without the library's headers */
	double long_messages; /* of the messages: sent by rendezvous */
};

#define FRAMING_KINDS 7

/* A header and the data behind it. */
struct frame {
	uint32_t kind;    /* below FRAMING_KINDS; 0: none */
	uint64_t size;    /* in the stream, with its header */
	uint64_t payload; /* the application's bytes in it */
};

/* Position of a framing in its stream.  All 0: at the beginning. */
struct framing_state {
	uint64_t left;     /* bytes until the next header */
	struct frame last; /* read or estimated */
	struct frame
		followers[FRAMING_KINDS]; /* last one read after each kind */
	uint32_t head_size; /* bytes of a header that is cut by a piece's end */
	uint8_t head[32];
	bool lost; /* the position of the next header is not known */
	bool open; /* a message has begun and may go on */
};

struct framing {
	const char *name, *help;

	/* Whether the stream has this framing, by its first piece, or by any
	 * piece of a stream whose beginning was not captured. */
	bool (*matches)(const struct piece *piece);
	void (*add)(struct framing_state *state, const struct piece *piece,
		    struct tally *tally);
	/* `size` bytes were not captured. */
	void (*skip)(struct framing_state *state, uint64_t size,
		     struct tally *tally);
};

extern const struct framing framing_openmpi, framing_plain;
extern const struct framing *const framings[]; /* ends with NULL */
