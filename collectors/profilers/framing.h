/* SPDX-License-Identifier: GPL-2.0-or-later */
/* framing.h - where messages begin and end in a stream of bytes
 *
 * A framing is told of every new piece of one direction of a TCP connection,
 * in order and once, and counts the application's messages in it.  It sees how
 * long each piece is, when it comes, and the first bytes of it, no more.
 *
 * Framings are tried in the order of the table until one knows the stream by
 * its first bytes; the last one takes everything.
 */
#ifndef COLLECTORS_PROFILERS_FRAMING_H
#define COLLECTORS_PROFILERS_FRAMING_H

#include <stdbool.h>
#include <stdint.h>

/* A piece of a stream: a captured segment, or what is new in it. */
struct piece {
	uint32_t size;
	uint32_t captured;   /* bytes of it that are known */
	const uint8_t *data; /* these */
	uint32_t segment;    /* payload of a full segment on this connection */
	bool push;           /* the sender had nothing more to send */
	bool answered;       /* data came the other way since the last piece */
};

struct tally {
	double messages;
	double bytes; /* of the application, without what a library adds */
	double long_messages; /* of the messages, as the library sends them */
};

#define FRAMING_KINDS 7

/* What a library sends at once, behind a header. */
struct frame {
	uint32_t kind;    /* below FRAMING_KINDS; 0: none */
	uint64_t size;    /* in the stream, with its header */
	uint64_t payload; /* the application's bytes in it */
};

/* Where a framing stands in its stream.  All 0: at the beginning. */
struct framing_state {
	uint64_t left;                         /* bytes until the next header */
	struct frame last;                     /* that began, seen or guessed */
	struct frame followers[FRAMING_KINDS]; /* seen last after each kind */
	uint32_t head_size; /* bytes of a header that is cut by a piece's end */
	uint8_t head[32];
	bool lost; /* it is not known where the next header is */
	bool open; /* a message has begun and may go on */
};

struct framing {
	const char *name;
	const char *help;

	/* Whether the stream's first piece is one of its own; of a stream that
	 * we have not seen begin, any piece. */
	bool (*knows)(const struct piece *piece);
	void (*take)(struct framing_state *state, const struct piece *piece,
		     struct tally *tally);
	/* `size` bytes were not seen. */
	void (*miss)(struct framing_state *state, uint64_t size,
		     struct tally *tally);
};

extern const struct framing framing_openmpi, framing_plain;
extern const struct framing *const framings[]; /* ends with NULL */

#endif
