/* SPDX-License-Identifier: GPL-2.0-or-later */
/* framing_openmpi.c - message boundaries by Open MPI's headers on TCP
 *
 * Open MPI 2 to 5 (btl/tcp below pml/ob1) sends frames: 8 bytes of header
 *	tag (1)  type (1): 1 send, 2 put, 3 get  count (2)  size (4)
 * in the byte order of the sender, for a put `count` segments of address and
 * length (8 + 8), then `size` bytes.  A frame of type send whose tag is that
 * of the point-to-point layer begins with a byte that repeats the tag:
 *	65 match: a whole short message behind 14 bytes
 *	66, 67 rendezvous: a long message begins, perhaps with its first part
 *	       behind 32 bytes (67: a longer header without data)
 *	70 a further part, behind 32 bytes
 *	others of 68 to 73: acknowledgements and the like
 * and a put carries a part of a long message as well.
 * A connection begins with 24 bytes: 8 of the sender's name, then
 * "OPAL-TCP-BTL".  Collective operations consist of such messages, too.
 *
 * Only the first bytes of a segment are captured.  Headers behind them can't be
 * read: then frames are assumed to follow each other as they did last, until a
 * piece begins with a valid header.
 */
#include <math.h>
#include <string.h>

#include "collectors/profilers/framing.h"

enum { FRAME_SEND = 1, FRAME_PUT = 2, FRAME_GET = 3 };
enum {
	HEAD_MATCH = 65,
	HEAD_RENDEZVOUS = 66,
	HEAD_GET = 67,
	HEAD_PART = 70,
	HEAD_LAST = 73
};

#define HEADER_SIZE   8
#define SEGMENT_SIZE  16
#define MATCH_SIZE    14
#define PART_SIZE     32 /* also of a rendezvous */
#define GREETING_SIZE 24
#define GREETING      "OPAL-TCP-BTL"
#define GREETING_AT   8
#define ESTIMATE_MAX  64 /* frames, one by one; further ones in proportion */

enum {
	KIND_NONE,
	/* Each begins a message of the application. */
	KIND_MATCH,
	KIND_RENDEZVOUS,
	KIND_GET,
	/* These do not. */
	KIND_PART,
	KIND_PUT,
	KIND_OTHER,
	KINDS
};

_Static_assert(KINDS == FRAMING_KINDS, "each kind has a follower");

static uint32_t read_le32(const uint8_t *b)
{
	return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 |
	       (uint32_t)b[1] << 8 | b[0];
}

static bool is_greeting(const uint8_t *bytes, uint32_t size)
{
	return size >= GREETING_AT + sizeof(GREETING) - 1 &&
	       !memcmp(bytes + GREETING_AT, GREETING, sizeof(GREETING) - 1);
}

static uint32_t tag_kind(uint8_t tag)
{
	switch (tag) {
	case HEAD_MATCH:
		return KIND_MATCH;
	case HEAD_RENDEZVOUS:
		return KIND_RENDEZVOUS;
	case HEAD_GET:
		return KIND_GET;
	case HEAD_PART:
		return KIND_PART;
	default:
		return KIND_OTHER;
	}
}

static int send_read(const uint8_t *b, uint32_t size, struct frame *ret)
{
	uint32_t inside = read_le32(b + 4);

	if (b[0] < HEAD_MATCH || b[0] > HEAD_LAST || b[2] || b[3] ||
	    inside < MATCH_SIZE)
		return -1;
	if (size > HEADER_SIZE && b[HEADER_SIZE] != b[0])
		return -1;
	ret->size = HEADER_SIZE + (uint64_t)inside;
	ret->kind = tag_kind(b[0]);
	if (ret->kind == KIND_MATCH)
		ret->payload = inside - MATCH_SIZE;
	else if ((ret->kind == KIND_RENDEZVOUS || ret->kind == KIND_PART) &&
		 inside > PART_SIZE)
		ret->payload = inside - PART_SIZE;
	return 0;
}

/* 0: *ret is the frame that begins here; 1: more bytes are needed; -1: not a
 * header. */
static int frame_read(const uint8_t *b, uint32_t size, struct frame *ret)
{
	*ret = (struct frame){ .size = 0 };
	if (is_greeting(b, size)) {
		ret->size = GREETING_SIZE;
		return 0;
	}
	if (size < HEADER_SIZE)
		return 1;
	switch (b[1]) {
	case FRAME_SEND:
		return send_read(b, size, ret);
	case FRAME_PUT:
	case FRAME_GET:
		if (b[3] || b[2] == 0 || b[2] > 8)
			return -1;
		ret->kind = b[1] == FRAME_PUT ? KIND_PUT : KIND_OTHER;
		ret->payload = b[1] == FRAME_PUT ? read_le32(b + 4) : 0;
		ret->size = HEADER_SIZE + b[2] * (uint64_t)SEGMENT_SIZE +
			    ret->payload;
		return 0;
	case 0: /* an incomplete greeting */
		return size < GREETING_SIZE && b[0] <= 1 ? 1 : -1;
	default:
		return -1;
	}
}

static bool openmpi_matches(const struct piece *piece)
{
	struct frame frame;

	if (is_greeting(piece->data, piece->captured))
		return true;
	/* Without the greeting: the header must repeat its tag. */
	return piece->captured >= HEADER_SIZE + 1 &&
	       piece->data[1] == FRAME_SEND &&
	       frame_read(piece->data, piece->captured, &frame) >= 0;
}

static void frame_count(const struct frame *frame, struct tally *tally)
{
	if (frame->kind >= KIND_MATCH && frame->kind <= KIND_GET)
		tally->messages++;
	if (frame->kind == KIND_RENDEZVOUS || frame->kind == KIND_GET)
		tally->long_messages++;
	tally->bytes += (double)frame->payload;
}

/* Return the expected next frame: as after the last one of this kind, else as
 * the last one, else a whole message. */
static struct frame frame_expect(const struct framing_state *state,
				 uint64_t size)
{
	uint64_t over = HEADER_SIZE + MATCH_SIZE;

	if (state->followers[state->last.kind].size)
		return state->followers[state->last.kind];
	if (state->last.kind != KIND_NONE)
		return state->last;
	return (struct frame){
		.kind = KIND_MATCH,
		.size = size,
		.payload = size > over ? size - over : 0,
	};
}

/* Count `size` bytes with headers that were not captured.  The rest of the last
 * frame comes with the next piece, unless that begins with a header. */
static void frames_estimate(struct framing_state *state, uint64_t size,
			    struct tally *tally)
{
	struct tally estimated = { 0 };
	uint64_t done = 0;

	for (int i = 0; i < ESTIMATE_MAX && done < size; i++) {
		state->last = frame_expect(state, size - done);
		frame_count(&state->last, &estimated);
		done += state->last.size;
	}

	double times = done < size ? (double)size / (double)done : 1;

	tally->messages += estimated.messages * times;
	tally->bytes += estimated.bytes * times;
	tally->long_messages += estimated.long_messages * times;
	state->lost = true;
	state->left = done > size ? done - size : 0;
	state->head_size = 0;
}

/* Read the frame that begins `at` bytes into the piece, with the bytes of its
 * header that the pieces before had. */
static int frame_read_at(struct framing_state *state, const struct piece *piece,
			 uint32_t at, struct frame *ret)
{
	uint32_t known = at < piece->captured ? piece->captured - at : 0;
	uint32_t room = (uint32_t)sizeof(state->head) - state->head_size;
	uint32_t add = known < room ? known : room;

	if (add)
		memcpy(state->head + state->head_size, piece->data + at, add);

	int rc = frame_read(state->head, state->head_size + add, ret);

	/* The rest of it comes with the next piece. */
	if (rc == 1 && at + add == piece->size && add < room)
		state->head_size += add;
	else if (rc == 1)
		rc = -1;
	return rc;
}

/* If the piece begins with a header, the estimated frame before it has
 * ended. */
static void frame_resync(struct framing_state *state, const struct piece *piece,
			 struct tally *tally)
{
	struct frame frame;

	state->lost = false;
	if (frame_read(piece->data, piece->captured, &frame) != 0)
		return;
	/* Fewer may have been counted: gaps get the stream's mean. */
	tally->bytes =
		fmax(0, tally->bytes - fmin((double)state->left,
					    (double)state->last.payload));
	state->left = 0;
	state->last = (struct frame){ .kind = KIND_NONE };
}

static void openmpi_add(struct framing_state *state, const struct piece *piece,
			struct tally *tally)
{
	uint32_t at = 0;

	if (state->lost)
		frame_resync(state, piece, tally);
	while (at < piece->size) {
		struct frame frame;
		uint32_t rest = piece->size - at;
		uint32_t before = state->head_size;

		if (state->left >= rest) {
			state->left -= rest;
			return;
		}
		at += (uint32_t)state->left;
		state->left = 0;

		int rc = frame_read_at(state, piece, at, &frame);

		if (rc == 1)
			return;
		state->head_size = 0;
		if (rc < 0 || frame.size <= before) {
			frames_estimate(state, piece->size - at, tally);
			return;
		}
		frame_count(&frame, tally);
		if (frame.kind != KIND_NONE) /* a greeting comes once */
			state->followers[state->last.kind] = frame;
		state->last = frame;
		state->left = frame.size - before;
	}
}

static void openmpi_skip(struct framing_state *state, uint64_t size,
			 struct tally *tally)
{
	if (size <= state->left) {
		state->left -= size;
		return;
	}
	frames_estimate(state, size - state->left, tally);
}

const struct framing framing_openmpi = {
	.name = "openmpi",
	.help = "the headers of Open MPI's TCP transport",
	.matches = openmpi_matches,
	.add = openmpi_add,
	.skip = openmpi_skip,
};
