/* SPDX-License-Identifier: GPL-2.0-or-later */
/* framing_plain.c - messages as the sizes of segments tell them
 *
 * For any program: what is sent at once fills segments but for the last one.  A
 * message ends where a pushed segment is no whole number of full ones (the
 * kernel captures several at once), or where the other side has answered.
 * Messages whose length is a whole number of segments, sent without a pause,
 * are taken for one; what the library adds is counted as the application's.
 * Which messages it sends as long ones is not seen: none is counted.
 *
 * [2] Venkataramaiah, Subhlok: Performance Prediction for Simple CPU and
 *     Network Sharing, 2002, section 3.1.
 */
#include "collectors/profilers/framing.h"

#define SEGMENT_USUAL 1448 /* on Ethernet, with time stamps */

static bool plain_knows(const struct piece *piece)
{
	(void)piece;
	return true;
}

static void plain_take(struct framing_state *state, const struct piece *piece,
		       struct tally *tally)
{
	uint32_t segment = piece->segment ? piece->segment : SEGMENT_USUAL;

	if (!state->open || piece->answered)
		tally->messages++;
	tally->bytes += piece->size;
	state->open = !piece->push || piece->size % segment == 0;
}

/* Whatever was in it belongs to the message before or behind. */
static void plain_miss(struct framing_state *state, uint64_t size,
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
	.knows = plain_knows,
	.take = plain_take,
	.miss = plain_miss,
};
