/* SPDX-License-Identifier: GPL-2.0-or-later */
/* framing_plain.c - message boundaries by the sizes of segments, for any
 * program
 *
 * All segments of a message but its last one are full.  A message ends where a
 * segment with PSH is not a whole number of full ones (the kernel captures
 * several at once), or where the other side has replied.  Messages whose length
 * is a whole number of segments, sent without a pause, count as one; a
 * library's headers count as the application's bytes.  Long messages can't be
 * recognised: none is counted.
 *
 * [2] Venkataramaiah, Subhlok: Performance Prediction for Simple CPU and
 *     Network Sharing, 2002, section 3.1.
 */
#include "collectors/profilers/framing.h"

#define SEGMENT_DEFAULT 1448 /* on Ethernet, with time stamps */

static bool plain_matches(const struct piece *piece)
{
	(void)piece;
	return true;
}

static void plain_add(struct framing_state *state, const struct piece *piece,
		      struct tally *tally)
{
	uint32_t segment = piece->segment ? piece->segment : SEGMENT_DEFAULT;

	if (!state->open || piece->answered)
		tally->messages++;
	tally->bytes += piece->size;
	state->open = !piece->push || piece->size % segment == 0;
}

/* The bytes belong to the message before or after them. */
static void plain_skip(struct framing_state *state, uint64_t size,
		       struct tally *tally)
{
	if (!state->open)
		tally->messages++;
	state->open = true;
	tally->bytes += (double)size;
}

const struct framing framing_plain = {
	.name = "plain",
	.help = "boundaries by the sizes of segments; any program",
	.matches = plain_matches,
	.add = plain_add,
	.skip = plain_skip,
};
